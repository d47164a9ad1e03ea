#include "grader/report/progress.h"

#include <fmt/core.h>

#include <cstdio>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kBarCells = 24;

std::string outcome(const GradeRow& row) {
  if (row.status == GradeStatus::error) {
    return "not graded: our fault";
  }
  return fmt::format("{} / {}", human_points(row.score), human_points(row.max_score));
}

}  // namespace

Progress::Progress(std::size_t total, bool terminal) : total_(total), terminal_(terminal) {}

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
  const std::string last = fmt::format("{} {}: {}", printable(row.student), row.lab, outcome(row));
  if (!terminal_) {
    fmt::print(stderr, "[{}/{}] {}\n", finished_, total_, last);
    return;
  }
  const std::size_t filled = total_ == 0 ? kBarCells : kBarCells * finished_ / total_;
  fmt::print(stderr, "\r\x1b[K[{}{}] {}/{}  {}", std::string(filled, '#'),
             std::string(kBarCells - filled, ' '), finished_, total_, last.substr(0, 40));
  std::fflush(stderr);
}

void Progress::note(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear_line();
  fmt::print(stderr, "{}\n", text);
}

}  // namespace warpgrade
