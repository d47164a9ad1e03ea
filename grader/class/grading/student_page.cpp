#include "grader/class/grading/student_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "grader/class/grading/watched.h"
#include "grader/core/error.h"
#include "grader/core/instant.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"
#include "grader/show/report/feedback_page.h"
#include "grader/show/report/parameter_order.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

Attempt attempt_under(const ClassRecord& record, const StudentView& shown) {
  Attempt attempt = attempt_of(shown);
  const Grade& grade = shown.grade;
  if (const auto at = record.log.find(grade.student, grade.lab, grade.attempt).submitted) {
    attempt.when = instant_text(*at);
  }
  if (const Standing standing = record.standing(row_of(grade)); standing.counts()) {
    attempt.penalty = standing.penalty;
  }
  return attempt;
}

/// The number of a folder in attempts/; 0 for anything else in there.
int number_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const bool digits =
      !name.empty() && name.size() < 6 &&
      std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::stoi(name) : 0;
}

/// What persons decided. The points that count would give away those of hidden cases.
StaffView staff_view(const Grade& grade, const ClassRecord& record, bool released) {
  StaffView staff;
  staff.decisions = record.course.decisions.about(grade.student, grade.lab);
  const Standing standing = record.standing(row_of(grade));
  if (released && standing.counts() && !staff.decisions.empty()) {
    staff.counts = fmt::format("{} of {}: {}", human_points(standing.adjusted),
                               human_points(standing.max), standing.because);
  }
  return staff;
}

}  // namespace

std::string student_page(const fs::path& out, const Grade& grade, const ClassRecord& record,
                         const Installation& installation, Reader reader) {
  const bool staff = reader == Reader::staff;
  const bool released = staff || record.course.released(grade.lab, grade.student, now_utc());
  const bool answers = staff || record.course.answers_released(grade.lab, grade.student, now_utc());
  const std::string release = record.course.release_text(grade.lab, grade.student);
  StudentView shown = student_view(grade, released, release, answers);
  shown.parameters = parameter_order(installation, grade.lab);
  std::vector<Attempt> attempts = {attempt_under(record, shown)};
  attempts.back().counts = true;
  std::error_code error;
  const fs::path folder = out / grade_folder(grade.student, grade.lab);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / kAttemptsFolder, error)) {
    const int number = number_of(entry.path());
    const fs::path file = entry.path() / "grade.json";
    if (number == 0 || number == grade.attempt || !fs::exists(file, error)) {
      continue;
    }
    try {
      const Grade other = read_grade(file);
      attempts.push_back(attempt_under(record, student_view(other, released, release)));
    } catch (const UsageError&) {
      attempts.push_back({.number = number,
                          .when = "",
                          .max_score = grade.max_score(),
                          .note = "Its grade.json is damaged; grade it again."});
    }
  }
  std::sort(attempts.begin(), attempts.end(),
            [](const Attempt& a, const Attempt& b) { return a.number < b.number; });
  return feedback_page(shown, attempts, installation, staff_view(grade, record, released),
                       kept_watched_case(folder, grade.attempt));
}

std::string page_state(const GradeRow& row, const ClassRecord& record, Instant now) {
  const Course& course = record.course;
  std::string state = fmt::format("{}\n{}\n{}{}\n", record.standing(row).because,
                                  course.release_text(row.lab, row.student),
                                  course.released(row.lab, row.student, now),
                                  course.answers_released(row.lab, row.student, now));
  for (const Decision* decision : course.decisions.about(row.student, row.lab)) {
    state += decision_text(*decision);
  }
  return state;
}

std::optional<Grade> grade_of_attempt(const fs::path& out, const std::string& student,
                                      const std::string& lab, int attempt) {
  const fs::path folder = out / grade_folder(student, lab);
  std::error_code error;
  for (const fs::path& file :
       {folder / "grade.json", folder / kAttemptsFolder / std::to_string(attempt) / "grade.json"}) {
    if (!fs::exists(file, error)) continue;
    Grade grade = read_grade(file);
    if (grade.attempt == attempt) return grade;
  }
  return std::nullopt;
}

void keep_earlier_attempt(const fs::path& folder, int attempt) {
  const fs::path file = folder / "grade.json";
  std::error_code error;
  if (attempt <= 1 || !fs::exists(file, error)) {
    return;  // there is none before the first
  }
  int earlier = 0;
  try {
    earlier = read_grade(file).attempt;
  } catch (const UsageError&) {
    return;  // damaged: it is overwritten
  }
  const fs::path kept = folder / kAttemptsFolder / std::to_string(earlier) / "grade.json";
  if (earlier < attempt && !fs::exists(kept, error)) {
    fs::create_directories(kept.parent_path(), error);
    fs::rename(file, kept, error);  // if it cannot be kept, it is overwritten
  }
}

}  // namespace warpgrade
