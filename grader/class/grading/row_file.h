#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/class/table/gradebook.h"

namespace warpgrade {

/// A row of the class table in a separate file, which can be read without its grade.
struct RowFile {
  std::string key;  // hash of everything that the grade depends on; may be empty
  std::string grade;  // checksum of its grade.json; may be empty
  std::string page;  // what the students' pages were made from besides: page_state(); may be empty
  GradeRow row;
};
WARPGRADE_FIELDS(RowFile, key, grade, page, row)

/// @throws EnvironmentError  if it cannot be written
void write_row_file(const std::filesystem::path& file, const RowFile& content);

/// @param student, lab  the owner; not in the file, because these names may be invalid UTF-8
/// @return nothing if there is no such file, or it is damaged
[[nodiscard]] std::optional<RowFile> read_row_file(const std::filesystem::path& file,
                                                   const std::string& student,
                                                   const std::string& lab);

}  // namespace warpgrade
