#include "emulator/warpsim/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "emulator/symbols/elf_file.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRebuild =
    "rebuild it with NVCC_APPEND_FLAGS=\"-cudart shared -lineinfo\" in the environment of nvcc";

bool is_executable_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::string search_path(const std::string& name) {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (is_executable_file(candidate)) return candidate;
  }
  return {};
}

std::string find_program(const std::string& name, std::string& error) {
  if (name.find('/') == name.npos) {
    std::string found = search_path(name);
    if (!found.empty()) return found;
    error = fs::exists(name)
                ? fmt::format("'{}' is not in PATH; to run the file here, write './{}'", name, name)
                : fmt::format("'{}' is not in PATH", name);
    return {};
  }
  std::error_code status;
  if (!fs::exists(name, status)) {
    error = fmt::format("'{}' does not exist", name);
  } else if (fs::is_directory(name, status)) {
    error = fmt::format("'{}' is a folder", name);
  } else if (!is_executable_file(name)) {
    error =
        fmt::format("'{}' is not executable: {}", name,
                    name.ends_with(".cu") ? "compile it with nvcc -cudart shared -lineinfo first"
                                          : "use chmod +x");
  }
  return name;
}

}  // namespace

ProgramFile examine_program(const std::string& name, std::string& error) {
  ProgramFile program;
  program.path = find_program(name, error);
  if (!error.empty()) return program;
  const auto file = ElfFile::open(program.path);
  // A script may run CUDA programs, which inherit the environment.
  if (!file) return program;
  program.fixed_search_path = file->has_rpath();
  program.needed = file->needed();
  for (const std::string& library : program.needed) {
    if (library.starts_with("libcudart.so.")) program.runtimes.push_back(library);
  }
  if (program.runtimes.empty() && file->has_section(".nv_fatbin")) {
    error = fmt::format(
        "'{}' is statically linked with the CUDA runtime, so the emulator cannot replace it; {}",
        name, kRebuild);
  }
  for (const std::string& runtime : program.runtimes) {
    if (runtime == "libcudart.so.12" || runtime == "libcudart.so.13") continue;
    error = fmt::format(
        "'{}' needs {}; the emulator supports CUDA 12 and 13, so rebuild it with one of these "
        "toolkits",
        name, runtime);
  }
  return program;
}

}  // namespace warpsim
