#pragma once

#include "emulator/cudart/local/library_call.h"

namespace warpsim::libraries {

/// The runtime library of this program, which checks calls and runs their work in streams. Null for
/// one that does not do so, as that of submissions; a line on stderr said why.
[[nodiscard]] const cudart::LibraryEntryPoints* runtime();

/// Where the program called a function of a library.
struct Caller {
  const char* name = nullptr;  // "cublasSgemm", a literal
  const void* return_address = nullptr;
};

}  // namespace warpsim::libraries
