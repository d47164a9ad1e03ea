#include "grader/class_table/class_record.h"

#include <fmt/core.h>

#include <map>
#include <set>
#include <system_error>

#include "grader/core/error.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Why a grade has no score that may be exported, or empty.
std::string why_withheld(const GradeRow& row) {
  switch (row.status) {
    case GradeStatus::graded:
      return {};
    case GradeStatus::partial:
      return "some points could not be assessed on this machine; grade it again on one that can";
    case GradeStatus::error:
      break;
  }
  return "the grader failed, not the student; grade it again with --resume";
}

}  // namespace

Standing ClassRecord::standing(const GradeRow& row) const {
  if (const std::string why = why_withheld(row); !why.empty()) {
    Standing none;
    none.withheld = why;
    none.max = row.max_score;
    none.because = why;
    return none;
  }
  return apply_late_policy(course, log.find(row.student, row.lab, row.attempt), row.score,
                           row.max_score);
}

std::vector<Standing> ClassRecord::standings(const Gradebook& book) const {
  std::vector<Standing> all;
  for (const GradeRow& row : book.rows) {
    all.push_back(standing(row));
  }
  return all;
}

std::string ClassRecord::shown_name(const std::string& student) const {
  const RosterEntry* entry = course.roster.find(student);
  return entry == nullptr ? student : entry->shown_name();
}

ClassRecord load_class_record(const fs::path& out, const fs::path& course_file) {
  ClassRecord record;
  record.log = read_submission_log(out);
  const fs::path file = course_file.empty() ? record.log.course : course_file;
  if (file.empty()) {
    return record;
  }
  std::error_code error;
  if (course_file.empty() && !fs::exists(file, error)) {
    throw UsageError(fmt::format(
        "{}, which was used for these grades, no longer exists; give the course file with --course",
        file.string()));
  }
  record.course = load_course(file, {});
  return record;
}

std::vector<CourseTotal> course_totals(const ClassRecord& record, const Gradebook& book) {
  std::set<std::string> labs;
  for (const auto& [id, plan] : record.course.labs) labs.insert(id);
  for (const GradeRow& row : book.rows) labs.insert(row.lab);
  std::map<std::string, std::map<std::string, Standing>> by_student;
  for (const RosterEntry& entry : record.course.roster.entries) by_student[entry.student];
  for (const GradeRow& row : book.rows) by_student[row.student][row.lab] = record.standing(row);

  std::vector<CourseTotal> totals;
  for (const auto& [student, standings] : by_student) {
    CourseTotal total{.student = student, .percent = 0, .weight = 0, .without = {}};
    for (const std::string& lab : labs) {
      const double weight = record.course.plan(lab).weight;
      const auto it = standings.find(lab);
      if (it == standings.end() || !it->second.counts()) {
        if (weight > 0) total.without.push_back(lab);
        continue;
      }
      const double max = it->second.max;
      total.percent += max > 0 ? weight * 100 * it->second.adjusted / max : 0;
      total.weight += max > 0 ? weight : 0;
    }
    total.percent = total.weight > 0 ? total.percent / total.weight : 0;
    totals.push_back(std::move(total));
  }
  return totals;
}

}  // namespace warpgrade
