#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "grader/class/table/gradebook.h"
#include "grader/class/term/attempt_progress.h"

namespace warpgrade {

/// The times and sizes of a set of files.
using FileStamps =
    std::map<std::filesystem::path, std::pair<std::filesystem::file_time_type, std::uintmax_t>>;

/// Adds those of a file, if there is one.
void add_stamp(const std::filesystem::path& file, FileStamps& stamps);

/// The grades in a results folder; what has changed there is read again. Not thread-safe.
class GradeFiles {
 public:
  /// @param folder  may not exist yet
  explicit GradeFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// A grade.json, and those of earlier attempts beside it, which change with it only.
  struct Graded {
    GradeRow row;
    std::vector<MadeAttempt> attempts;
  };

  /// By grade.json. One that is damaged is left out, and named on standard error.
  const std::map<std::filesystem::path, Graded>& read();
  [[nodiscard]] Gradebook book();

 private:
  std::filesystem::path folder_;
  FileStamps stamps_;
  std::map<std::filesystem::path, Graded> graded_;
};

}  // namespace warpgrade
