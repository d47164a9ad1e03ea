#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/class_table/gradebook.h"
#include "grader/course/late.h"

namespace warpgrade {

/// What a class table said of one grade. Points are -1 where there is no score.
struct EarlierGrade {
  std::map<std::string, double> points;  // by category's slug
  double raw = -1;
  double adjusted = -1;  // after penalties; raw where nothing was due
  double max = 0;
  int late_days = 0;
};

/// By student, as it is printed, and lab.
using EarlierGrades = std::map<std::pair<std::string, std::string>, EarlierGrade>;

/// Reads <out>/grades.json as an earlier run has left it; nothing where there is none, or it is
/// damaged.
[[nodiscard]] EarlierGrades read_earlier_grades(const std::filesystem::path& out);

/// One grade that is not what it was.
struct GradeChange {
  std::string student;
  std::string lab;
  std::string before;  // "80 / 100", "none"
  std::string after;
  double difference = 0;  // of what counts
  std::string why;  // "correctness 45 to 50, 1 day late"
};

struct GradeChanges {
  std::vector<GradeChange> rows;  // in the order of the book
  std::size_t compared = 0;  // grades that were there before
  std::size_t fresh = 0;  // that were not
};

/// @param standings  of the rows; one each
[[nodiscard]] GradeChanges changes_of(const EarlierGrades& before, const Gradebook& book,
                                      const std::vector<Standing>& standings);

/// A table for a terminal: who gets what instead of what, and a line that counts them.
/// @param most  rows; the rest is counted
[[nodiscard]] std::string changes_text(const GradeChanges& changes, std::size_t most);

}  // namespace warpgrade
