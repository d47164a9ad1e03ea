#pragma once

#include <cstdint>
#include <vector>

namespace warpsim {

struct Program;

/// What `ptxas` makes of an atomic on shared memory.
enum class SharedAtomic : std::uint8_t {
  one,  // an instruction, which serializes lanes on one address
  counted,  // one that counts the lanes of each address first: additions of a constant one
  compared,  // a compare-and-swap, which passes twice
  loop,  // a load and a compare-and-swap, again and again until no lane has lost
};

/// How a card carries out an atomic. Measured for each operation and type, on global memory on an
/// H200 (emulator/tests/counters/atomic_kernels.cu), on shared memory on an H100
/// (path_atomics_sm90.cu there).
struct AtomicCost {
  /// The compiler reduces the lanes of a warp to one update first.
  bool combined = false;
  /// Updates of one sector wait for each other longer.
  bool is_float = false;
  SharedAtomic shared = SharedAtomic::one;
};

/// @return by instruction index; empty if the program has no atomic
[[nodiscard]] std::vector<AtomicCost> atomic_costs(const Program& program);

}  // namespace warpsim
