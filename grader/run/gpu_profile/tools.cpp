#include "grader/run/gpu_profile/tools.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "grader/core/text.h"
#include "grader/run/worker/worker.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestReason = 300;

fs::path program_of(const std::string& name, const Toolchain& toolchain) {
  if (fs::path found = find_in_path(name); !found.empty()) {
    return found;
  }
  std::error_code error;
  for (const fs::path& folder :
       {toolchain.compiler.folder / "bin", toolchain.compiler.program.parent_path(),
        fs::path("/usr/local/cuda/bin")}) {
    if (fs::exists(folder / name, error)) {
      return folder / name;
    }
  }
  return {};
}

/// Whether every sandbox contains it. Mounting it again would fail if a link leads to it.
bool is_of_the_system(const fs::path& path) {
  constexpr std::array kFolders = {"/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/"};
  return std::any_of(kFolders.begin(), kFolders.end(),
                     [&](const char* folder) { return path.string().starts_with(folder); });
}

/// Whether a folder is a complete installation of an NVIDIA tool.
bool is_installation(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "target", error) ||
         fs::exists(folder / "libsanitizer-collection.so", error);
}

/// ncu's error message: the first "==ERROR==" line, without that prefix.
std::string first_error(std::string_view log) {
  constexpr std::string_view kMark = "==ERROR== ";
  for (const std::string_view line : split_lines(log)) {
    if (line.starts_with(kMark)) {
      return printable(line.substr(kMark.size(), kLongestReason));
    }
  }
  return {};
}

std::string sandbox_words(bool in_sandbox) {
  return in_sandbox ? " If it works with --sandbox none, it does not work inside bubblewrap on "
                      "this machine."
                    : "";
}

ToolRun failed_run(const std::string& tool, const ProcessResult& process, const std::string& why,
                   bool in_sandbox) {
  ToolRun run{.tool = tool, .name = {}, .end = ToolEnd::failed, .message = {}};
  run.seconds = process.seconds;
  const ProcessLimits limits{.wall = kWatchedWallLimit};
  if (process.end == ProcessEnd::out_of_time) {
    run.end = ToolEnd::out_of_time;
    run.message = fmt::format("It {}: no result.", describe_end(process, limits));
    return run;
  }
  run.message = fmt::format("It {} without a result{}{}.{}", describe_end(process, limits),
                            why.empty() ? "" : ": ", why.substr(0, why.find_last_not_of(". ") + 1),
                            sandbox_words(in_sandbox));
  return run;
}

}  // namespace

NvidiaTool find_tool(const std::string& name, const Toolchain& toolchain) {
  NvidiaTool tool{.program = program_of(name, toolchain), .readable = {}};
  if (tool.program.empty()) {
    return tool;
  }
  std::error_code error;
  const fs::path real = fs::canonical(tool.program, error);
  const auto show = [&](const fs::path& path) {
    if (!path.empty() && !is_of_the_system(path) && fs::exists(path, error)) {
      tool.readable.push_back(path);
    }
  };
  // The program in PATH is often a script in the toolkit, or a link to the tool.
  show(tool.program);
  show(real);
  if (is_installation(real.parent_path())) {
    show(real.parent_path());
  }
  show("/opt/nvidia");
  return tool;
}

ToolRun missing_tool(const std::string& name) {
  const bool ncu = name == "ncu";
  return {.tool = name,
          .name = {},
          .end = ToolEnd::missing,
          .message = fmt::format(
              "{} is neither in PATH nor in the toolkit: install NVIDIA's package {}-<version>.",
              name, ncu ? "cuda-nsight-compute" : "cuda-sanitizer")};
}

ToolRun failed_ncu(const ProcessResult& process, std::string_view log, bool in_sandbox) {
  if (log.find("ERR_NVGPUCTRPERM") != std::string_view::npos) {
    return {.tool = "ncu",
            .name = {},
            .end = ToolEnd::not_permitted,
            .message = fmt::format(
                "The driver restricts GPU counters to administrators: load its module with "
                "NVreg_RestrictProfilingToAdminUsers=0 (developer.nvidia.com/ERR_NVGPUCTRPERM){}.",
                in_sandbox ? ", or run as administrator with --sandbox none" : ""),
            .seconds = process.seconds};
  }
  if (process.end != ProcessEnd::out_of_time &&
      log.find("No kernels were profiled") != std::string_view::npos) {
    return {.tool = "ncu",
            .name = {},
            .end = ToolEnd::done,
            .message = "No kernel was launched.",
            .seconds = process.seconds};
  }
  return failed_run("ncu", process, first_error(log), in_sandbox);
}

ToolRun failed_sanitizer(const std::string& tool, const ProcessResult& process,
                         const std::string& problem, bool in_sandbox) {
  return failed_run(tool, process, printable(problem.substr(0, kLongestReason)), in_sandbox);
}

}  // namespace warpgrade
