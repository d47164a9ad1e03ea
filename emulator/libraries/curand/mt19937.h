#pragma once

#include <cstdint>
#include <memory>

#include "emulator/libraries/curand/sequence.h"

namespace warpsim::curand {

/// Matsumoto and Nishimura's MT19937: 8192 of them, 2^2048 numbers apart, take turns.
[[nodiscard]] std::unique_ptr<Sequence> make_mt19937(std::uint64_t seed);

}  // namespace warpsim::curand
