#pragma once

#include <cstdint>
#include <vector>

namespace warpsim {

struct Program;

/// How a card carries out an atomic on global memory. Measured on an H200 for each operation and
/// type (emulator/tests/counters/atomic_kernels.cu).
struct AtomicCost {
  /// The compiler reduces the lanes of a warp to one update first.
  bool combined = false;
  /// Updates of one sector wait for each other longer.
  bool is_float = false;
};

/// @return by instruction index; empty if the program has no atomic
[[nodiscard]] std::vector<AtomicCost> atomic_costs(const Program& program);

}  // namespace warpsim
