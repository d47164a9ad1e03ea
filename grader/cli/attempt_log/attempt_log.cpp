#include "grader/cli/attempt_log/attempt_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

/// Empty without a home folder.
fs::path log_of(const std::string& lab) {
  fs::path state;
  if (const char* set = std::getenv("XDG_STATE_HOME"); set != nullptr && *set == '/') {
    state = set;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    state = fs::path(home) / ".local" / "state";
  }
  return state.empty() ? state : state / "warpgrade" / "attempts" / (lab + ".jsonl");
}

/// A name for what a first sentence says; the same for other numbers and lines.
std::string mistake_of(const Grade& grade) {
  if (grade.score() >= grade.max_score()) return {};
  if (!grade.pitfall.empty()) return grade.pitfall;
  std::string words = grade.summary;
  std::erase_if(words, [](char c) { return c >= '0' && c <= '9'; });
  Sha256 sha;
  sha.add(words);
  constexpr std::size_t kDigits = 16;
  return "text-" + sha.hex().substr(0, kDigits);
}

Json to_json(const StudentView& shown, Instant at) {
  const Grade& grade = shown.grade;
  Json line = {{"at", instant_text(at)},
               {"points", grade.score()},
               {"max_points", grade.max_score()},
               {"failing", Json::array()}};
  if (const std::string mistake = mistake_of(grade); !mistake.empty()) line["mistake"] = mistake;
  if (grade.rung) {
    line["rung"] = grade.rung->index;
    line["rungs"] = grade.rung->count;
    line["rung_title"] = grade.rung->title;
  }
  for (const CaseReport& report : grade.cases) {
    const bool unsafe = std::ranges::any_of(grade.findings, [&](const ReportedFinding& finding) {
      return finding.counts() &&
             std::ranges::find(finding.cases, report.name) != finding.cases.end();
    });
    if (unsafe || report.verdict != CaseVerdict::passed) line["failing"].push_back(report.name);
  }
  return line;
}

std::optional<OwnAttempt> attempt_in(std::string_view text) {
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object()) return std::nullopt;
  try {
    std::string problem;
    const auto at = parse_instant(line.at("at").get<std::string>(), problem);
    if (!at) return std::nullopt;
    return OwnAttempt{.at = *at,
                      .points = line.at("points"),
                      .max_points = line.at("max_points"),
                      .rung = line.value("rung", std::size_t{0}),
                      .rungs = line.value("rungs", std::size_t{0}),
                      .rung_title = line.value("rung_title", ""),
                      .failing = line.value("failing", std::vector<std::string>{}),
                      .mistake = line.value("mistake", "")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

void log_attempt(const StudentView& shown, Instant at) {
  const fs::path file = log_of(shown.grade.lab);
  if (file.empty()) return;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return;
  // In one write, so that checks at the same time do not mix their lines.
  const std::string line =
      to_json(shown, at).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  [[maybe_unused]] const ssize_t written = ::write(fd, line.data(), line.size());
  ::close(fd);
}

std::vector<OwnAttempt> attempts_at(const std::string& lab) {
  const fs::path file = log_of(lab);
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return {};
  std::vector<OwnAttempt> attempts;
  try {
    const std::string text = read_file(file);
    for (const std::string_view line : split_lines(text)) {
      if (std::optional<OwnAttempt> attempt = attempt_in(line)) attempts.push_back(*attempt);
    }
  } catch (const UsageError&) {
    return {};
  }
  return attempts;
}

const OwnAttempt* best_of(const std::vector<OwnAttempt>& attempts) {
  const OwnAttempt* best = nullptr;
  for (const OwnAttempt& attempt : attempts) {
    if (best == nullptr || attempt.points >= best->points) best = &attempt;
  }
  return best;
}

}  // namespace warpgrade
