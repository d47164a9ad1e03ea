#pragma once

#include <chrono>
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
};

/// Runs a function in a copy of this process, so that it can crash or never end: code that a course
/// has written, and that is not needed for a grade.
/// @param cpu  processor time after which it is stopped; one that waits is stopped after
/// kMaxStretch
///             times as much
/// @throws Interrupted       if the user interrupts us
/// @throws EnvironmentError  if no process or pipe can be created
[[nodiscard]] Forked run_forked(const std::function<void(const Tell&)>& function,
                                std::chrono::seconds cpu);

}  // namespace warpgrade
