#pragma once

#include "emulator/cudart/local/library_call.h"

namespace warpsim::driver {

/// The runtime's interface for libraries: what its functions for programs cannot do. Null for the
/// runtime of submissions, which has none.
[[nodiscard]] const cudart::LibraryEntryPoints* library_entry();

}  // namespace warpsim::driver
