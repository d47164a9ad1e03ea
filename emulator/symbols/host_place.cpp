#include "emulator/symbols/host_place.h"

#include <dlfcn.h>
#include <errno.h>

#include <cstdio>
#include <filesystem>

namespace warpsim {
namespace {

/// The folder of the library or program that contains this code.
std::filesystem::path own_folder() {
  static const char here = 0;
  Dl_info info = {};
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return {};
  const std::filesystem::path file = info.dli_fname;
  std::error_code ignored;
  return file == program_invocation_name
             ? std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path()
             : file.parent_path();
}

FindHostPlace* load() {
  const std::filesystem::path file = own_folder() / "libwarpsim_symbols.so";
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = library == nullptr ? nullptr : dlsym(library, kFindHostPlace);
  if (function == nullptr) {
    std::fprintf(stderr, "warpsim: findings name no functions and lines of host code: %s\n",
                 dlerror());
  }
  return reinterpret_cast<FindHostPlace*>(function);
}

}  // namespace

HostPlace find_host_place(const std::string& file, std::uint64_t load_address,
                          std::uint64_t address) {
  static FindHostPlace* const find = load();
  HostPlace place;
  if (find != nullptr) find(file.c_str(), load_address, address, &place);
  return place;
}

}  // namespace warpsim
