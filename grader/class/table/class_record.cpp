#include "grader/class/table/class_record.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "grader/core/error.h"

namespace warpgrade {
namespace fs = std::filesystem;
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

namespace {

/// The percentages of the labs that count, without the lowest.
struct LabShare {
  double percent = 0;
  double weight = 0;
  bool bonus = false;
};

/// Leaves one at least. A bonus costs nothing, and is not dropped.
void drop_lowest(std::vector<LabShare>& parts, int count) {
  const auto lower = [](const LabShare& a, const LabShare& b) {
    return std::pair(a.bonus, a.percent) < std::pair(b.bonus, b.percent);
  };
  auto left = std::ranges::count_if(parts, [](const LabShare& part) { return !part.bonus; });
  for (; count > 0 && left > 1; --count, --left) {
    parts.erase(std::min_element(parts.begin(), parts.end(), lower));
  }
}

}  // namespace

std::vector<CourseTotal> course_totals(const ClassRecord& record, const Gradebook& book) {
  const Course& course = record.course;
  std::set<std::string> labs;
  for (const auto& [id, plan] : course.labs) labs.insert(id);
  for (const GradeRow& row : book.rows) labs.insert(row.lab);
  std::map<std::string, std::map<std::string, Standing>> by_student;
  for (const RosterEntry& entry : course.roster.entries) by_student[entry.student];
  for (const GradeRow& row : book.rows) by_student[row.student][row.lab] = record.standing(row);

  std::vector<CourseTotal> totals;
  for (const auto& [student, standings] : by_student) {
    CourseTotal total{.student = student, .percent = 0, .weight = 0, .without = {}};
    std::vector<LabShare> parts;
    for (const std::string& lab : labs) {
      const LabPlan plan = course.plan(lab);
      const auto it = standings.find(lab);
      const bool excused = (it != standings.end() && it->second.excused) ||
                           course.decisions.current(DecisionKind::excuse, student, lab) != nullptr;
      if (excused) continue;
      if (it == standings.end() || !it->second.counts()) {
        if (plan.weight > 0 && !plan.bonus) total.without.push_back(lab);
        continue;
      }
      const double max = it->second.max;
      if (max <= 0 || plan.weight <= 0) continue;
      parts.push_back(
          {.percent = 100 * it->second.adjusted / max, .weight = plan.weight, .bonus = plan.bonus});
    }
    drop_lowest(parts, course.drop_lowest);
    for (const LabShare& part : parts) {
      total.percent += part.weight * part.percent;
      total.weight += part.bonus ? 0 : part.weight;
    }
    total.percent = total.weight > 0 ? on_curve(course.curve, total.percent / total.weight) : 0;
    totals.push_back(std::move(total));
  }
  return totals;
}

}  // namespace warpgrade
