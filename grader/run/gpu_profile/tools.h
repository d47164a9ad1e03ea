#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/toolchain/toolchain.h"
#include "grader/process/process.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// One of NVIDIA's tools on this machine.
struct NvidiaTool {
  std::filesystem::path program;  // empty: not installed
  std::vector<std::filesystem::path> readable;  // what it needs in a sandbox
};

/// "ncu" or "compute-sanitizer", from PATH or the toolkit.
[[nodiscard]] NvidiaTool find_tool(const std::string& name, const Toolchain& toolchain);

/// The result for a tool that is not installed: what it is, and how to get it.
[[nodiscard]] ToolRun missing_tool(const std::string& name);

/// The result of a run of ncu without a table.
///
/// @param log  what it wrote, and the process's output
[[nodiscard]] ToolRun failed_ncu(const ProcessResult& process, std::string_view log,
                                 bool in_sandbox);

/// The result of a run of compute-sanitizer without a summary.
///
/// @param problem  the tool's own message; may be empty
[[nodiscard]] ToolRun failed_sanitizer(const std::string& tool, const ProcessResult& process,
                                       const std::string& problem, bool in_sandbox);

}  // namespace warpgrade
