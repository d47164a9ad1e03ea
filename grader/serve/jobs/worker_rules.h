#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "grader/serve/classroom/grade_files.h"

namespace warpgrade {

struct Installation;

/// A checksum of what a worker on another machine has to have the same of, for its grades to be
/// those that the server would give: the version of warpgrade, the files of the labs and, of a
/// class, course.toml with its roster and groups, and the secret. It tells nothing about the secret
/// to who does not have it, if that is as long as the documentation makes it.
class WorkerRules {
 public:
  /// @param course, secret  empty on a server for one person
  WorkerRules(const Installation& installation, std::filesystem::path course,
              std::filesystem::path secret);

  /// As the files are now; as they were while one is invalid. Thread-safe.
  /// @throws LabError, EnvironmentError  if one cannot be read, the first time
  [[nodiscard]] std::string checksum();

 private:
  std::string labs_;  // checksum of what does not change while this runs
  std::filesystem::path course_;
  std::filesystem::path secret_;
  std::mutex mutex_;
  FileStamps stamps_;  // of the files that last_ was made from
  std::vector<std::filesystem::path> files_;  // these
  std::string last_;
};

}  // namespace warpgrade
