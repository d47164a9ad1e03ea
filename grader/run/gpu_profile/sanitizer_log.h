#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// What compute-sanitizer wrote about one run.
struct SanitizerLog {
  bool finished = false;  // it has a summary, so the tool completed
  std::uint64_t errors = 0;  // from the summary, including those beyond the print limit
  std::string problem;  // why the tool itself failed, in its words; may be empty
  /// Equal ones are merged; in the order in which they were found.
  std::vector<ToolFinding> findings;
};

/// Reads a log (`compute-sanitizer --log-file`), which may be damaged or forged: lines that are not
/// the tool's are skipped, and unknown messages get the kind "other".
///
/// @param tool           "memcheck", ...: for the findings
/// @param source_folder  prefix to remove from files' names; of other paths only the last component
/// is kept
[[nodiscard]] SanitizerLog read_sanitizer_log(std::string_view text, const std::string& tool,
                                              const std::filesystem::path& source_folder);

}  // namespace warpgrade
