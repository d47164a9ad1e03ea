#include "emulator/driver/library_entry.h"

#include <dlfcn.h>

#include "emulator/driver/find_runtime.h"

namespace warpsim::driver {
namespace {

const cudart::LibraryEntryPoints* find_entry() {
  void* const library = find_runtime().library;
  void* const entry = library == nullptr ? nullptr : ::dlsym(library, "warpsim_libraries");
  return entry == nullptr ? nullptr : reinterpret_cast<decltype(&warpsim_libraries)>(entry)();
}

}  // namespace

const cudart::LibraryEntryPoints* library_entry() {
  static const cudart::LibraryEntryPoints* const entry = find_entry();
  return entry;
}

}  // namespace warpsim::driver
