#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grader/class/table/class_record.h"
#include "grader/serve/classroom/grade_files.h"

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

  [[nodiscard]] const std::filesystem::path& course() const { return course_; }
  [[nodiscard]] const std::filesystem::path& results() const { return results_; }

 private:
  [[nodiscard]] FileStamps stamp() const;
  void refresh();  // under mutex_

  std::mutex mutex_;
  std::filesystem::path course_;
  std::filesystem::path results_;
  std::vector<std::string> known_labs_;
  FileStamps read_;  // of the files that record_ was made from
  std::shared_ptr<const ClassRecord> record_;
  std::string problem_;
  GradeFiles grades_;
};

}  // namespace warpgrade
