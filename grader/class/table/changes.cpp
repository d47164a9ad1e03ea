#include "grader/class/table/changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr double kNone = -1;
constexpr std::size_t kWidestName = 32;

bool differs(double a, double b) {
  return std::abs(a - b) > kSamePoints;
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

EarlierGrade grade_of(const GradeRow& row, const Standing& standing) {
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

std::string item_points(const ItemRow* item) {
  return item == nullptr
             ? "none"
             : fmt::format("{} of {}", human_points(item->points), human_points(item->max_points));
}

/// Items whose points differ, or that one of the rows lacks.
std::vector<std::string> changed_items(const GradeRow& before, const GradeRow& after) {
  std::vector<std::string> changed;
  const auto find = [](const GradeRow& row, const std::string& id) {
    const auto it = std::find_if(row.items.begin(), row.items.end(),
                                 [&](const ItemRow& item) { return item.id == id; });
    return it == row.items.end() ? nullptr : &*it;
  };
  const auto compare = [&](const std::string& id) {
    const ItemRow* a = find(before, id);
    const ItemRow* b = find(after, id);
    const bool same = a != nullptr && b != nullptr && !differs(a->points, b->points) &&
                      !differs(a->max_points, b->max_points);
    if (!same) changed.push_back(fmt::format("{}: {} to {}", id, item_points(a), item_points(b)));
  };
  for (const ItemRow& item : after.items) compare(item.id);
  for (const ItemRow& item : before.items) {
    if (find(after, item.id) == nullptr) compare(item.id);
  }
  return changed;
}

/// What a key of `environment` in grade.json stands for, and whether its values are for people.
struct EnvironmentPart {
  const char* key;
  const char* words;
  bool is_readable;
};
constexpr EnvironmentPart kEnvironmentParts[] = {
    {"submission", "the submission", false},
    {"lab", "the lab's files or data", false},
    {"warpgrade", "the version of warpgrade", true},
    {"build", "the build of warpgrade", false},
    {"compiler", "the compiler", true},
    {"device", "the device", true},
    {"sandbox", "the sandbox", true},
    {"secret", "the course's secret", false},
    {"profile", "the use of --profile", false},
};

std::string cause_of(const GradeRow& before, const GradeRow& after) {
  std::string cause;
  for (const EnvironmentPart& part : kEnvironmentParts) {
    const auto value = [&](const GradeRow& row) {
      const auto it = row.environment.find(part.key);
      return it == row.environment.end() ? std::string() : it->second;
    };
    const std::string a = value(before), b = value(after);
    if (a == b) continue;
    cause += (cause.empty() ? "" : ", ") + std::string(part.words);
    if (part.is_readable && !a.empty() && !b.empty()) {
      cause += fmt::format(" ({} instead of {})", printable(b), printable(a));
    }
  }
  return cause.empty() ? "nothing that it was graded with; two runs differ" : cause;
}

}  // namespace

EarlierRow earlier_rows_in(const fs::path& out) {
  return [out](const GradeRow& now) -> std::optional<GradeRow> {
    try {
      return row_of(read_grade(out / grade_folder(now.student, now.lab) / "grade.json"));
    } catch (const UsageError&) {
      return std::nullopt;
    }
  };
}

EarlierGrades earlier_grades(const Gradebook& book, const std::vector<Standing>& standings) {
  EarlierGrades grades;
  for (std::size_t i = 0; i < book.rows.size(); ++i) {
    const GradeRow& row = book.rows[i];
    grades.emplace(std::pair(printable(row.student), row.lab), grade_of(row, standings.at(i)));
  }
  return grades;
}

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
                        const std::vector<Standing>& standings, const EarlierRow& earlier_row) {
  GradeChanges changes;
  for (std::size_t i = 0; i < book.rows.size(); ++i) {
    const GradeRow& row = book.rows[i];
    const auto it = before.find({printable(row.student), row.lab});
    if (it == before.end()) {
      ++changes.fresh;
      continue;
    }
    ++changes.compared;
    const EarlierGrade now = grade_of(row, standings.at(i));
    const EarlierGrade& then = it->second;
    if (!differs(then.adjusted, now.adjusted) && !differs(then.raw, now.raw) &&
        !differs(then.max, now.max)) {
      continue;
    }
    // The points of a person: the calculation says who and why. So does it where a grade has no
    // score although the grader gave points.
    const bool is_decided = standings.at(i).counts() ? differs(standings.at(i).raw, row.score)
                                                     : row.status == GradeStatus::graded;
    const std::string why = is_decided ? "" : reasons(then, now);
    changes.rows.push_back(
        {.student = row.student,
         .lab = row.lab,
         .before = score_of(then),
         .after = score_of(now),
         .difference = then.adjusted < 0 || now.adjusted < 0 ? 0 : now.adjusted - then.adjusted,
         .why = why.empty() ? standings.at(i).because : why,
         .items = {},
         .cause = {}});
    const std::optional<GradeRow> earlier = earlier_row ? earlier_row(row) : std::nullopt;
    if (!earlier) continue;
    changes.rows.back().items = changed_items(*earlier, row);
    changes.rows.back().cause = cause_of(*earlier, row);
  }
  return changes;
}

std::string changes_total(const GradeChanges& changes) {
  std::size_t up = 0;
  std::size_t down = 0;
  for (const GradeChange& row : changes.rows) {
    up += row.difference > 0 ? 1 : 0;
    down += row.difference < 0 ? 1 : 0;
  }
  return fmt::format("{} of {} grades change: {} up, {} down", changes.rows.size(),
                     changes.compared, up, down) +
         (changes.fresh > 0 ? fmt::format("; {} new", changes.fresh) : "");
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
  for (std::size_t i = 0; i < shown; ++i) {
    const GradeChange& row = changes.rows[i];
    text += fmt::format(
        "{:<{}}  {:<{}}  {:>11}  {:>11}  {:>7}  {}\n", one_line(row.student), student_width,
        row.lab, lab_width, row.before, row.after,
        fmt::format("{}{}", row.difference > 0 ? "+" : "", human_points(row.difference)), row.why);
    for (const std::string& item : row.items) text += fmt::format("    {}\n", item);
    if (!row.cause.empty()) text += fmt::format("    changed: {}\n", row.cause);
  }
  if (shown < changes.rows.size()) {
    text += fmt::format("... and {} more\n", changes.rows.size() - shown);
  }
  return text + changes_total(changes) + "\n";
}

}  // namespace warpgrade
