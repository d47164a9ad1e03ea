#include "emulator/driver/runtime_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <string>
#include <type_traits>

#include "emulator/driver/find_runtime.h"

namespace warpsim::driver {
namespace {

const RuntimeLibrary* load() {
  const FoundRuntime found = find_runtime();
  void* const library = found.library;
  if (library == nullptr) {
    std::fprintf(stderr, "libcuda: the emulator's libcudart.so.13 was not found: %s\n",
                 ::dlerror());
    return nullptr;
  }
  static RuntimeLibrary runtime;
  runtime.of_program = found.of_program;
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    // Where CUDA 12 has two versions of a function, this is the one that CUDA 13 has.
    void* symbol = ::dlsym(library, (std::string(name) + "_v2").c_str());
    if (symbol == nullptr) symbol = ::dlsym(library, name);
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
    if (symbol == nullptr) missing = name;
  };
#define WARPSIM_RUNTIME_FUNCTION(name) find(runtime.name, #name);
#define WARPSIM_RUNTIME_FORM(name, form) find(runtime.form, #form);
#include "emulator/driver/runtime_functions.inc"
#undef WARPSIM_RUNTIME_FORM
#undef WARPSIM_RUNTIME_FUNCTION
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
