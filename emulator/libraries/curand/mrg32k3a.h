#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "emulator/libraries/curand/distributions.h"
#include "emulator/libraries/curand/sequence.h"

namespace warpsim::curand {

/// L'Ecuyer's MRG32k3a: the difference of two recurrences of three terms.
class Mrg32k3a {
 public:
  explicit Mrg32k3a(std::uint64_t seed);

  std::uint32_t bits();
  float uniform() { return static_cast<float>(uniform_double()); }
  double uniform_double();
  std::array<float, 2> normals();
  std::array<double, 2> normals_double();

  void skip(std::uint64_t draws);
  /// To the same place in the next subsequence, 2^76 numbers on.
  void next_subsequence();

 private:
  /// From 1 to the larger modulus.
  std::uint32_t draw();

  std::array<std::array<std::uint32_t, 3>, 2> states_;
};

/// @param is_legacy  CURAND_ORDERING_PSEUDO_LEGACY: fewer threads
[[nodiscard]] std::unique_ptr<Sequence> make_mrg32k3a(std::uint64_t seed, std::uint64_t offset,
                                                      bool is_legacy);

}  // namespace warpsim::curand
