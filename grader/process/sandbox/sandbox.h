#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/process/sandbox/syscall_filter.h"

namespace warpgrade {

/// Whether hostile code runs in a sandbox; `automatic` uses one if the machine supports it.
enum class SandboxMode : std::uint8_t { automatic, bubblewrap, none };

/// How this machine sandboxes submissions, the same for a whole run. A default-constructed one does
/// not sandbox.
struct Sandbox {
  std::filesystem::path bwrap;  // empty: no sandbox
  bool limits_processes = false;  // RLIMIT_NPROC works; otherwise processes are counted
  std::vector<std::filesystem::path> readable;  // of the toolchain, if it is outside /usr
  std::vector<std::filesystem::path> hidden;  // although /usr is readable
  bool for_profilers = false;  // they need more system calls than other programs

  [[nodiscard]] bool on() const { return !bwrap.empty(); }
  /// As a grade records it: "bubblewrap" or "none".
  [[nodiscard]] std::string name() const { return on() ? "bubblewrap" : "none"; }
};

/// What one program sees of the machine besides /usr and the system's libraries. Everything else is
/// absent: network, other processes, home folders, temporary files of others.
struct SandboxView {
  std::vector<std::filesystem::path> readable;
  std::vector<std::filesystem::path> writable;
  bool gpu = false;  // NVIDIA's device nodes
  bool tool = false;  // a compiler and what it starts; otherwise a submission's program
  bool device = false;  // the emulator's device process
};

/// A sandbox and what is visible in it.
struct Confinement {
  Sandbox sandbox;
  SandboxView view;

  [[nodiscard]] SyscallTable calls() const;
};

/// The size limit of each memory file system: /tmp and /dev/shm.
inline constexpr std::uint64_t kMemoryFolderBytes = std::uint64_t{256} << 20;

/// PATH in the sandbox: the system's folders only.
inline constexpr const char* kSandboxPath = "/usr/local/bin:/usr/bin:/bin";

/// The command line that runs `argv` in the sandbox, with `environment` as its whole environment.
///
/// @param folder     where it starts; empty: the first writable folder
/// @param processes  maximum at a time; 0: no limit
/// @param status_fd  to which bwrap reports that the program ran; its number in the child
/// @param filter_fd  from which bwrap reads the filter of system calls; its number in the child
[[nodiscard]] std::vector<std::string> sandbox_command(
    const Confinement& confinement, const std::vector<std::string>& argv,
    const std::vector<std::pair<std::string, std::string>>& environment,
    const std::filesystem::path& folder, std::size_t processes, int status_fd, int filter_fd);

}  // namespace warpgrade
