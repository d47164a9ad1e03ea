#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/sandbox/syscall_filter.h"

namespace warpgrade {

/// Whether hostile code is to be shut in: `automatic` takes what the machine can do.
enum class SandboxMode : std::uint8_t { automatic, bubblewrap, none };

/// How this machine shuts a submission in; the same for all of a run. Default-made it shuts in
/// nothing.
struct Sandbox {
  std::filesystem::path bwrap;  // empty: no sandbox
  bool limits_processes = false;  // by the kernel; where it cannot, they are counted
  std::vector<std::filesystem::path> readable;  // of the toolchain, where /usr does not hold it
  std::vector<std::filesystem::path> hidden;  // in spite of /usr being readable
  bool for_profilers = false;  // which need more system calls than the program they watch

  [[nodiscard]] bool on() const { return !bwrap.empty(); }
  /// As a grade records it: "bubblewrap" or "none".
  [[nodiscard]] std::string name() const { return on() ? "bubblewrap" : "none"; }
};

/// What one program sees of the machine beside /usr and the system's libraries. Everything else is
/// not there: no network, no other process, no home, no temporary file of others.
struct SandboxView {
  std::vector<std::filesystem::path> readable;
  std::vector<std::filesystem::path> writable;
  bool gpu = false;  // NVIDIA's device nodes
  bool tool = false;  // a compiler and what it starts; else a submission's program
  bool device = false;  // the emulator's device process
};

/// A sandbox and what is seen in it.
struct Confinement {
  Sandbox sandbox;
  SandboxView view;

  [[nodiscard]] SyscallTable calls() const;
};

/// The size of each place for files in memory: /tmp and /dev/shm.
inline constexpr std::uint64_t kMemoryFolderBytes = std::uint64_t{256} << 20;

/// PATH in the sandbox: the system's folders, whatever ours is.
inline constexpr const char* kSandboxPath = "/usr/local/bin:/usr/bin:/bin";

/// The command line that runs `argv` in the sandbox, with `environment` as all of its environment.
///
/// @param folder     where it starts; empty: the first writable folder
/// @param processes  most at a time; 0: no limit
/// @param status_fd  where bwrap tells that the program ran; the number in the child
/// @param filter_fd  that bwrap reads the filter of system calls from; the number in the child
[[nodiscard]] std::vector<std::string> sandbox_command(
    const Confinement& confinement, const std::vector<std::string>& argv,
    const std::vector<std::pair<std::string, std::string>>& environment,
    const std::filesystem::path& folder, std::size_t processes, int status_fd, int filter_fd);

}  // namespace warpgrade
