#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/compile/shared_parts.h"
#include "grader/build/toolchain/toolchain.h"
#include "grader/core/installation.h"
#include "grader/process/process.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Where and with what a submission is built.
struct BuildSite {
  const Toolchain& toolchain;
  const Installation& installation;
  const Lab& lab;
  const SharedParts& shared;
  std::filesystem::path scratch;
  /// Of this submission's object in the user's cache (object_cache.h); empty: not cached.
  std::string object_key = {};
  /// For the debugger: where the student's files are, which are compiled there and with all their
  /// variables; empty: they are copied, and compiled as for a grade.
  std::filesystem::path debugged = {};
  /// Folders of the student's that includes are searched in, relative to sources().
  std::set<std::string> include_folders = {};
  /// They have kMakefileMacros, which each program begins with.
  bool has_macros = false;

  /// The student's files.
  [[nodiscard]] std::filesystem::path sources() const {
    return debugged.empty() ? scratch / "src" : debugged;
  }
  /// A tool that works on what the student wrote, in the sandbox.
  [[nodiscard]] ProcessSpec tool(std::vector<std::string> argv,
                                 const std::filesystem::path& folder) const;
};

/// A step of the build: it sees only the build folder.
[[nodiscard]] ProcessSpec plain_tool(std::vector<std::string> argv,
                                     const std::filesystem::path& folder);

/// Runs a step, and once more if it was killed, or a program that it started: its limits kill
/// nothing, so that this is the machine's doing.
/// @throws EnvironmentError  if that happens twice
[[nodiscard]] ProcessResult run_step(const ProcessSpec& spec);

/// For steps that no submission can make fail.
/// @throws EnvironmentError
void run_own_step(const ProcessSpec& spec);

inline constexpr std::uint64_t kCompileFile = std::uint64_t{1} << 29;  // bytes

}  // namespace warpgrade
