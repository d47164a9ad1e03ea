#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
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

/// A grade that has changed.
struct GradeChange {
  std::string student;
  std::string lab;
  std::string before;  // "80 / 100", "none"
  std::string after;
  double difference = 0;  // of the points that count
  std::string why;  // "correctness 45 to 50, 1 day late"
};

struct GradeChanges {
  std::vector<GradeChange> rows;  // in the order of the gradebook
  std::size_t compared = 0;  // grades with an earlier one
  std::size_t fresh = 0;  // grades without an earlier one
};

/// @param standings  of the rows; one each
[[nodiscard]] GradeChanges changes_of(const EarlierGrades& before, const Gradebook& book,
                                      const std::vector<Standing>& standings);

/// A table for a terminal: each student's grade before and now, and a line with the totals.
/// @param most  rows; the rest is counted
[[nodiscard]] std::string changes_text(const GradeChanges& changes, std::size_t most);

}  // namespace warpgrade
