#include "grader/toolchain/toolchain.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include "grader/core/error.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

fs::path require(const char* program, const char* package) {
  fs::path found = find_in_path(program);
  if (found.empty()) {
    throw EnvironmentError(
        fmt::format("{} was not found in PATH; install it (on Debian and Ubuntu: package {})",
                    program, package));
  }
  return found;
}

/// "13.0" from "Cuda compilation tools, release 13.0, V13.0.88".
std::string nvcc_version(const fs::path& nvcc) {
  ProcessSpec spec;
  spec.argv = {nvcc.string(), "--version"};
  spec.environment = base_environment();
  spec.limits.wall = std::chrono::seconds(30);
  const ProcessResult result = run_process(spec);
  static constexpr std::string_view kMark = "release ";
  const std::size_t at = result.out.find(kMark);
  if (!result.ok() || at == std::string::npos) {
    throw EnvironmentError(
        fmt::format("{} --version {}; reinstall the CUDA Toolkit", nvcc.string(),
                    result.ok() ? "does not name a release" : describe_end(result, spec.limits)));
  }
  const std::size_t start = at + kMark.size();
  return result.out.substr(start, result.out.find(',', start) - start);
}

/// The toolkit's own folder, as nvcc says it. The nvcc in PATH may be a link, a script or a ccache
/// wrapper anywhere on the machine, so its place says nothing; a dry run names the toolkit.
fs::path toolkit_folder(const fs::path& nvcc) {
  ProcessSpec spec;
  spec.argv = {nvcc.string(), "--dryrun", "-x", "cu", "/dev/null"};
  spec.environment = base_environment();
  spec.limits.wall = std::chrono::seconds(30);
  const ProcessResult result = run_process(spec);
  static constexpr std::string_view kMark = "#$ TOP=";
  const std::string text = result.out + result.err;
  const std::size_t at = text.find(kMark);
  if (at == std::string::npos) {
    return {};
  }
  const std::size_t start = at + kMark.size();
  std::error_code error;
  const fs::path top = fs::canonical(text.substr(start, text.find('\n', start) - start), error);
  return error ? fs::path() : top;
}

}  // namespace

fs::path find_nvcc() {
  if (fs::path found = find_in_path("nvcc"); !found.empty()) {
    return found;
  }
  std::vector<fs::path> homes;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(name)) {
      homes.emplace_back(value);
    }
  }
  homes.emplace_back("/usr/local/cuda");
  for (const fs::path& home : homes) {
    fs::path candidate = home / "bin" / "nvcc";
    if (::access(candidate.c_str(), X_OK) == 0) {
      return candidate;
    }
  }
  return {};
}

fs::path find_cudart(const fs::path& nvcc) {
  std::error_code error;
  for (const fs::path& home : {toolkit_folder(nvcc), nvcc.parent_path().parent_path()}) {
    for (const char* folder :
         {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
      if (!home.empty() && fs::exists(home / folder / "libcudart.so", error)) {
        return home / folder;
      }
    }
  }
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"}) {
    if (fs::exists(fs::path(folder) / "libcudart.so", error)) {
      return folder;
    }
  }
  return {};
}

Toolchain find_toolchain() {
  Toolchain toolchain;
  toolchain.nvcc = find_nvcc();
  if (toolchain.nvcc.empty()) {
    throw EnvironmentError(
        "nvcc was not found in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda; install the CUDA "
        "Toolkit (12 or 13, no GPU needed), then run `warpgrade doctor`");
  }
  toolchain.cxx = require("g++", "g++");
  toolchain.ld = require("ld", "binutils");
  toolchain.lld = find_in_path("ld.lld");
  toolchain.objcopy = require("objcopy", "binutils");
  toolchain.cudart_folder = find_cudart(toolchain.nvcc);
  if (toolchain.cudart_folder.empty()) {
    throw EnvironmentError(
        fmt::format("no libcudart.so was found beside {}; install the toolkit's runtime "
                    "development files (cuda-cudart-dev)",
                    toolchain.nvcc.string()));
  }
  toolchain.toolkit = toolkit_folder(toolchain.nvcc);
  toolchain.version = nvcc_version(toolchain.nvcc);
  return toolchain;
}

fs::path Toolchain::objdump() const {
  return objcopy.parent_path() / "objdump";
}

fs::path Toolchain::real_nvcc() const {
  const fs::path own = toolkit / "bin" / "nvcc";
  return !toolkit.empty() && ::access(own.c_str(), X_OK) == 0 ? own : nvcc;
}

}  // namespace warpgrade
