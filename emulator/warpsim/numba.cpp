#include "emulator/warpsim/numba.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <system_error>

namespace warpsim {
namespace {

namespace fs = std::filesystem;

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// The toolkit that Numba would use: its rule is the same.
fs::path toolkit_folder() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* value = std::getenv(variable)) return value;
  }
  return "/usr/local/cuda";
}

fs::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return fs::path(cache) / "warpgrade";
  }
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "warpgrade" : fs::path();
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    entries.push_back(entry.path());
  }
  std::ranges::sort(entries);
  return entries;
}

bool is_libnvvm(const fs::path& file) {
  return file.filename().string().starts_with("libnvvm.so");
}

/// The files of libNVVM in the first of these folders that has it.
std::vector<fs::path> find_libnvvm(const fs::path& toolkit, std::vector<std::string> folders) {
  for (const std::string& folder : folders) {
    std::vector<fs::path> files = entries_of(toolkit / folder);
    std::erase_if(files, [](const fs::path& file) { return !is_libnvvm(file); });
    if (!files.empty()) return files;
  }
  return {};
}

void link_into(const fs::path& folder, const std::vector<fs::path>& targets,
               const std::string& except = {}) {
  fs::create_directories(folder);
  for (const fs::path& target : targets) {
    if (target.filename() != except) fs::create_symlink(target, folder / target.filename());
  }
}

}  // namespace

fs::path toolkit_for_numba(const fs::path& toolkit, const fs::path& cache) {
  std::error_code failure;
  const fs::path real = fs::canonical(toolkit, failure);
  if (failure || cache.empty()) return {};
  if (!find_libnvvm(real, {"nvvm/lib64"}).empty()) return {};
  const std::vector<fs::path> libnvvm = find_libnvvm(real, {"lib64", "lib", "nvvm/lib"});
  if (libnvvm.empty()) return {};
  std::string contents;
  for (const fs::path& folder : {real, real / "nvvm"}) {
    for (const fs::path& entry : entries_of(folder)) contents += entry.string() + "\n";
  }
  const fs::path made = cache / fmt::format("toolkit-{:016x}", std::hash<std::string>{}(contents));
  if (fs::exists(made, failure)) return made;
  const fs::path draft = made.string() + "." + std::to_string(::getpid());
  try {
    link_into(draft, entries_of(real), "nvvm");
    link_into(draft / "nvvm", entries_of(real / "nvvm"), "lib64");
    link_into(draft / "nvvm" / "lib64", libnvvm);
    fs::rename(draft, made);
  } catch (const fs::filesystem_error&) {
    fs::remove_all(draft, failure);
    // Another process may have been quicker.
    return fs::exists(made, failure) ? made : fs::path();
  }
  return made;
}

std::vector<std::pair<std::string, std::string>> numba_environment(const fs::path& libraries) {
  std::vector<std::pair<std::string, std::string>> variables;
  // Numba prefers libcuda.so, which a machine with a GPU has.
  variables.emplace_back("NUMBA_CUDA_DRIVER", libraries / "libcuda.so.1");
  // Numba 0.56 writes version 1.6 of NVVM IR. libNVVM of CUDA 13 is at 2.0 and compiles it, but
  // refuses the number unless this check is off.
  if (!is_set("NVVM_IR_VER_CHK")) variables.emplace_back("NVVM_IR_VER_CHK", "0");
  if (const fs::path toolkit = toolkit_for_numba(toolkit_folder(), cache_folder());
      !toolkit.empty()) {
    variables.emplace_back("CUDA_HOME", toolkit);
  }
  return variables;
}

}  // namespace warpsim
