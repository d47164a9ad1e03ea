#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/class/table/gradebook.h"
#include "grader/submit/course/late.h"

namespace warpgrade {

/// One grade in an earlier class table. Points are -1 if there is no score.
struct EarlierGrade {
  std::map<std::string, double> points;  // by category's slug
  double raw = -1;
  double adjusted = -1;  // after penalties; the raw score if there was no due date
  double max = 0;
  int late_days = 0;
};

/// By student, in printable form, and lab.
using EarlierGrades = std::map<std::pair<std::string, std::string>, EarlierGrade>;

/// Reads <out>/grades.json of an earlier run; nothing if there is none, or it is damaged.
[[nodiscard]] EarlierGrades read_earlier_grades(const std::filesystem::path& out);

/// The grades of a gradebook, as read_earlier_grades() would read them from its table.
/// @param standings  of the rows; one each
[[nodiscard]] EarlierGrades earlier_grades(const Gradebook& book,
                                           const std::vector<Standing>& standings);

/// The earlier row of a grade with its items and environment; nothing if it is not known.
using EarlierRow = std::function<std::optional<GradeRow>(const GradeRow& now)>;

/// Reads it from <out>/<student>/<lab>/grade.json, as long as that has not been overwritten.
[[nodiscard]] EarlierRow earlier_rows_in(const std::filesystem::path& out);

/// A grade that has changed.
struct GradeChange {
  std::string student;
  std::string lab;
  std::string before;  // "80 / 100", "none"
  std::string after;
  double difference = 0;  // of the points that count
  std::string why;  // "correctness 45 to 50, 1 day late"
  // If the earlier row is known:
  std::vector<std::string> items;  // "correctness/n257: 0 of 4 to 4 of 4"
  /// What it was graded with that differs: "the lab's files or data, the compiler (nvcc 13.0
  /// instead of nvcc 12.9)".
  std::string cause;
};

struct GradeChanges {
  std::vector<GradeChange> rows;  // in the order of the gradebook
  std::size_t compared = 0;  // grades with an earlier one
  std::size_t fresh = 0;  // grades without an earlier one
};

/// @param standings    of the rows; one each
/// @param earlier_row  is asked for grades that have changed; may be empty
[[nodiscard]] GradeChanges changes_of(const EarlierGrades& before, const Gradebook& book,
                                      const std::vector<Standing>& standings,
                                      const EarlierRow& earlier_row = {});

/// "12 of 30 grades change: 7 up, 5 down; 2 new"
[[nodiscard]] std::string changes_total(const GradeChanges& changes);

/// A table for a terminal: each student's grade before and now, with its items and the cause if
/// these are known, and a line with the totals.
/// @param most  rows; the rest is counted
[[nodiscard]] std::string changes_text(const GradeChanges& changes, std::size_t most);

}  // namespace warpgrade
