#pragma once

#include <cstdint>
#include <string>

namespace warpgrade {

/// Which system calls a program in the sandbox may make.
enum class SyscallTable : std::uint8_t {
  tool,  // the compiler and what it starts
  worker,  // a submission's program on the emulator
  gpu_worker,  // the same with NVIDIA's driver in it
  watched_worker,  // the same under a profiler
  device,  // the emulator's device process
};

/// The filter in the kernel's format: an array of struct sock_filter, for bwrap's --seccomp. Made
/// by libseccomp for this machine's architecture, once per process and table.
///
/// A call that is not in the table fails with EPERM; one for which C libraries have a fallback
/// fails with ENOSYS. System calls of another architecture (32-bit, x32) end the process.
///
/// @throws EnvironmentError  if libseccomp or the kernel lacks support
[[nodiscard]] const std::string& syscall_filter(SyscallTable table);

}  // namespace warpgrade
