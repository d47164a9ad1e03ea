#include "grader/class/table/changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr double kNone = -1;
constexpr double kSame = 1e-6;  // points are written with six digits
constexpr std::size_t kWidestName = 32;

bool differs(double a, double b) {
  return std::abs(a - b) > kSame;
}

EarlierGrade read_one(const nlohmann::json& row) {
  EarlierGrade grade;
  // With items graded by hand; an earlier version, or a class without a course, has none.
  const double max = row.value("max", 0.0);
  grade.max = max > 0 ? max : row.at("max_score").get<double>();
  if (row.at("status") != "error") grade.raw = row.at("score");
  grade.adjusted = grade.raw;
  // Null if there is no score that may be exported.
  if (const auto it = row.find("adjusted"); it != row.end()) {
    grade.adjusted = it->is_null() ? kNone : it->get<double>();
    grade.late_days = it->is_null() ? 0 : row.at("late_days").get<int>();
  }
  for (const auto& [category, points] : row.at("points").items()) {
    grade.points[category] = points;
  }
  return grade;
}

EarlierGrade grade_now(const GradeRow& row, const Standing& standing) {
  EarlierGrade grade;
  grade.max = standing.max > 0 ? standing.max : row.max_score;
  if (row.status != GradeStatus::error) grade.raw = row.score;
  grade.adjusted = standing.counts() ? standing.adjusted : kNone;
  grade.late_days = standing.counts() ? standing.late_days : 0;
  for (const auto& [category, points] : row.points) {
    grade.points[std::string(slug(category))] = points;
  }
  return grade;
}

std::string score_of(const EarlierGrade& grade) {
  return grade.adjusted < 0
             ? "none"
             : fmt::format("{} / {}", human_points(grade.adjusted), human_points(grade.max));
}

std::string days_late(int days) {
  return days == 0 ? "not late" : plural(days, "day") + " late";
}

std::string reasons(const EarlierGrade& before, const EarlierGrade& after) {
  std::string why;
  const auto add = [&](const std::string& reason) { why += (why.empty() ? "" : ", ") + reason; };
  if (before.raw < 0 && after.raw >= 0) add("could not be graded before");
  if (before.raw >= 0 && after.raw < 0) add("could not be graded now");
  for (const Category category : kCategories) {
    const std::string name(slug(category));
    const auto a = before.points.find(name);
    const auto b = after.points.find(name);
    if (before.raw >= 0 && after.raw >= 0 && a != before.points.end() && b != after.points.end() &&
        differs(a->second, b->second)) {
      add(fmt::format("{} {} to {}", name, human_points(a->second), human_points(b->second)));
    }
  }
  if (differs(before.max, after.max)) {
    add(fmt::format("of {} instead of {}", human_points(after.max), human_points(before.max)));
  }
  if (before.late_days != after.late_days) {
    add(fmt::format("{} instead of {}", days_late(after.late_days), days_late(before.late_days)));
  } else if (after.late_days > 0 &&
             differs(before.raw - before.adjusted, after.raw - after.adjusted)) {
    add(fmt::format("penalty {} to {}", human_points(before.raw - before.adjusted),
                    human_points(after.raw - after.adjusted)));
  }
  return why;
}

}  // namespace

EarlierGrades read_earlier_grades(const fs::path& out) {
  EarlierGrades grades;
  std::error_code error;
  const fs::path file = out / "grades.json";
  if (!fs::exists(file, error)) {
    return grades;
  }
  try {
    const auto document = nlohmann::json::parse(read_file(file));
    for (const auto& row : document.at("grades")) {
      grades.emplace(std::pair(row.at("student").get<std::string>(), row.at("lab")), read_one(row));
    }
  } catch (const nlohmann::json::exception&) {
    return {};
  } catch (const UsageError&) {
    return {};
  }
  return grades;
}

GradeChanges changes_of(const EarlierGrades& before, const Gradebook& book,
                        const std::vector<Standing>& standings) {
  GradeChanges changes;
  for (std::size_t i = 0; i < book.rows.size(); ++i) {
    const GradeRow& row = book.rows[i];
    const auto it = before.find({printable(row.student), row.lab});
    if (it == before.end()) {
      ++changes.fresh;
      continue;
    }
    ++changes.compared;
    const EarlierGrade now = grade_now(row, standings.at(i));
    const EarlierGrade& then = it->second;
    if (!differs(then.adjusted, now.adjusted) && !differs(then.raw, now.raw) &&
        !differs(then.max, now.max)) {
      continue;
    }
    // The points of a person: the calculation says who and why.
    const bool is_decided = standings.at(i).counts() && differs(standings.at(i).raw, row.score);
    const std::string why = is_decided ? "" : reasons(then, now);
    changes.rows.push_back(
        {.student = row.student,
         .lab = row.lab,
         .before = score_of(then),
         .after = score_of(now),
         .difference = then.adjusted < 0 || now.adjusted < 0 ? 0 : now.adjusted - then.adjusted,
         .why = why.empty() ? standings.at(i).because : why});
  }
  return changes;
}

std::string changes_text(const GradeChanges& changes, std::size_t most) {
  std::size_t student_width = 7;
  std::size_t lab_width = 3;
  for (const GradeChange& row : changes.rows) {
    student_width = std::max(student_width, std::min(one_line(row.student).size(), kWidestName));
    lab_width = std::max(lab_width, row.lab.size());
  }
  std::string text;
  const std::size_t shown = std::min(most, changes.rows.size());
  if (shown > 0) {
    text += fmt::format("{:<{}}  {:<{}}  {:>11}  {:>11}  {:>7}  {}\n", "student", student_width,
                        "lab", lab_width, "before", "after", "change", "why");
  }
  std::size_t up = 0;
  std::size_t down = 0;
  for (std::size_t i = 0; i < changes.rows.size(); ++i) {
    const GradeChange& row = changes.rows[i];
    up += row.difference > 0 ? 1 : 0;
    down += row.difference < 0 ? 1 : 0;
    if (i < shown) {
      text += fmt::format(
          "{:<{}}  {:<{}}  {:>11}  {:>11}  {:>7}  {}\n", one_line(row.student), student_width,
          row.lab, lab_width, row.before, row.after,
          fmt::format("{}{}", row.difference > 0 ? "+" : "", human_points(row.difference)),
          row.why);
    }
  }
  if (shown < changes.rows.size()) {
    text += fmt::format("... and {} more\n", changes.rows.size() - shown);
  }
  text += fmt::format("{} of {} grades change: {} up, {} down", changes.rows.size(),
                      changes.compared, up, down);
  return text + (changes.fresh > 0 ? fmt::format("; {} new\n", changes.fresh) : "\n");
}

}  // namespace warpgrade
