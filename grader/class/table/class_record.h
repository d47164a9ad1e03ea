#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/class/table/gradebook.h"
#include "grader/submit/course/submission_log.h"

namespace warpgrade {

/// A graded class under its course's rules: what reports and exports are made from.
struct ClassRecord {
  Course course;
  SubmissionLog log;

  /// The points of a grade: its items with what persons decided about them, the late policy, the
  /// lab's curve; or what a person set.
  [[nodiscard]] Standing standing(const GradeRow& row) const;
  /// Of the budget of late days, what labs that were due earlier have left for this one.
  [[nodiscard]] int free_days_left(const GradeRow& row) const;
  /// With a row for each student who got points by hand and submitted nothing.
  [[nodiscard]] Gradebook with_hand_grades(Gradebook book) const;
  /// The decisions about labs that nobody's grade is for, and about items that a lab does not have;
  /// one line each, for a list that says so.
  /// @param book  with_hand_grades()
  [[nodiscard]] std::string without_effect(const Gradebook& book) const;
  /// One per row of `book`.
  [[nodiscard]] std::vector<Standing> standings(const Gradebook& book) const;
  [[nodiscard]] std::string shown_name(const std::string& student) const;
};

/// Reads the log of a results folder, and the course file that it names.
/// @param course_file  instead of the one used for grading; empty: that one
/// @throws UsageError, LabError  if one of them is missing or invalid
[[nodiscard]] ClassRecord load_class_record(const std::filesystem::path& out,
                                            const std::filesystem::path& course_file);

/// A student's result over the labs, by the course's weights.
struct CourseTotal {
  std::string student;
  double percent = 0;  // of the labs that count
  double weight = 0;  // of these; 0: there is no percentage
  std::vector<std::string> without;  // labs with a weight and no score yet
};
[[nodiscard]] std::vector<CourseTotal> course_totals(const ClassRecord& record,
                                                     const Gradebook& book);

}  // namespace warpgrade
