#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade {

struct FollowedEnd {
  int code = 0;  // exit code; 128 and the signal's number if a signal ended it
  bool stopped = false;  // by us, because `stop` was set
  std::string out;  // the first bytes of standard output
  std::string err;  // the last bytes of standard error
};

struct FollowedProgram {
  std::vector<std::string> argv;  // argv[0] is a path
  std::vector<std::pair<std::string, std::string>> environment;  // complete
  std::filesystem::path folder = {};  // working directory; empty: ours
  std::size_t output_bytes = std::size_t{16} << 20;  // kept of standard output
  /// Gets each line of standard error as soon as it is complete, without its newline.
  std::function<void(std::string_view)> on_line = {};
};

/// Runs a program that we trust to its end, in a process group of its own and without a sandbox or
/// limits. It gets SIGTERM when `stop` becomes true, and its group SIGKILL if it is still there 10
/// s later. It is killed when the calling thread ends, also by SIGKILL of this process.
/// @throws EnvironmentError  if it cannot be started
[[nodiscard]] FollowedEnd follow(const FollowedProgram& program, const std::atomic<bool>& stop);

}  // namespace warpgrade
