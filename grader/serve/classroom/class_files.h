#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grader/class/table/class_record.h"
#include "grader/class/table/gradebook.h"
#include "grader/class/term/attempt_progress.h"

namespace warpgrade {

/// The files of a class, which the server shares with the command line: course.toml and what it
/// names, decisions, and the results folder of `warpgrade grade`. What another program has changed
/// there is read again. Thread-safe.
class ClassFiles {
 public:
  /// @param results  may not exist yet
  /// @throws LabError, UsageError  if the course file or a file that it names is invalid
  ClassFiles(std::filesystem::path course, std::filesystem::path results,
             std::vector<std::string> known_labs);

  /// The rules, decisions and times of submission as they are now; the last valid ones while a file
  /// is invalid.
  [[nodiscard]] std::shared_ptr<const ClassRecord> record();
  /// What is wrong with the files now, one sentence; empty if nothing is.
  [[nodiscard]] std::string problem();
  /// All grades in the results folder, with those that were given by hand.
  [[nodiscard]] Gradebook book();

  /// The graded attempts of each student at each lab, in their order, with their times of
  /// submission.
  [[nodiscard]] std::map<std::pair<std::string, std::string>, std::vector<MadeAttempt>> attempts();

  /// Appends to serve.toml among the course's decisions.
  /// @throws EnvironmentError  if it cannot be written
  void decide(const Decision& decision);

  [[nodiscard]] const std::filesystem::path& results() const { return results_; }

 private:
  /// The times and sizes of a set of files.
  using Stamp =
      std::map<std::filesystem::path, std::pair<std::filesystem::file_time_type, std::uintmax_t>>;

  [[nodiscard]] Stamp stamp() const;
  void refresh();  // under mutex_
  void read_grades();  // under mutex_

  /// A grade.json, and those of earlier attempts beside it, which change with it only.
  struct Graded {
    GradeRow row;
    std::vector<MadeAttempt> attempts;
  };

  std::mutex mutex_;
  std::filesystem::path course_;
  std::filesystem::path results_;
  std::vector<std::string> known_labs_;
  Stamp read_;  // of the files that record_ was made from
  std::shared_ptr<const ClassRecord> record_;
  std::string problem_;
  Stamp grades_;
  std::map<std::filesystem::path, Graded> graded_;  // by grade.json
};

}  // namespace warpgrade
