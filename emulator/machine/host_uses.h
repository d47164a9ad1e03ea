#pragma once

#include <vector>

#include "emulator/machine/context.h"

namespace warpsim {

/// What a launch that has ended did to memory that host code can reach, as the race checker saw it;
/// empty without one.
[[nodiscard]] std::vector<HostUse> find_host_uses(const LaunchState& launch);

}  // namespace warpsim
