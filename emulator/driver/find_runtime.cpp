#include "emulator/driver/find_runtime.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>

namespace warpsim::driver {
namespace {
namespace fs = std::filesystem;

fs::path own_folder() {
  Dl_info here = {};
  if (::dladdr(reinterpret_cast<const void*>(&own_folder), &here) == 0) return {};
  return fs::path(here.dli_fname).parent_path();
}

/// The emulator's runtime that the program has loaded. Libraries may have loaded NVIDIA's, too, by
/// its path: it would call this library instead of being called.
void* program_runtime() {
  for (const char* name : {"libcudart.so.13", "libcudart.so.12"}) {
    void* const loaded = ::dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    link_map* file = nullptr;
    if (loaded == nullptr || ::dlinfo(loaded, RTLD_DI_LINKMAP, &file) != 0) continue;
    const fs::path folder = fs::path(file->l_name).parent_path();
    std::error_code ignored;
    if (fs::equivalent(folder, own_folder(), ignored)) return loaded;
  }
  return nullptr;
}

void* open_runtime() {
  const fs::path beside = own_folder() / "libcudart.so.13";
  if (void* loaded = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL)) return loaded;
  return ::dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
}

}  // namespace

FoundRuntime find_runtime() {
  if (void* const library = program_runtime()) return {.library = library, .of_program = true};
  return {.library = open_runtime()};
}

}  // namespace warpsim::driver
