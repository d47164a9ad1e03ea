#include "grader/toolchain/find_sandbox.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSystemFolders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"};

bool inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool in_system(const fs::path& path) {
  return std::any_of(std::begin(kSystemFolders), std::end(kSystemFolders),
                     [&](const char* folder) { return inside(path, folder); });
}

/// The toolchain's own places, where they are not under /usr: the toolkit as a folder, everything
/// else as the one file, for who knows what else lies beside it.
std::vector<fs::path> toolchain_paths(const Toolchain& toolchain) {
  std::vector<fs::path> paths;
  for (const fs::path& path : {toolchain.toolkit, toolchain.cudart_folder, toolchain.nvcc,
                               toolchain.cxx, toolchain.ld, toolchain.lld, toolchain.objcopy}) {
    std::error_code error;
    for (const fs::path& place : {path, fs::canonical(path, error)}) {
      if (!place.empty() && !in_system(place) && fs::exists(place, error) &&
          std::find(paths.begin(), paths.end(), place) == paths.end()) {
        paths.push_back(place);
      }
    }
  }
  return paths;
}

/// Ours that /usr would show: the references and goldens of an installed warpgrade.
std::vector<fs::path> hidden_paths(const Installation& installation) {
  std::vector<fs::path> paths;
  for (const fs::path& path : {installation.root / "reference", installation.root / "datasets",
                               installation.root / "labs", installation.library / "golden"}) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (!error && in_system(real) && std::find(paths.begin(), paths.end(), real) == paths.end()) {
      paths.push_back(real);
    }
  }
  return paths;
}

ProcessSpec spec_in(const Sandbox& sandbox, const fs::path& scratch,
                    std::vector<std::string> argv) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.folder = scratch;
  spec.environment = base_environment();
  spec.confinement = Confinement{.sandbox = sandbox,
                                 .view = {.readable = {}, .writable = {scratch}, .tool = true}};
  spec.limits.wall = std::chrono::seconds(60);
  return spec;
}

/// Why it failed, or nothing.
std::string try_out(const ProcessSpec& spec) {
  try {
    const ProcessResult result = run_process(spec);
    return result.ok() ? ""
                       : fmt::format("{} {}: {}", fs::path(spec.argv[0]).filename().string(),
                                     describe_end(result, spec.limits),
                                     printable(result.err.substr(0, 300)));
  } catch (const EnvironmentError& e) {
    return e.what();
  }
}

/// Whether programs in there really have a filter.
bool filters_system_calls(const Sandbox& sandbox, const fs::path& scratch) {
  return try_out(spec_in(sandbox, scratch,
                         {"/bin/grep", "-q", "^Seccomp:[[:space:]]*2", "/proc/self/status"}))
      .empty();
}

}  // namespace

SandboxProbe probe_sandbox(const Installation& installation, const Toolchain& toolchain) {
  const fs::path bwrap = find_in_path("bwrap");
  if (bwrap.empty()) {
    return {.sandbox = {},
            .problem = "bubblewrap is not installed (Debian, Ubuntu: package bubblewrap)"};
  }
  Sandbox sandbox{.bwrap = bwrap,
                  // The kernel does not count the processes of root.
                  .limits_processes = ::geteuid() != 0 && ::access("/usr/bin/prlimit", X_OK) == 0,
                  .readable = toolchain_paths(toolchain),
                  .hidden = hidden_paths(installation)};
  for (const SyscallTable table : {SyscallTable::tool, SyscallTable::worker}) {
    try {
      (void)syscall_filter(table);
    } catch (const EnvironmentError& e) {
      return {.sandbox = {}, .problem = e.what()};
    }
  }
  const ScratchFolder scratch;
  // One start tells that both work; a second one only which does not.
  if (!filters_system_calls(sandbox, scratch.path())) {
    if (const std::string why = try_out(spec_in(sandbox, scratch.path(), {"/bin/true"}));
        !why.empty()) {
      return {.sandbox = {},
              .problem = fmt::format(
                  "bubblewrap does not work here ({}); it needs user namespaces: in a container, "
                  "allow them (Docker: --security-opt seccomp=unconfined --security-opt "
                  "apparmor=unconfined); on Ubuntu 24.04, see sysctl "
                  "kernel.apparmor_restrict_unprivileged_userns",
                  why)};
    }
    return {.sandbox = {},
            .problem =
                "bubblewrap or the kernel does not support system call filters (seccomp); "
                "submissions could use every system call"};
  }
  write_file_atomically(scratch.path() / "probe.cu", "__global__ void probe() {}\n");
  const std::string why =
      try_out(spec_in(sandbox, scratch.path(),
                      {toolchain.real_nvcc().string(), "-c", "probe.cu", "-o", "probe.o"}));
  if (!why.empty()) {
    return {.sandbox = {}, .problem = fmt::format("nvcc does not work inside bubblewrap: {}", why)};
  }
  return {.sandbox = std::move(sandbox), .problem = ""};
}

Sandbox find_sandbox(SandboxMode mode, const Installation& installation, const Toolchain& toolchain,
                     std::string& note) {
  if (mode == SandboxMode::none) {
    return {};
  }
  static std::mutex mutex;
  static std::optional<SandboxProbe> probed;
  const std::lock_guard lock(mutex);
  if (!probed) {
    probed = probe_sandbox(installation, toolchain);
  }
  if (!probed->problem.empty()) {
    if (mode == SandboxMode::bubblewrap) {
      throw EnvironmentError(
          fmt::format("submissions cannot be isolated: {}. To grade without isolation, with every "
                      "submission running under your privileges, use --sandbox none",
                      probed->problem));
    }
    note = fmt::format("not isolated: {}", probed->problem);
  }
  return probed->sandbox;
}

}  // namespace warpgrade
