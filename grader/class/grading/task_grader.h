#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "grader/class/grading/class_work.h"
#include "grader/class/grading/evidence_cache.h"
#include "grader/class/grading/grading.h"
#include "grader/run/session/built_submission.h"
#include "grader/show/report/watched_case.h"

namespace warpgrade {

/// Grades of an earlier run in a results folder that are still valid.
class KeptGrades {
 public:
  /// @param keeps  the cache outlives the run
  KeptGrades(const ClassOptions& options, const Installation& installation, const ClassWork& work,
             bool keeps)
      : options_(options), installation_(installation), work_(work), keeps_(keeps) {}

  /// The row of an earlier run's grade, if nothing that it depends on has changed. Pages that show
  /// other decisions, due dates or releases than those of now are written again.
  [[nodiscard]] std::optional<GradeRow> row(const Task& task, const Submission& submission) const;

  /// The grade of an earlier run in this folder, if nothing that it depends on has changed.
  [[nodiscard]] std::optional<Grade> grade(const LabSession& session, const Submission& submission,
                                           const std::filesystem::path& folder) const;

 private:
  /// Writes the pages of a task's students.
  /// @return false if one of their grades is damaged
  [[nodiscard]] bool write_pages(const Task& task) const;

  const ClassOptions& options_;
  const Installation& installation_;
  const ClassWork& work_;
  bool keeps_;
};

/// Whether several attempts of this student must be graded to find the one that counts.
[[nodiscard]] bool counts_best(const ClassWork& work, const Task& task);

/// The row of a task's grade, and one for each other student of the group.
[[nodiscard]] std::vector<GradeRow> rows_for_group(const GradeRow& row, const Task& task);

/// Grades single tasks and writes each grade; thread-safe.
class TaskGrader {
 public:
  /// @param note  gets messages for the user
  TaskGrader(const ClassOptions& options, const Installation& installation, const ClassWork& work,
             const KeptGrades& kept, EvidenceCache& cache,
             std::function<void(const std::string&)> note)
      : options_(options),
        installation_(installation),
        work_(work),
        kept_(kept),
        note_(note),
        grading_(work.secret, cache, std::move(note)) {}

  /// @param case_jobs  cases of it that run at the same time
  [[nodiscard]] GradeRow grade(const Task& task, std::size_t case_jobs);

 private:
  GradeRow grade_attempts(const Task& task, std::size_t case_jobs);
  /// @param built  gets the build, unless cached evidence suffices
  Grade grade_picked(LabSession& session, const Picked& picked, std::size_t case_jobs,
                     BuiltSubmission& built);
  [[nodiscard]] WatchedCase watched(LabSession& session, const Picked& picked, const Grade& grade,
                                    BuiltSubmission& built);
  void write_for_group(const Grade& grade, const Task& task, const WatchedCase& watched) const;
  Grade written(Grade grade, const Task& task, const std::function<void(const Grade&)>& write);

  const ClassOptions& options_;
  const Installation& installation_;
  const ClassWork& work_;
  const KeptGrades& kept_;
  std::function<void(const std::string&)> note_;
  Grading grading_;
};

}  // namespace warpgrade
