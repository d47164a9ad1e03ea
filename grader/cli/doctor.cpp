#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include "grader/build/toolchain/find_sandbox.h"
#include "grader/build/toolchain/toolchain.h"
#include "grader/cli/commands.h"
#include "grader/core/installation.h"
#include "grader/core/text.h"
#include "grader/process/pipe.h"
#include "grader/process/process.h"
#include "grader/run/device/device.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kNeededBytes = std::uint64_t{2} << 30;

enum class Health { ok, missing, optional_missing };

struct Finding {
  Health health = Health::ok;
  std::string what;  // what is there, or what to do
};

struct Check {
  const char* name;
  std::function<Finding()> look;
};

Finding ok(std::string what) {
  return {Health::ok, std::move(what)};
}

Finding missing(std::string what) {
  return {Health::missing, std::move(what)};
}

Finding optional(std::string what) {
  return {Health::optional_missing, std::move(what)};
}

Finding look_for_program(const char* program, const char* package) {
  const fs::path found = find_in_path(program);
  return found.empty() ? missing(fmt::format("install it (Debian, Ubuntu: package {})", package))
                       : ok(found.string());
}

/// A compiler, or why there is none: only missing where there is no other.
Finding look_for_compiler(CompilerRequest request) {
  try {
    const Compiler compiler = find_compiler(request, find_installation());
    return ok(fmt::format("{} ({})", compiler.program.string(), compiler.version));
  } catch (const EnvironmentError& e) {
    const CompilerRequest other =
        request == CompilerRequest::nvcc ? CompilerRequest::clang : CompilerRequest::nvcc;
    try {
      (void)find_compiler(other, find_installation());
      return optional(e.what());
    } catch (const EnvironmentError&) {
      return missing(e.what());
    }
  }
}

Finding look_for_nvcc() {
  return look_for_compiler(CompilerRequest::nvcc);
}

Finding look_for_clang() {
  return look_for_compiler(CompilerRequest::clang);
}

/// What nvcc's programs are linked against; clang's take the emulator's.
Finding look_for_cudart() {
  try {
    const Compiler nvcc = find_compiler(CompilerRequest::nvcc, find_installation());
    const fs::path folder = find_cudart(nvcc);
    return folder.empty() ? missing("install the toolkit's runtime development files")
                          : ok(folder.string());
  } catch (const EnvironmentError&) {
    return optional("not needed without nvcc");
  }
}

Finding look_for_labs() {
  try {
    return ok((find_installation().root / "labs").string());
  } catch (const EnvironmentError& e) {
    return missing(e.what());
  }
}

Finding look_for_emulator() {
  try {
    return ok(emulator_device(find_installation()).library_folder.string());
  } catch (const EnvironmentError& e) {
    return missing(e.what());
  }
}

/// Whether the emulator can compile kernels for this processor (docs/native-code.md): it maps
/// memory of a file a second time, to be executed.
Finding look_for_executable_memory() {
#if defined(__x86_64__)
  constexpr std::size_t kBytes = 4096;
  if (!__builtin_cpu_supports("avx2")) {
    return optional("the processor has no AVX2: kernels are interpreted, which takes longer");
  }
  const Descriptor file(::memfd_create("code", MFD_CLOEXEC));
  void* code = MAP_FAILED;
  if (file.get() >= 0 && ::ftruncate(file.get(), kBytes) == 0) {
    code = ::mmap(nullptr, kBytes, PROT_READ | PROT_EXEC, MAP_SHARED, file.get(), 0);
  }
  if (code == MAP_FAILED) {
    return optional(
        fmt::format("the system refuses executable memory ({}): kernels are "
                    "interpreted, which takes longer",
                    std::generic_category().message(errno)));
  }
  ::munmap(code, kBytes);
  return ok("hot parts of kernels are compiled for this processor");
#else
  return optional("none for this processor: kernels are interpreted, which takes longer");
#endif
}

Finding look_for_worker() {
  try {
    const fs::path library = find_installation().worker_library();
    return fs::exists(library) ? ok(library.string()) : missing("build the project");
  } catch (const EnvironmentError& e) {
    return missing(e.what());
  }
}

Finding look_for_gpu() {
  const std::optional<Gpu> gpu = find_gpu();
  return gpu ? ok(gpu->name)
             : optional("none; everything runs on the emulator with modelled times");
}

Finding look_at_sandbox() {
  try {
    const Installation installation = find_installation();
    const SandboxProbe probe =
        probe_sandbox(installation, find_toolchain(CompilerRequest::automatic, installation));
    return probe.problem.empty()
               ? ok(fmt::format("submissions run isolated{}",
                                probe.sandbox.limits_processes
                                    ? ""
                                    : "; as root, processes are counted but not limited"))
               : optional(fmt::format("{}; `grade` then needs --sandbox none", probe.problem));
  } catch (const EnvironmentError&) {
    return optional("not tested: it needs the compiler, see above");
  }
}

Finding look_at_disk() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  const fs::space_info space = fs::space(folder, error);
  if (error) {
    return missing(fmt::format("{}: {}; set TMPDIR", folder.string(), error.message()));
  }
  const std::string text =
      fmt::format("{} free in {}", human_bytes(space.available), folder.string());
  return space.available < kNeededBytes
             ? missing(fmt::format("{}; at least {} are needed, or set TMPDIR", text,
                                   human_bytes(kNeededBytes)))
             : ok(text);
}

Finding look_at_locale() {
  const char* name = std::setlocale(LC_ALL, "");
  Finding finding =
      name == nullptr ? optional("the environment specifies one that is not installed; set LC_ALL")
                      : ok(fmt::format("{} (compilers and workers run in C.UTF-8)", name));
  std::setlocale(LC_ALL, "C");
  return finding;
}

const std::vector<Check>& checks() {
  static const std::vector<Check> kChecks = {
      {"nvcc", look_for_nvcc},
      {"clang", look_for_clang},
      {"CUDA runtime", look_for_cudart},
      {"g++", [] { return look_for_program("g++", "g++"); }},
      {"ld", [] { return look_for_program("ld", "binutils"); }},
      {"objcopy", [] { return look_for_program("objcopy", "binutils"); }},
      {"labs", look_for_labs},
      {"emulator", look_for_emulator},
      {"native code", look_for_executable_memory},
      {"worker library", look_for_worker},
      {"GPU", look_for_gpu},
      {"sandbox", look_at_sandbox},
      {"disk", look_at_disk},
      {"locale", look_at_locale},
  };
  return kChecks;
}

ExitCode run_doctor() {
  bool all_there = true;
  for (const Check& check : checks()) {
    const Finding finding = check.look();
    const char* mark = finding.health == Health::ok        ? "ok"
                       : finding.health == Health::missing ? "MISSING"
                                                           : "-";
    fmt::print("{:<8} {:<15} {}\n", mark, check.name, finding.what);
    all_there = all_there && finding.health != Health::missing;
  }
  return all_there ? ExitCode::passed : ExitCode::environment;
}

}  // namespace

void add_doctor_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("doctor", "Check this machine for what grading needs");
  command->callback([&action] { action = run_doctor; });
}

}  // namespace warpgrade
