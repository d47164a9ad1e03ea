#include "grader/build/python/python_tools.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <system_error>

#include "grader/build/compile/build_site.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Prints the version of Numba without loading it, which would take a second.
constexpr const char* kVersionOfNumba =
    "import importlib.metadata, importlib.util as u\n"
    "if u.find_spec('numba'): print(importlib.metadata.version('numba'))";

/// Empty if this Python has no Numba.
std::string numba_version(const fs::path& python) {
  const ScratchFolder scratch;
  const ProcessResult result =
      run_process(plain_tool({python.string(), "-IB", "-c", kVersionOfNumba}, scratch.path()));
  return result.ok() ? std::string(trimmed(result.out)) : std::string();
}

std::vector<fs::path> toolkits(const Toolchain& toolchain) {
  std::vector<fs::path> folders;
  if (toolchain.compiler.kind == CompilerKind::nvcc) folders.push_back(toolchain.compiler.folder);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable); value != nullptr && *value == '/') {
      folders.emplace_back(value);
    }
  }
  folders.emplace_back("/usr/local/cuda");
  std::erase_if(folders, [](const fs::path& folder) { return folder.empty(); });
  return folders;
}

std::vector<fs::path> interpreters() {
  if (const char* own = std::getenv("WARPGRADE_PYTHON"); own != nullptr && *own != '\0') {
    return {own};
  }
  return {find_in_path("python3"), "/usr/bin/python3"};
}

PythonTools search(const Toolchain& toolchain) {
  PythonTools tools;
  std::vector<std::string> tried;
  for (const fs::path& python : interpreters()) {
    if (python.empty() || !tools.version.empty()) continue;
    tried.push_back(python.string());
    if (const std::string version = numba_version(python); !version.empty()) {
      tools.interpreter = python;
      tools.version = "Numba " + version;
    }
  }
  if (tools.version.empty()) {
    throw EnvironmentError(fmt::format(
        "submissions in Python need Numba, and {}; install it (on Debian and Ubuntu: package "
        "python3-numba)",
        tried.empty() ? std::string("no python3 was found in PATH")
                      : fmt::format("it is not in {}", join_and(tried))));
  }
  std::vector<std::string> folders;
  for (const fs::path& toolkit : toolkits(toolchain)) {
    tools.nvvm = find_libnvvm(toolkit);
    tools.libdevice = toolkit / "nvvm" / "libdevice" / "libdevice.10.bc";
    std::error_code error;
    tools.libraries = toolkit / (fs::is_directory(toolkit / "lib64", error) ? "lib64" : "lib");
    if (!tools.nvvm.empty() && fs::exists(tools.libdevice, error)) return tools;
    folders.push_back(toolkit.string());
  }
  throw EnvironmentError(fmt::format(
      "submissions in Python need libNVVM and libdevice, with which Numba compiles kernels, and "
      "they are not in {}; install the CUDA Toolkit or NVIDIA's package nvidia-nvvm, and set "
      "CUDA_HOME to their folder",
      join_and(folders)));
}

}  // namespace

fs::path find_libnvvm(const fs::path& toolkit) {
  for (const char* const folder : {"nvvm/lib64", "lib64", "lib", "nvvm/lib"}) {
    fs::path newest;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(toolkit / folder, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("libnvvm.so")) newest = std::max(newest, entry.path());
    }
    if (!newest.empty()) return newest;
  }
  return {};
}

const PythonTools& find_python_tools(const Toolchain& toolchain) {
  static std::mutex mutex;
  static std::optional<PythonTools> found;
  const std::lock_guard lock(mutex);
  if (!found) found = search(toolchain);
  return *found;
}

}  // namespace warpgrade
