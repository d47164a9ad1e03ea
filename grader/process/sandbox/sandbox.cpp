#include "grader/process/sandbox/sandbox.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Adds words to a command line.
class Words {
 public:
  explicit Words(std::vector<std::string>& out) : out_(out) {}
  template <class... Text>
  Words& add(const Text&... text) {
    (out_.emplace_back(text), ...);
    return *this;
  }

 private:
  std::vector<std::string>& out_;
};

/// /bin, /lib and the like: links into /usr on merged systems, folders on others.
void add_system(Words& words) {
  words.add("--ro-bind", "/usr", "/usr");
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code error;
    if (fs::is_symlink(name, error)) {
      words.add("--symlink", fs::read_symlink(name).string(), name);
    } else {
      words.add("--ro-bind-try", name, name);
    }
  }
  // Of /etc, only what the loader and the compilers' symbolic links need: no accounts, no host
  // names.
  for (const char* name :
       {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"}) {
    words.add("--ro-bind-try", name, name);
  }
}

void add_gpu(Words& words) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/dev", error)) {
    const std::string path = entry.path().string();
    if (path.starts_with("/dev/nvidia")) {
      words.add("--dev-bind-try", path, path);
    }
  }
  // The driver reads the card's PCI address and NUMA node there.
  for (const char* name : {"/sys/bus/pci", "/sys/devices", "/sys/module/nvidia"}) {
    words.add("--ro-bind-try", name, name);
  }
}

/// RLIMIT_NPROC needs a user other than root: the kernel does not count root's processes.
void add_process_limit(const Sandbox& sandbox, std::size_t processes, Words& words) {
  if (processes > 0 && sandbox.limits_processes) {
    words.add("/usr/bin/prlimit", fmt::format("--nproc={}", processes), "--");
  }
}

}  // namespace

SyscallTable Confinement::calls() const {
  if (view.tool) {
    return SyscallTable::tool;
  }
  if (view.device) {
    return SyscallTable::device;
  }
  if (sandbox.for_profilers) {
    return SyscallTable::watched_worker;
  }
  return view.gpu ? SyscallTable::gpu_worker : SyscallTable::worker;
}

std::vector<std::string> sandbox_command(
    const Confinement& confinement, const std::vector<std::string>& argv,
    const std::vector<std::pair<std::string, std::string>>& environment, const fs::path& folder,
    std::size_t processes, int status_fd, int filter_fd) {
  const SandboxView& view = confinement.view;
  std::vector<std::string> command;
  Words words(command);
  words.add(confinement.sandbox.bwrap.string(), "--unshare-user", "--unshare-pid", "--unshare-net",
            "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--disable-userns",
            "--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL",
            "--clearenv", "--json-status-fd", std::to_string(status_fd), "--seccomp",
            std::to_string(filter_fd));
  for (const auto& [name, value] : environment) {
    words.add("--setenv", name, name == "PATH" ? kSandboxPath : value);
  }
  add_system(words);
  for (const fs::path& path : confinement.sandbox.hidden) {
    words.add("--tmpfs", path.string());
  }
  // The first process in the namespace is bwrap itself: its memory, descriptors and environment
  // must not be visible.
  words.add("--proc", "/proc", "--tmpfs", "/proc/1", "--remount-ro", "/proc/1", "--dev", "/dev");
  for (const char* name : {"/tmp", "/dev/shm"}) {
    words.add("--size", std::to_string(kMemoryFolderBytes), "--tmpfs", name);
  }
  if (view.gpu) {
    add_gpu(words);
  }
  for (const auto* paths : {&confinement.sandbox.readable, &view.readable}) {
    for (const fs::path& path : *paths) {
      words.add("--ro-bind", path.string(), path.string());
    }
  }
  for (const fs::path& path : view.writable) {
    words.add("--bind", path.string(), path.string());
  }
  for (const fs::path& path : confinement.sandbox.hidden) {
    words.add("--remount-ro", path.string());
  }
  words.add("--remount-ro", "/dev", "--remount-ro", "/");
  const fs::path start = !folder.empty()         ? folder
                         : view.writable.empty() ? fs::path("/")
                                                 : view.writable.front();
  words.add("--chdir", start.string(), "--");
  add_process_limit(confinement.sandbox, processes, words);
  command.insert(command.end(), argv.begin(), argv.end());
  return command;
}

}  // namespace warpgrade
