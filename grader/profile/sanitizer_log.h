#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// What compute-sanitizer wrote about one run.
struct SanitizerLog {
  bool finished = false;  // it has a summary: the tool came to its end
  std::uint64_t errors = 0;  // by the summary, those beyond its print limit, too
  std::string problem;  // why the tool itself failed, in its words; may be empty
  std::vector<ToolFinding> findings;  // equal ones are one; in the order in which they were found
};

/// Reads a log (`compute-sanitizer --log-file`), from which nothing is expected to be in order:
/// lines that are not the tool's are left out, and what is not known has the kind "other".
///
/// @param tool           "memcheck", ...: for the findings
/// @param source_folder  prefix to take off files' names; of others only the last part stays
[[nodiscard]] SanitizerLog read_sanitizer_log(std::string_view text, const std::string& tool,
                                              const std::filesystem::path& source_folder);

}  // namespace warpgrade
