#pragma once

#include <cstdint>

// Random numbers for `--seed N`, which varies the schedule on purpose: the order of blocks among
// the resident ones, of warps within a block, of splits within a warp, and where they are
// interrupted. Each block and warp has a sequence of its own, made from the seed and its number,
// so that a seed's schedule does not depend on the number of host threads.

namespace warpsim {

[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) {
  // The finaliser of splitmix64.
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The start of a sequence; 0, the mark of the default schedule, for seed 0 alone.
[[nodiscard]] constexpr std::uint64_t schedule_state(std::uint64_t seed, std::uint64_t launch,
                                                     std::uint64_t block, std::uint64_t warp) {
  if (seed == 0) return 0;
  const std::uint64_t state = mix_bits(mix_bits(mix_bits(seed + launch) + block) + warp);
  return state == 0 ? 1 : state;
}

/// A number below `limit` (at least 1) from the sequence.
[[nodiscard]] constexpr std::uint64_t next_random(std::uint64_t& state, std::uint64_t limit) {
  state += 0x9e3779b97f4a7c15u;
  if (state == 0) state = 1;
  return (mix_bits(state) >> 16) % limit;
}

}  // namespace warpsim
