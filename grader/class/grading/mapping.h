#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/submit/submission/submission.h"

namespace warpgrade {

/// The file that `warpgrade intake` writes, a person may edit, and `warpgrade grade` obeys.
inline constexpr const char* kMappingFile = "mapping.csv";

/// One line: whose work it is, for which lab, and which of its files are graded.
struct MappingLine {
  std::string work;  // the folder, archive or file among the submissions
  std::string student;  // empty: nobody's, it is not graded
  std::string lab;  // empty: no lab
  std::vector<std::string> files;  // in the work; none: those that are found by name
  std::string why;  // not read
  std::size_t line = 0;
};

class Mapping {
 public:
  Mapping() = default;
  Mapping(std::vector<MappingLine> lines, std::string shown);

  [[nodiscard]] const std::vector<MappingLine>& lines() const { return lines_; }
  /// The lines about a student's work as it came in.
  [[nodiscard]] std::vector<const MappingLine*> of(const StudentEntry& entry) const;
  /// Assigns files to labs as the lines say.
  /// @throws LabError  "mapping.csv:3: what; what to do", if a file does not exist
  void assign(StudentEntry& entry) const;

 private:
  [[noreturn]] void fail(const MappingLine& line, const std::string& what) const;

  std::vector<MappingLine> lines_;
  std::string shown_;
};

/// @throws LabError  "mapping.csv:3: what; what to do"
[[nodiscard]] Mapping parse_mapping(std::string_view text, const std::string& shown);

/// The lines as a file, with a header.
[[nodiscard]] std::string mapping_csv(const std::vector<MappingLine>& lines);

}  // namespace warpgrade
