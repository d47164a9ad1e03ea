#pragma once

namespace warpsim::libraries {

/// Whether the scalars of calls are in host or in device memory.
enum class PointerMode : int { host = 0, device = 1 };

}  // namespace warpsim::libraries
