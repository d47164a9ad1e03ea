#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpgrade {

/// Sends text to the process that waits.
using Tell = std::function<void(std::string_view)>;

struct Forked {
  bool returned = false;  // the function, without an exception
  std::string told;  // by it, until it ended
  std::string end;  // "was ended by SIGFPE (...)", as after "the program"
  bool out_of_time = false;
  bool starved = false;  // stopped because the machine was too busy for it
};

/// Limits of a function in a copy of this process; zero means no limit.
struct ForkedLimits {
  /// Processor time; one that waits is stopped after the same time, without that in which other
  /// programs kept it from a processor.
  std::chrono::seconds time{0};
  std::uint64_t more_bytes = 0;  // of memory, in addition to ours
};

/// Runs a function in a copy of this process, so that it can crash or never end: code that a course
/// has written. A function that calls exit() has not returned. What it prints is printed.
/// @throws Interrupted       if the user interrupts us
/// @throws EnvironmentError  if no process or pipe can be created
[[nodiscard]] Forked run_forked(const std::function<void(const Tell&)>& function,
                                const ForkedLimits& limits);

}  // namespace warpgrade
