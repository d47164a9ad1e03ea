#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/process/sandbox/sandbox.h"

namespace warpgrade {

/// Limits of a child. Zero means no limit.
struct ProcessLimits {
  /// Wall-clock time, without the time in which other programs kept it from a processor or a disk,
  /// so that load on the machine stops no program that would finish otherwise. Extended to
  /// kMaxStretch times at most; a program that has had less processor time until then is `starved`.
  std::chrono::milliseconds wall{0};
  /// It never waits for anything but its own children, as compilers do: one that has computed for
  /// less than half of `wall` until then was stopped, or its memory swapped out, and is `starved`.
  bool computes = false;
  std::chrono::seconds cpu{0};
  std::uint64_t resident_bytes = 0;  // of the child and its descendants, sampled while they run
  std::uint64_t address_bytes = 0;  // address space of each process
  /// At a time, sampled; in a sandbox also enforced by the kernel if possible.
  std::size_t processes = 0;
  std::uint64_t folder_bytes = 0;  // in each writable folder of the sandbox, sampled
  std::size_t folder_files = 2000;  // there, including folders; checked only with folder_bytes
  std::uint64_t file_bytes = 0;  // the largest file it may write
  std::size_t output_bytes = 64 * 1024;  // kept of each of stdout and stderr; the rest is dropped
};

/// How much longer than its limit a program may run on a busy machine.
inline constexpr int kMaxStretch = 10;

/// A file descriptor that the child inherits under a chosen number.
struct PassedDescriptor {
  int ours = -1;
  int theirs = -1;
};

struct ProcessSpec {
  std::vector<std::string> argv;  // argv[0] is looked up in our PATH if it has no slash
  std::filesystem::path folder;  // working directory; empty: ours
  std::filesystem::path input = {};  // a regular file as its standard input; empty: none
  std::vector<std::pair<std::string, std::string>> environment;  // complete: nothing is inherited
  std::vector<PassedDescriptor> descriptors;  // all others are closed; in a sandbox not 100, 101
  std::optional<Confinement> confinement;  // runs it in a sandbox, if one is enabled
  ProcessLimits limits;
  /// Shared by a process and another that it waits for: how long (ns) each has been runnable
  /// without a processor. Null: there is no other.
  std::atomic<std::int64_t>* tell_wait = nullptr;
  const std::atomic<std::int64_t>* wait_of_other = nullptr;
};

enum class ProcessEnd {
  exited,
  signalled,
  out_of_time,  // ended by us: too long, wall clock or processor time
  out_of_memory,  // ended by us: too much resident memory
  out_of_processes,  // ended by us: too many
  out_of_disk,  // ended by us: too much written
  starved,  // ended by us: the machine was busy or paused, which says nothing about the program
  not_started,
};

struct ProcessResult {
  ProcessEnd end = ProcessEnd::not_started;
  int code = 0;  // exit status, or signal number, or errno of a failed start
  std::string out;
  std::string err;
  bool out_cut = false;  // more was printed than was kept
  bool err_cut = false;
  std::uint64_t input_read = 0;  // bytes of the file `input`
  double seconds = 0;  // wall clock
  double cpu_seconds = 0;  // of the process and the children that it waited for

  [[nodiscard]] bool ok() const { return end == ProcessEnd::exited && code == 0; }
};

/// Runs a program to its end in a process group of its own. When it ends or is
/// stopped, the whole group is killed; it also dies with us. In a sandbox nothing that it started
/// outlives it; without one, a process that calls setsid() does.
///
/// In a sandbox a signal is returned as an exit code above 128, as in shells, and turned back into
/// a signal; a program that exits with such a code is indistinguishable from one that was killed.
///
/// @throws Interrupted       if the user interrupts us; the group is killed first
/// @throws EnvironmentError  if no process, pipe or sandbox can be created
[[nodiscard]] ProcessResult run_process(const ProcessSpec& spec);

/// Replaces this process by a program, in a sandbox if one is enabled: it keeps the standard
/// descriptors, and has no limits. For a program that a person watches.
///
/// @returns  why it could not be started
/// @throws EnvironmentError  if the sandbox's filter cannot be passed on
[[nodiscard]] std::string become_program(const ProcessSpec& spec);

/// How it ended, for a sentence that starts with "the program": "exited with code 3", "was ended by
/// signal 11 (SIGSEGV: invalid memory access)", "ran longer than 10 s and was stopped".
[[nodiscard]] std::string describe_end(const ProcessResult& result, const ProcessLimits& limits);

/// "SIGSEGV", or "signal 77" for one without a name.
[[nodiscard]] std::string signal_name(int number);

/// The variables that a compiler or a worker needs from our environment: PATH and TMPDIR, and the
/// locale C.UTF-8, so that messages do not depend on the machine.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> base_environment();

/// Full path of a program in PATH; empty if there is none.
[[nodiscard]] std::filesystem::path find_in_path(const std::string& program);

}  // namespace warpgrade
