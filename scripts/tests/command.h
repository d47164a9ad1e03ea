#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade::test {

/// How a program ended and what it said.
struct Outcome {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string output;  // stdout and stderr together, as they came
};

/// Runs a program with the given arguments and no input, and waits for its end.
///
/// @param arguments    program first; looked up in PATH when it has no slash
/// @param environment  NAME=value pairs added to this process's own
/// @throws std::system_error  if the program cannot be started
[[nodiscard]] Outcome run(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {});

/// The folder of the build under test, and of the sources. Set by CTest.
/// @throws std::runtime_error  if the variable is not set: run the tests through ctest
[[nodiscard]] std::filesystem::path build_folder();
[[nodiscard]] std::filesystem::path source_folder();
/// Empty where the build has no nvcc.
[[nodiscard]] std::string nvcc();

/// A fresh folder that is removed with this object.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpgrade::test
