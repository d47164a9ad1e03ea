#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/core/error.h"
#include "grader/device/device.h"

namespace warpgrade {

/// One of a lab's programs, to be run as it is and looked at from outside.
struct RunFileRequest {
  std::string lab;
  std::filesystem::path file;
  std::vector<std::string> cases;  // by name; "performance" is that of the lab; none: all
  DeviceRequest device = DeviceRequest::automatic;
  std::string card;  // for the emulator to be; empty: its default
  std::filesystem::path build;  // where the program is kept and found again; empty: nowhere
  std::filesystem::path json;  // what to write; empty: nothing
  std::chrono::seconds limit{30};  // a case
  std::vector<std::string> launcher;  // prefix of the command line, such as a profiler
};

/// Builds the file and runs it on the lab's cases with the public data, each in a process of its
/// own, without judging more than the outputs: no points, no diagnosis. A stage's own precision is
/// kept. After two cases that ran out of time the others are left out.
/// @returns passed when every case is right and the emulator found no error
/// @throws UsageError  for a lab, a case or a file that is not there
ExitCode run_file(const RunFileRequest& request);

}  // namespace warpgrade
