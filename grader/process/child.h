#pragma once

#include <sys/types.h>

#include "grader/process/pipe.h"
#include "grader/process/process.h"

namespace warpgrade {

/// Descriptors of ours that become a program's standard input, output and error.
struct StandardStreams {
  int in = -1;
  int out = -1;
  int err = -1;
};

/// A program that runs in a process group of its own, and dies with the thread that started it. The
/// object's end ends the group and leaves no zombie, also when an exception is thrown.
class Child {
 public:
  /// Of the limits only those that the kernel enforces are set: processor time, address space, size
  /// of files. Neither the confinement nor `input` of the specification is looked at.
  /// @throws EnvironmentError  if there can be no other process
  Child(const ProcessSpec& spec, const StandardStreams& streams);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Why the program could not be started, as an errno; 0 if it was.
  [[nodiscard]] int start_error() const { return start_error_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// A descriptor that can be read from as soon as the program has ended; none with kernels before
  /// 5.3.
  [[nodiscard]] Descriptor open_end() const;
  /// Kills the program and what it started in its group.
  void end_group() const;
  /// Whether it has ended; `status` is then set to its wait status.
  /// @param block  wait for the end
  [[nodiscard]] bool try_reap(int& status, bool block);
  /// Of the program and the children that it waited for; known when it was reaped.
  [[nodiscard]] double cpu_seconds() const { return cpu_seconds_; }

 private:
  pid_t pid_ = -1;
  int start_error_ = 0;
  bool reaped_ = false;
  double cpu_seconds_ = 0;
};

/// Replaces this process by a program without a sandbox; it keeps our standard streams.
/// @returns  only if that fails, with errno
int replace_process(const ProcessSpec& spec);

}  // namespace warpgrade
