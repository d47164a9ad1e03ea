#include "grader/class/page/progress.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kBarCells = 24;
constexpr double kMinSeconds = 1;  // earlier, a rate means nothing

std::string outcome(const GradeRow& row) {
  if (row.status == GradeStatus::error) {
    return "not graded: internal error";
  }
  return fmt::format("{} / {}", human_points(row.score), human_points(row.max_score));
}

std::string duration(double seconds) {
  if (seconds < 90) {
    return fmt::format("{:.0f} s", std::ceil(seconds));
  }
  const double minutes = std::ceil(seconds / 60);
  return minutes < 100 ? fmt::format("{:.0f} min", minutes)
                       : fmt::format("{:.0f} h {:02.0f} min", std::floor(minutes / 60),
                                     std::fmod(minutes, 60));
}

}  // namespace

std::string pace(std::size_t finished, std::size_t total, double seconds) {
  if (finished == 0 || seconds < kMinSeconds) {
    return {};
  }
  const double rate = static_cast<double>(finished) / seconds;
  const std::string speed =
      rate >= 0.95 ? fmt::format("{:.1f}/s", rate) : fmt::format("{:.1f}/min", rate * 60);
  if (finished >= total) {
    return speed;
  }
  return fmt::format("{}, {} left", speed, duration(static_cast<double>(total - finished) / rate));
}

Progress::Progress(std::size_t total, std::size_t kept, bool terminal)
    : total_(total), kept_(kept), terminal_(terminal) {}

Progress::~Progress() {
  clear_line();
}

void Progress::clear_line() const {
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
  }
}

void Progress::done(const GradeRow& row) {
  const std::lock_guard lock(mutex_);
  ++finished_;
  const std::size_t all = kept_ + finished_;
  const std::string last = fmt::format("{} {}: {}", one_line(row.student), row.lab, outcome(row));
  const std::string speed =
      pace(finished_, total_ - kept_,
           std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count());
  if (!terminal_) {
    fmt::print(stderr, "[{}/{}] {}{}\n", all, total_, last,
               speed.empty() ? "" : fmt::format(" ({})", speed));
    return;
  }
  const std::size_t filled =
      total_ == 0 ? kBarCells : std::min(kBarCells, kBarCells * all / total_);
  fmt::print(stderr, "\r\x1b[K[{}{}] {}/{}  {}  {}", std::string(filled, '#'),
             std::string(kBarCells - filled, ' '), all, total_, speed, last.substr(0, 24));
  std::fflush(stderr);
}

void Progress::note(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear_line();
  fmt::print(stderr, "{}\n", one_line(text));
}

}  // namespace warpgrade
