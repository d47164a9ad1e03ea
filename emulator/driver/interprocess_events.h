#pragma once

#include <cuda.h>

namespace warpsim::driver {

/// Whether the event was created with CU_EVENT_INTERPROCESS.
[[nodiscard]] bool is_interprocess(CUevent event);

}  // namespace warpsim::driver
