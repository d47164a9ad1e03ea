#include "grader/build/toolchain/find_sandbox.h"

#include <fmt/core.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>

#include "grader/build/toolchain/clang_command.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "grader/core/user_cache.h"
#include "grader/process/process.h"
#include "grader/process/usage.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr int kProbedArchitecture = 75;  // every clang knows it
constexpr const char* kSystemFolders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"};

bool inside(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool in_system(const fs::path& path) {
  return std::any_of(std::begin(kSystemFolders), std::end(kSystemFolders),
                     [&](const char* folder) { return inside(path, folder); });
}

/// The toolchain's own places, where they are not under /usr: the toolkit, clang's libraries and
/// the CUDA headers for it as folders, everything else as the one file, for who knows what else
/// lies beside it.
std::vector<fs::path> toolchain_paths(const Toolchain& toolchain) {
  std::vector<fs::path> paths;
  const Compiler& compiler = toolchain.compiler;
  const bool own_cudart = compiler.kind == CompilerKind::clang;
  for (const fs::path& path :
       {compiler.folder, own_cudart ? toolchain.cudart : toolchain.cudart.parent_path(),
        compiler.program, compiler.cuda_headers, toolchain.cxx, toolchain.ld, toolchain.lld,
        toolchain.objcopy}) {
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
  // As in a build: the user's folder for temporary files is not in the sandbox.
  std::erase_if(spec.environment, [](const auto& entry) { return entry.first == "TMPDIR"; });
  spec.environment.emplace_back("TMPDIR", scratch.string());
  spec.confinement = Confinement{.sandbox = sandbox,
                                 .view = {.readable = {}, .writable = {scratch}, .tool = true}};
  spec.limits.wall = std::chrono::seconds(60);
  return spec;
}

/// Why it failed, or nothing.
/// @param seconds  processor time, added to it
std::string try_out(const ProcessSpec& spec, double* seconds = nullptr) {
  try {
    const ProcessResult result = run_process(spec);
    if (seconds != nullptr) *seconds += result.cpu_seconds;
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

/// A sandbox in which an empty program runs.
SandboxProbe start_sandbox(const Installation& installation, const Toolchain& toolchain) {
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
  return {.sandbox = std::move(sandbox), .problem = ""};
}

/// Compiles an empty kernel in this sandbox, or without one.
/// @returns why it failed, or nothing
/// @throws EnvironmentError  if the compiler is not usable, with or without a sandbox
std::string try_compiler(const Sandbox& sandbox, const Compiler& compiler) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "probe.cu", "__global__ void probe() {}\n");
  std::vector<std::string> compile = {
      (sandbox.on() ? compiler.program_in_sandbox() : compiler.program).string(), "-c"};
  if (compiler.kind == CompilerKind::clang) {
    compile = clang_device_command(compiler, {.architecture = kProbedArchitecture});
  }
  compile.insert(compile.end(), {"probe.cu", "-o", "probe.o"});
  double seconds = 0;
  const std::string why = try_out(spec_in(sandbox, scratch.path(), compile), &seconds);
  count_processor_time(Work::compiler, seconds);
  if (!why.empty() && compiler.kind == CompilerKind::clang) {
    if (std::string fault = clang_problem(compiler, kProbedArchitecture, why); !fault.empty()) {
      throw EnvironmentError(fault);
    }
  }
  return why;
}

/// Notes that a compiler works in a sandbox. It stays true until one of the two, what the sandbox
/// shows, the kernel or the user's environment changes.
class WorkedBefore {
 public:
  WorkedBefore(const Sandbox& sandbox, const Compiler& compiler) {
    Sha256 key;
    const auto add_program = [&key](const fs::path& program) {
      key.add_field(program.string());
      key.add_field(file_stamp(program));
    };
    add_program("/proc/self/exe");
    add_program(sandbox.bwrap);
    add_program(compiler.program);
    add_program(compiler.program_in_sandbox());
    key.add_field(compiler.name());
    key.add_field(compiler.cuda_headers.string());
    for (const std::vector<fs::path>& paths : {sandbox.readable, sandbox.hidden}) {
      key.add_field(std::to_string(paths.size()));
      for (const fs::path& path : paths) key.add_field(path.string());
    }
    for (const auto& [name, value] : base_environment()) key.add_field(name + "=" + value);
    utsname kernel{};
    ::uname(&kernel);
    key.add_field(static_cast<const char*>(kernel.release));
    key.add_field(std::to_string(::geteuid()));
    file_ = cache_file("sandbox", key.hex() + ".txt");
  }

  [[nodiscard]] bool noted() const { return read_cached(file_).has_value(); }
  void note() const { write_cached(file_, "a compilation worked\n"); }
  void forget() const {
    std::error_code error;
    fs::remove(file_, error);
  }

 private:
  fs::path file_;
};

std::string compiler_problem(const Compiler& compiler, const std::string& why) {
  return fmt::format("{} does not work inside bubblewrap: {}", slug(compiler.kind), why);
}

}  // namespace

SandboxProbe probe_sandbox(const Installation& installation, const Toolchain& toolchain) {
  SandboxProbe probe = start_sandbox(installation, toolchain);
  if (!probe.problem.empty()) return probe;
  if (const std::string why = try_compiler(probe.sandbox, toolchain.compiler); !why.empty()) {
    return {.sandbox = {}, .problem = compiler_problem(toolchain.compiler, why)};
  }
  return probe;
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
    probed = start_sandbox(installation, toolchain);
    const WorkedBefore before(probed->sandbox, toolchain.compiler);
    if (probed->problem.empty() && !before.noted()) {
      probed = probe_sandbox(installation, toolchain);
      if (probed->problem.empty()) before.note();
    }
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

void require_working_compiler(const Toolchain& toolchain) {
  static std::mutex mutex;
  static std::optional<std::string> problem;
  const std::lock_guard lock(mutex);
  if (!problem) {
    problem = try_compiler(toolchain.sandbox, toolchain.compiler);
    if (!problem->empty()) WorkedBefore(toolchain.sandbox, toolchain.compiler).forget();
  }
  if (!problem->empty()) {
    throw EnvironmentError(fmt::format("{} no longer works: {}; run `warpgrade doctor`",
                                       toolchain.compiler.program.string(), *problem));
  }
}

}  // namespace warpgrade
