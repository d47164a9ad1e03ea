#pragma once

#include <cstdint>

namespace warpsim {

/// How an access to global memory lies in lines of 128 bytes: consecutive lanes at equal distances,
/// up or down, or in one place, are a piece in each line that they touch. The same for every access
/// of equal shape and phase, so an instruction remembers those of its last one.
struct RacePieces {
  /// A warp's lanes 64 bytes apart; more are found anew each time.
  static constexpr std::uint32_t kKept = 16;
  struct Piece {
    std::int64_t line = 0;  // relative to that of the first active lane
    std::int16_t origin = 0;  // where lane 0 would be, from the start of the line
    std::uint8_t first = 0, last = 0;  // lanes
    std::int8_t stride = 0;  // bytes from a lane to the next, no less than the width, or 0
  };
  std::uint32_t version = 0;  // of the shape; 0: none
  std::uint32_t phase = 0;  // the first address modulo 128
  std::uint32_t count = 0;
  Piece pieces[kKept];
};

}  // namespace warpsim
