#include "emulator/driver/runtime_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <type_traits>

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

const RuntimeLibrary* load() {
  void* library = program_runtime();
  const bool of_program = library != nullptr;
  if (!of_program) library = open_runtime();
  if (library == nullptr) {
    std::fprintf(stderr, "libcuda: the emulator's libcudart.so.13 was not found: %s\n",
                 ::dlerror());
    return nullptr;
  }
  static RuntimeLibrary runtime;
  runtime.of_program = of_program;
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    // Where CUDA 12 has two versions of a function, this is the one that CUDA 13 has.
    void* symbol = ::dlsym(library, (std::string(name) + "_v2").c_str());
    if (symbol == nullptr) symbol = ::dlsym(library, name);
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
    if (symbol == nullptr) missing = name;
  };
#define WARPSIM_RUNTIME_FUNCTION(name) find(runtime.name, #name);
#include "emulator/driver/runtime_functions.inc"
#undef WARPSIM_RUNTIME_FUNCTION
  find(runtime.cudaIpcCloseMemHandle, "cudaIpcCloseMemHandle");
  find(runtime.cudaIpcGetEventHandle, "cudaIpcGetEventHandle");
  find(runtime.cudaIpcGetMemHandle, "cudaIpcGetMemHandle");
  find(runtime.cudaIpcOpenEventHandle, "cudaIpcOpenEventHandle");
  find(runtime.cudaIpcOpenMemHandle, "cudaIpcOpenMemHandle");
  if (missing != nullptr) {
    std::fprintf(stderr, "libcuda: the CUDA runtime of this program lacks %s\n", missing);
    return nullptr;
  }
  return &runtime;
}

}  // namespace

const RuntimeLibrary* RuntimeLibrary::get() {
  static const RuntimeLibrary* const runtime = load();
  return runtime;
}

}  // namespace warpsim::driver
