#pragma once

#include <cstdint>
#include <span>

#include "emulator/machine/context.h"

namespace warpsim {

/// A texel that a lane reads.
struct Texel {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// Counts a texture fetch of a warp, and asks the caches for what it reads. Texels are where the
/// emulator has them: those of arrays row by row, as in linear memory.
/// @param texels  of all lanes; sorted by this
void count_texels(WarpContext& context, const Inst& in, std::span<Texel> texels,
                  std::uint32_t requests);

}  // namespace warpsim
