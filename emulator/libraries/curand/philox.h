#pragma once

#include <cstdint>
#include <memory>

#include "emulator/libraries/curand/sequence.h"

namespace warpsim::curand {

/// Philox4x32-10 of Salmon and others: four numbers from a counter and a key, the seed.
[[nodiscard]] std::unique_ptr<Sequence> make_philox(std::uint64_t seed, std::uint64_t offset);

}  // namespace warpsim::curand
