#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/class/grading/row_file.h"
#include "grader/class/table/gradebook.h"

namespace warpgrade {

/// Proves, without reading a whole grade, that a results folder holds the grade of a key: contains
/// the key, the checksum of grade.json, and the row of the class table. Written after the grade, in
/// <out>/.warpgrade/, so that a run that is stopped in between leaves no receipt.

/// @param page  what the pages were made from besides the grade
/// @throws EnvironmentError  if it cannot be written
void write_receipt(const std::filesystem::path& out, const GradeRow& row, const std::string& key,
                   const std::string& page);

/// Of a grade in `out` that is complete, unchanged and has this key; otherwise nothing.
[[nodiscard]] std::optional<RowFile> find_receipt(const std::filesystem::path& out,
                                                  const std::string& student,
                                                  const std::string& lab, const std::string& key);

/// Copies the receipt of a grade that was written to another results folder, too; it proves nothing
/// there if the grade differs.
void adopt_receipt(const std::filesystem::path& from, const std::filesystem::path& out,
                   const std::string& student, const std::string& lab);

}  // namespace warpgrade
