#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/sandbox.h"

namespace warpgrade {

/// What a child may use. Zero means no limit.
struct ProcessLimits {
  /// On the clock, but for the time in which other programs kept it from a processor: a loaded
  /// machine stops nothing that a quiet one lets end. At most kMaxStretch times as long.
  std::chrono::milliseconds wall{0};
  std::chrono::seconds cpu{0};
  std::uint64_t resident_bytes = 0;  // of the child and all it starts, watched while they run
  std::uint64_t address_bytes = 0;  // of addresses, of each process
  std::size_t processes = 0;  // at a time, watched; in a sandbox also by the kernel if it can
  std::uint64_t folder_bytes = 0;  // in each of the sandbox's writable folders, watched
  std::size_t folder_files = 2000;  // there, folders too; looked at only with a limit of bytes
  std::uint64_t file_bytes = 0;  // the largest file it may write
  std::size_t output_bytes = 64 * 1024;  // kept of each of stdout and stderr; the rest is dropped
};

/// How much longer than its limit a program may run on a machine that is too busy for it.
inline constexpr int kMaxStretch = 10;

/// A file descriptor that the child inherits under a chosen number.
struct PassedDescriptor {
  int ours = -1;
  int theirs = -1;
};

struct ProcessSpec {
  std::vector<std::string> argv;  // argv[0] is looked up in our PATH if it has no slash
  std::filesystem::path folder;  // where it starts; empty: here
  std::vector<std::pair<std::string, std::string>> environment;  // all of it: nothing is inherited
  std::vector<PassedDescriptor> descriptors;  // all others are closed; below 100 in a sandbox
  std::optional<Confinement> confinement;  // runs it in a sandbox, if that is on
  ProcessLimits limits;
  /// For a process and another that it waits for, whose clocks are one: for how long (ns) each has
  /// been ready to run while others had the processor. Null: it has no other.
  std::atomic<std::int64_t>* tell_wait = nullptr;
  const std::atomic<std::int64_t>* wait_of_other = nullptr;
};

enum class ProcessEnd {
  exited,
  signalled,
  out_of_time,  // ended by us: wall clock
  out_of_memory,  // ended by us: resident memory
  out_of_processes,  // ended by us: too many
  out_of_disk,  // ended by us: too much written
  not_started,
};

struct ProcessResult {
  ProcessEnd end = ProcessEnd::not_started;
  int code = 0;  // exit status, or signal number, or errno of a failed start
  std::string out;
  std::string err;
  bool out_cut = false;  // it printed more than was kept
  bool err_cut = false;
  double seconds = 0;  // wall clock
  double cpu_seconds = 0;  // of the process and those that it waited for

  [[nodiscard]] bool ok() const { return end == ProcessEnd::exited && code == 0; }
};

/// Runs a program to its end in a process group of its own, reading nothing from stdin. When it
/// ends, or has to be ended, the whole group goes with it, and it dies if we do. In a sandbox
/// nothing that it started outlives it; outside, what makes a session of its own does.
///
/// In a sandbox a signal's number comes back as an exit code above 128, as shells have it, and is
/// turned into a signal again: a program that exits with such a code looks like one that died.
///
/// @throws Interrupted       if the person asks us to stop; the group is ended first
/// @throws EnvironmentError  if this machine cannot make a process, a pipe or the sandbox
[[nodiscard]] ProcessResult run_process(const ProcessSpec& spec);

/// How it ended, for a sentence that starts with "the program": "exited with code 3", "was ended by
/// signal 11 (SIGSEGV: invalid memory access)", "ran longer than 10 s and was stopped".
[[nodiscard]] std::string describe_end(const ProcessResult& result, const ProcessLimits& limits);

/// "SIGSEGV", or "signal 77" for one without a name.
[[nodiscard]] std::string signal_name(int number);

/// The variables that a compiler or a worker needs from our own environment: PATH, TMPDIR, the
/// locale pinned to C.UTF-8 so that messages do not depend on the machine.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> base_environment();

/// Full path of a program in PATH; empty if there is none.
[[nodiscard]] std::filesystem::path find_in_path(const std::string& program);

}  // namespace warpgrade
