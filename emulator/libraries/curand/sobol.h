#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "emulator/libraries/curand/sequence.h"

namespace warpsim::curand {

/// Dimensions whose direction numbers, those of Joe and Kuo, the Boost library has. NVIDIA's has
/// 20000.
[[nodiscard]] std::uint32_t sobol_dimensions();

/// Sobol's sequence, in 32 or in 64 bits. The numbers of one dimension stand together.
/// @param offset  points to leave out  @param dimensions  from 1 to sobol_dimensions()
[[nodiscard]] std::unique_ptr<Sequence> make_sobol32(std::uint32_t dimensions,
                                                     std::uint64_t offset);
[[nodiscard]] std::unique_ptr<Sequence> make_sobol64(std::uint32_t dimensions,
                                                     std::uint64_t offset);

/// The direction numbers of one dimension, one for each bit of a number's index.
void direction_numbers(std::uint32_t dimension, std::span<std::uint32_t, 32> to);
void direction_numbers(std::uint32_t dimension, std::span<std::uint64_t, 64> to);

}  // namespace warpsim::curand
