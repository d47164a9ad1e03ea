#pragma once

#include "emulator/cudart/local/virtual_memory_calls.h"

namespace warpsim::driver {

/// The runtime's virtual memory management. Null for the runtime of submissions, which has none.
[[nodiscard]] const cudart::VirtualMemoryCalls* virtual_memory();

}  // namespace warpsim::driver
