#pragma once

#include <string>
#include <vector>

namespace warpsim {

/// The program to run.
struct ProgramFile {
  std::string path;  // of the file that will be executed
  bool fixed_search_path = false;  // its RPATH has precedence over LD_LIBRARY_PATH
  std::vector<std::string> runtimes;  // "libcudart.so.13": required runtime libraries, any version
  std::vector<std::string> needed;  // all required libraries
};

/// Finds a program like the shell does and reads its dependencies.
/// @param name  with a slash, a path; without, looked up in PATH
/// @param error  set to what is wrong and what to do, if it cannot run under the emulator: not
///   found, not executable, linked to the runtime statically, or to one of another version
[[nodiscard]] ProgramFile examine_program(const std::string& name, std::string& error);

}  // namespace warpsim
