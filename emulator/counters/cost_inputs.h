#pragma once

#include <span>
#include <string_view>

#include "emulator/counters/counters.h"

namespace warpsim {

/// The cost model's inputs from counters: of a launch, of equal launches, or of a source line. All
/// are sums except `blocks_per_multiprocessor`, and a line has only those of instructions. Doubles,
/// so that counts can be scaled for what-if evaluations.
struct CostInputs {
  // Per launch.
  double launches = 0;
  double blocks = 0;
  double warps = 0;
  double blocks_per_multiprocessor = 0;  // resident at once; not a sum
  double l2_reads = 0;  // sectors
  double l2_read_hits = 0;
  double l2_writes = 0;
  double l2_atomics = 0;
  double dram_reads = 0;
  double dram_writes = 0;
  double dram_left = 0;  // of these, sectors that are dirty at the end of a launch
  double contended_shared = 0;  // updates of a block's most updated word, where they are loops
  double copy_waits = 0;  // of warps, for copies by the copy engine
  double hottest_atomics = 0;  // cycles of the place whose atomics take longest
  // Of warp instructions.
  double instructions = 0;
  double lanes = 0;  // active threads, summed over them
  double special = 0;
  double matches = 0;
  double matrix_work = 0;
  double path_cycles = 0;  // of warps that are alone, without what memory adds
  double load_waits = 0;  // of warps, for loads in flight together
  double f32 = 0;
  double f64 = 0;
  double f16 = 0;
  double barriers = 0;
  // Of accesses; "ideal" is the minimum for the bytes, or words, of a request.
  double global_load_requests = 0;
  double global_load_sectors = 0;
  double global_load_ideal_sectors = 0;
  double global_load_lines = 0;  // of 128 bytes, summed over requests
  double global_load_hits = 0;  // in the first-level cache
  double global_load_bytes = 0;
  double global_store_requests = 0;
  double global_store_sectors = 0;
  double global_store_ideal_sectors = 0;
  double global_store_bytes = 0;
  double local_load_requests = 0;
  double local_load_sectors = 0;
  double local_load_hits = 0;
  double local_store_requests = 0;
  double local_store_sectors = 0;
  double texture_requests = 0;
  double texture_sectors = 0;
  double texture_hits = 0;
  double copy_requests = 0;  // cp.async
  double copy_sectors = 0;
  double copy_wavefronts = 0;
  double copy_ideal_wavefronts = 0;
  double atomic_requests = 0;  // global, the old value is used
  double atomic_sectors = 0;
  double reduction_requests = 0;  // global, it is not
  double reduction_sectors = 0;
  double global_updates = 0;  // of both, once a thread
  double global_turns = 0;  // of both: the largest number of lanes of a request on one address
  double shared_load_requests = 0;
  double shared_load_wavefronts = 0;
  double shared_load_ideal_wavefronts = 0;
  double shared_load_bytes = 0;
  double shared_store_requests = 0;
  double shared_store_wavefronts = 0;
  double shared_store_ideal_wavefronts = 0;
  double shared_atomic_requests = 0;
  double shared_atomic_wavefronts = 0;
  double shared_updates = 0;  // once a thread

  /// Adds all sums.
  void operator+=(const CostInputs& other);
  /// All sums times a factor.
  [[nodiscard]] CostInputs scaled(double factor) const;
};

/// A member and its name in reports.
struct CostField {
  std::string_view name;
  double CostInputs::*member = nullptr;
  bool is_sum = true;
};
[[nodiscard]] std::span<const CostField> cost_fields();

/// Of a line, an instruction or a kernel's instructions.
[[nodiscard]] CostInputs cost_inputs(const Totals& totals);
/// Of a launch, or of equal launches.
[[nodiscard]] CostInputs cost_inputs(const KernelCounters& launches);

}  // namespace warpsim
