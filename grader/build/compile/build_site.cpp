#include "grader/build/compile/build_site.h"

#include <fmt/core.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <string>

#include "grader/core/error.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kCompileLimit{60};
constexpr std::uint64_t kCompileMemory = std::uint64_t{4} << 30;
constexpr std::chrono::seconds kCompileCpu{100};  // of each of the compiler's programs
constexpr std::uint64_t kCompileFolder = std::uint64_t{1} << 30;
constexpr std::uint64_t kCompileAddresses = std::uint64_t{8} << 30;
constexpr std::size_t kCompileProcesses = 256;
constexpr std::size_t kLogBytes = 256 * 1024;

/// Whether a compiler says that a program which it started was killed: "nvcc error : 'cicc' died
/// due to signal 9", "g++: fatal error: Killed signal terminated program cc1plus". Not a message
/// about a source, which begins with its name and line, nor a line of the source.
bool tells_of_kill(const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const std::string who = line.substr(0, line.find(':'));
    const std::string what = line.substr(who.size());
    if (!who.starts_with(' ') && who.find_first_of(".(|#") == std::string::npos &&
        (what.find("signal 9") != std::string::npos || what.find("Killed") != std::string::npos)) {
      return true;
    }
  }
  return false;
}

/// Whether a step was killed by somebody else, or a program that it started, or the machine was too
/// busy for it.
bool was_killed(const ProcessResult& result) {
  if (result.end == ProcessEnd::starved) return true;
  if (result.end == ProcessEnd::signalled) return result.code == SIGKILL;
  return result.end == ProcessEnd::exited && !result.ok() && tells_of_kill(result.out + result.err);
}

}  // namespace

ProcessSpec plain_tool(std::vector<std::string> argv, const fs::path& folder) {
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.folder = folder;
  spec.environment = base_environment();
  std::erase_if(spec.environment, [](const auto& entry) { return entry.first == "TMPDIR"; });
  spec.environment.emplace_back("TMPDIR", folder.string());  // goes with the scratch folder
  spec.limits.wall = kCompileLimit;
  spec.limits.computes = true;
  spec.limits.resident_bytes = kCompileMemory;
  spec.limits.file_bytes = kCompileFile;
  spec.limits.output_bytes = kLogBytes;
  spec.limits.cpu = kCompileCpu;
  spec.limits.processes = kCompileProcesses;
  spec.limits.folder_bytes = kCompileFolder;
  return spec;
}

ProcessSpec BuildSite::tool(std::vector<std::string> argv, const fs::path& folder) const {
  ProcessSpec spec = plain_tool(std::move(argv), folder);
  spec.environment.back().second = scratch.string();  // TMPDIR
  spec.confinement = Confinement{
      .sandbox = toolchain.sandbox,
      .view = {.readable = {installation.worker_library()}, .writable = {scratch}, .tool = true}};
  std::vector<fs::path> optional = {shared.glue, shared.headers.device, shared.headers.host,
                                    debugged};
  if (!lab.program || fs::exists(lab.header)) optional.push_back(lab.header);
  optional.insert(optional.end(), lab.given.begin(), lab.given.end());
  if (lab.program) optional.push_back(installation.wb_header);
  for (const fs::path& path : optional) {
    if (!path.empty()) spec.confinement->view.readable.push_back(path);
  }
  if (toolchain.sandbox.on()) {
    spec.limits.address_bytes = kCompileAddresses;
  }
  return spec;
}

ProcessResult run_step(const ProcessSpec& spec) {
  ProcessResult result = run_process(spec);
  if (!was_killed(result)) return result;
  result = run_process(spec);
  if (!was_killed(result)) return result;
  const bool starved = result.end == ProcessEnd::starved;
  throw EnvironmentError(
      fmt::format("{} {}, twice; try again when there is less to do on this machine",
                  fs::path(spec.argv[0]).filename().string(),
                  starved ? describe_end(result, spec.limits)
                          : "was killed from outside, perhaps for lack of memory"));
}

void run_own_step(const ProcessSpec& spec) {
  const ProcessResult result = run_step(spec);
  if (!result.ok()) {
    throw EnvironmentError(fmt::format("{} {}: {}", fs::path(spec.argv[0]).filename().string(),
                                       describe_end(result, spec.limits), printable(result.err)));
  }
}

}  // namespace warpgrade
