#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/build/toolchain/compiler.h"
#include "grader/core/error.h"
#include "grader/run/device/device.h"

namespace warpgrade {

/// A program of a lab to run on its own, for example under a profiler.
struct RunFileRequest {
  std::string lab;
  std::filesystem::path file;
  std::vector<std::string> cases;  // by name; "performance" is that of the lab; none: all
  std::optional<CompilerRequest> compiler;
  DeviceRequest device = DeviceRequest::automatic;
  std::string card;  // emulated card; empty: the default
  std::filesystem::path build;  // folder in which the program is cached; empty: none
  std::filesystem::path json;  // what to write; empty: nothing
  std::chrono::seconds limit{30};  // a case
  std::vector<std::string> launcher;  // prefix of the command line, such as a profiler
};

/// Builds the file and runs it on the lab's cases with the public data, each in a separate process,
/// and judges only the outputs: no points, no diagnosis. A stage's precision applies. After two
/// cases that ran out of time the others are skipped.
/// @returns passed if every case is right and the emulator found no error
/// @throws UsageError  if the lab, a case or the file does not exist
ExitCode run_file(const RunFileRequest& request);

}  // namespace warpgrade
