#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpsim::curand {

inline constexpr std::size_t kMt19937Words = 624;
using Mt19937State = std::array<std::uint32_t, kMt19937Words>;

/// The state of a seed, of which the lower 32 bits count.
[[nodiscard]] Mt19937State mt19937_state(std::uint64_t seed);
/// To the next 624 words.
void mt19937_round(Mt19937State& state);
/// The state 2^2048 words on.
[[nodiscard]] Mt19937State mt19937_jumped(const Mt19937State& state);

}  // namespace warpsim::curand
