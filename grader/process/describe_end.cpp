#include <fmt/core.h>

#include <chrono>
#include <csignal>
#include <cstring>

#include "grader/process/process.h"

namespace warpgrade {

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

std::string describe_end(const ProcessResult& result, const ProcessLimits& limits) {
  switch (result.end) {
    case ProcessEnd::exited:
      return fmt::format("exited with code {}", result.code);
    case ProcessEnd::out_of_time:
      return fmt::format("ran longer than {:g} s and was stopped",
                         std::chrono::duration<double>(limits.wall).count());
    case ProcessEnd::starved:
      return fmt::format(
          "got {:.1f} s of processor time in {:.0f} s, as the machine was busy or paused, and was "
          "stopped",
          result.cpu_seconds, result.seconds);
    case ProcessEnd::out_of_memory:
      return fmt::format("used more than {} MiB of memory and was stopped",
                         limits.resident_bytes >> 20);
    case ProcessEnd::out_of_processes:
      return fmt::format("ran more than {} concurrent processes and was stopped", limits.processes);
    case ProcessEnd::out_of_disk:
      return fmt::format(
          "wrote more than {} MiB or {} files, or too many nested folders, and was stopped",
          limits.folder_bytes >> 20, limits.folder_files);
    case ProcessEnd::not_started:
      return fmt::format("could not be started: {}", std::strerror(result.code));
    case ProcessEnd::signalled:
      break;
  }
  const char* meaning = nullptr;
  switch (result.code) {
    case SIGSEGV:
      meaning = "invalid memory access";
      break;
    case SIGBUS:
      meaning = "invalid memory access (bus error)";
      break;
    case SIGFPE:
      meaning = "arithmetic error, such as an integer division by zero";
      break;
    case SIGABRT:
      meaning = "abort: an assertion, an uncaught exception, or corrupted memory";
      break;
    case SIGILL:
      meaning = "illegal instruction: control ran past the end of a function that returns a value";
      break;
    case SIGXCPU:
      meaning = "processor time limit";
      break;
    case SIGXFSZ:
      meaning = "file size limit";
      break;
    case SIGKILL:
      meaning = "killed from outside, perhaps for lack of memory or processor time";
      break;
    default:
      break;
  }
  return meaning != nullptr ? fmt::format("was ended by {} ({})", signal_name(result.code), meaning)
                            : fmt::format("was ended by {}", signal_name(result.code));
}

}  // namespace warpgrade
