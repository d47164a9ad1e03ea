#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/grade_record/grade.h"
#include "grader/process/process.h"
#include "grader/toolchain/toolchain.h"

namespace warpgrade {

/// One of NVIDIA's tools on this machine.
struct NvidiaTool {
  std::filesystem::path program;  // empty: not here
  std::vector<std::filesystem::path> readable;  // what it needs to see in a sandbox
};

/// "ncu" or "compute-sanitizer", from PATH or the toolkit.
[[nodiscard]] NvidiaTool find_tool(const std::string& name, const Toolchain& toolchain);

/// The run of a tool that is not here: what it is, and how to get it.
[[nodiscard]] ToolRun missing_tool(const std::string& name);

/// How a run of ncu ended that left no table.
///
/// @param log  what it wrote, and the process's output
[[nodiscard]] ToolRun failed_ncu(const ProcessResult& process, std::string_view log,
                                 bool in_sandbox);

/// How a run of compute-sanitizer ended whose log has no summary.
///
/// @param problem  why, in its words; may be empty
[[nodiscard]] ToolRun failed_sanitizer(const std::string& tool, const ProcessResult& process,
                                       const std::string& problem, bool in_sandbox);

}  // namespace warpgrade
