#include "emulator/libraries/runtime_entry.h"

#include <dlfcn.h>

#include <cstdio>

#include "emulator/driver/find_runtime.h"

namespace warpsim::libraries {
namespace {

const cudart::LibraryEntryPoints* find() {
  void* const library = driver::find_runtime().library;
  void* const entry = library == nullptr ? nullptr : ::dlsym(library, "warpsim_libraries");
  if (entry == nullptr) {
    const char* const why = ::dlerror();
    std::fprintf(stderr, "warpsim: this library needs the emulator's libcudart: %s\n",
                 why != nullptr ? why : "unknown error");
    return nullptr;
  }
  return reinterpret_cast<decltype(&warpsim_libraries)>(entry)();
}

}  // namespace

const cudart::LibraryEntryPoints* runtime() {
  static const cudart::LibraryEntryPoints* const entry_points = find();
  return entry_points;
}

}  // namespace warpsim::libraries
