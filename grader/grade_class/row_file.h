#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/class_table/gradebook.h"

namespace warpgrade {

/// A row of the class table in a file of its own, so that it is there without its grade being read.
struct RowFile {
  std::string key;  // names everything that the grade depends on; may be empty
  std::string grade;  // checksum of its grade.json; may be empty
  GradeRow row;
};
WARPGRADE_FIELDS(RowFile, key, grade, row)

/// @throws EnvironmentError  if it cannot be written
void write_row_file(const std::filesystem::path& file, const RowFile& content);

/// @param student, lab  whose it is: their names may be no UTF-8, which JSON needs
/// @return nothing where there is no such file, or it is damaged
[[nodiscard]] std::optional<RowFile> read_row_file(const std::filesystem::path& file,
                                                   const std::string& student,
                                                   const std::string& lab);

}  // namespace warpgrade
