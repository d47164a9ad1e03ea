#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/submit/course/late.h"

namespace warpgrade {

/// <out>/submissions.json: how and when each submission arrived, and the course's rules. Separate
/// from the grades, so that a due date can be moved without grading again.
struct SubmissionLog {
  std::filesystem::path course;  // absolute; empty if the class was graded without
  std::string layout;  // "folders", "canvas", ...
  std::map<std::tuple<std::string, std::string, int>, SubmissionRecord> records;

  void add(SubmissionRecord record);
  /// A record without a time if there is none.
  [[nodiscard]] SubmissionRecord find(const std::string& student, const std::string& lab,
                                      int attempt) const;
  /// The attempt whose grade counts; where none is known to, the last one.
  [[nodiscard]] SubmissionRecord counting(const std::string& student, const std::string& lab) const;
  /// Marks the attempt whose grade counts, and none beside it.
  /// @return whether that was not known
  bool set_counting(const std::string& student, const std::string& lab, int attempt);

 private:
  using Records = std::map<std::tuple<std::string, std::string, int>, SubmissionRecord>;
  /// All attempts of a student at a lab.
  [[nodiscard]] std::pair<Records::const_iterator, Records::const_iterator> attempts_at(
      const std::string& student, const std::string& lab) const;
};

/// An empty log if the folder has none.
/// @throws UsageError  if it is damaged
[[nodiscard]] SubmissionLog read_submission_log(const std::filesystem::path& out);

/// The log of earlier runs in a results folder with what this one adds: a class may be graded lab
/// by lab into one folder.
[[nodiscard]] SubmissionLog with_earlier_runs(const std::filesystem::path& out, SubmissionLog log);

/// Adds to the log of earlier runs.
/// @throws EnvironmentError  if it cannot be written
void write_submission_log(const std::filesystem::path& out, const SubmissionLog& log);

/// The file that course.toml names as `submitted`: CSV with columns student, submitted and, where
/// they differ, lab and attempt.
class SubmittedTable {
 public:
  SubmittedTable() = default;
  /// @throws LabError  "submitted.csv:3: what; what to do"
  SubmittedTable(const Course& course, std::string_view text, const std::string& shown);

  /// The most specific line wins: with attempt and lab, with lab, with neither.
  [[nodiscard]] std::optional<Instant> find(const std::string& student, const std::string& lab,
                                            int attempt) const;

 private:
  std::map<std::tuple<std::string, std::string, int>, Instant> times_;
};

/// Reads the course's table, if it has one.
[[nodiscard]] SubmittedTable read_submitted_table(const Course& course);

}  // namespace warpgrade
