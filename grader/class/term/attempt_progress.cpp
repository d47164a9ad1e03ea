#include "grader/class/term/attempt_progress.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "grader/class/grading/student_page.h"
#include "grader/core/error.h"
#include "grader/record/grade/grade_json.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

bool has_page(const std::string& mistake) {
  return mistake.starts_with("P");
}

MadeAttempt attempt_of(const Grade& grade) {
  std::string problem;
  return {.number = grade.attempt,
          .at = parse_instant(grade.started, problem),
          .mistake = grade.pitfall,
          .complete = grade.passed()};
}

}  // namespace

std::map<std::string, HintUse> hint_use(const std::vector<MadeAttempt>& attempts) {
  std::map<std::string, HintUse> uses;
  for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
    const std::string& mistake = attempts[i].mistake;
    if (mistake.empty()) continue;
    HintUse& use = uses[has_page(mistake) ? mistake : "other"];
    ++use.named;
    use.followed += attempts[i + 1].mistake != mistake ? 1 : 0;
  }
  return uses;
}

HintUse sum_of(const std::map<std::string, HintUse>& uses) {
  HintUse sum;
  for (const auto& [mistake, use] : uses) sum += use;
  return sum;
}

std::optional<WayToFullMarks> way_to_full_marks(const std::vector<MadeAttempt>& attempts) {
  const auto complete = [](const MadeAttempt& attempt) { return attempt.complete; };
  const auto first = std::find_if_not(attempts.begin(), attempts.end(), complete);
  const auto last = std::find_if(first, attempts.end(), complete);
  if (first == attempts.end() || last == attempts.end()) return std::nullopt;
  WayToFullMarks way{.attempts = static_cast<std::size_t>(last - first) + 1};
  if (first->at && last->at && *last->at > *first->at) {
    way.hours = std::chrono::duration<double, std::ratio<3600>>(*last->at - *first->at).count();
  }
  return way;
}

void AttemptProgress::add(const std::vector<MadeAttempt>& own) {
  hints += sum_of(hint_use(own));
  if (const std::optional<WayToFullMarks> way = way_to_full_marks(own)) {
    attempts.push_back(static_cast<double>(way->attempts));
    if (way->hours) hours.push_back(*way->hours);
  }
  for (const MadeAttempt& attempt : own) {
    if (!attempt.at || !has_page(attempt.mistake)) continue;
    ++pitfalls[std::chrono::floor<std::chrono::hours>(*attempt.at)][attempt.mistake];
  }
}

std::vector<MadeAttempt> graded_attempts(const Grade& grade, const fs::path& folder) {
  std::vector<MadeAttempt> found = {attempt_of(grade)};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / kAttemptsFolder, error)) {
    const fs::path file = entry.path() / "grade.json";
    if (!fs::exists(file, error)) continue;
    try {
      const Grade other = read_grade(file);
      if (other.attempt != grade.attempt) found.push_back(attempt_of(other));
    } catch (const UsageError&) {
      continue;  // damaged, as the student's page says
    }
  }
  std::sort(found.begin(), found.end(),
            [](const MadeAttempt& a, const MadeAttempt& b) { return a.number < b.number; });
  return found;
}

void set_submitted(std::vector<MadeAttempt>& attempts, const SubmissionLog& log,
                   const std::string& student, const std::string& lab) {
  for (MadeAttempt& attempt : attempts) {
    const auto submitted = log.find(student, lab, attempt.number).submitted;
    if (submitted) attempt.at = submitted;
  }
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace warpgrade
