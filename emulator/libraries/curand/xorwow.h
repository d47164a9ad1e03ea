#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "emulator/libraries/curand/distributions.h"
#include "emulator/libraries/curand/sequence.h"

namespace warpsim::curand {

/// Marsaglia's XORWOW: a linear generator of 160 bits, and a counter that is added.
class Xorwow {
 public:
  explicit Xorwow(std::uint64_t seed);

  std::uint32_t bits();
  float uniform() { return uniform_float(bits()); }
  double uniform_double() {
    const std::uint32_t low = bits();
    return curand::uniform_double(join(low, bits()));
  }
  std::array<float, 2> normals() {
    const std::uint32_t x = bits();
    return box_muller(x, bits());
  }
  std::array<double, 2> normals_double();

  void skip(std::uint64_t draws);
  /// To the same place in the next subsequence, 2^67 numbers on.
  void next_subsequence();

 private:
  std::array<std::uint32_t, 5> state_;
  std::uint32_t counter_;
};

/// @param by_seed  CURAND_ORDERING_PSEUDO_SEEDED: threads have seeds instead of subsequences
[[nodiscard]] std::unique_ptr<Sequence> make_xorwow(std::uint64_t seed, std::uint64_t offset,
                                                    bool by_seed);

}  // namespace warpsim::curand
