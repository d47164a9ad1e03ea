#pragma once

#include <string>
#include <vector>

namespace warpsim {

/// What is about to be run.
struct ProgramFile {
  std::string path;  // of the file that will be executed
  bool fixed_search_path = false;  // it prefers its own RPATH to LD_LIBRARY_PATH
  std::vector<std::string> runtimes;  // "libcudart.so.13": what it needs, in any version
};

/// Finds a program as the shell does and looks at what it links.
/// @param name  with a slash, a path; without, looked up in PATH
/// @param error  filled with what is wrong and what to do, when it cannot run under the emulator:
///   not found, not executable, linked to the runtime statically, or to one of another version
[[nodiscard]] ProgramFile examine_program(const std::string& name, std::string& error);

}  // namespace warpsim
