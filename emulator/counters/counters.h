#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

/// What is counted for one static instruction (and, summed, for a line or a kernel). Definitions
/// are ncu's: a request is one warp instruction, a sector is a distinct aligned 32-byte piece that
/// a request touches, a wavefront is one pass of shared memory over its banks.
struct Counts {
  std::uint64_t executed = 0;  // warp instructions
  std::uint64_t threads = 0;  // sum of active threads over them
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;  // global, local
  std::uint64_t ideal_sectors = 0;  // fewest sectors that could hold the distinct bytes
  std::uint64_t wavefronts = 0;  // shared
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t bytes = 0;  // moved for the active lanes
  std::uint64_t max_multiplicity = 0;  // atomics: sum of the largest number of lanes on an address
  std::uint64_t divergent = 0;  // branches that split the warp
  void operator+=(const Counts& other);
};

enum class AccessKind : std::uint8_t {
  none,
  global_load,
  global_store,
  global_atomic,
  global_reduction,
  shared_load,
  shared_store,
  shared_atomic,
  local_load,
  local_store,
  constant_load,
  global_to_shared,  // cp.async: sectors of the source, wavefronts of the destination
  bulk_copy,  // cp.async.bulk: requests are threads
};
constexpr std::size_t kAccessKinds = 13;

/// One source line's share.
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t executed = 0;
  std::uint64_t threads = 0;
  std::uint64_t divergent = 0;
  Counts by_kind[kAccessKinds];  // indexed by AccessKind
};

/// A kernel's totals over all its launches.
struct KernelCounters {
  std::string name;  // demangled
  std::uint64_t launches = 0;
  std::uint32_t grid[3] = {0, 0, 0};  // of the last launch
  std::uint32_t block[3] = {0, 0, 0};
  std::uint64_t blocks = 0;  // over all launches
  std::uint64_t threads = 0;
  std::uint64_t barriers = 0;  // bar.sync executed by a warp
  std::uint64_t executed = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t divergent_branches = 0;
  std::uint64_t flops_f32 = 0;  // an fma counts 2
  std::uint64_t flops_f64 = 0;
  double modelled_ms = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint32_t registers = 0;
  double theoretical_occupancy = 0;  // 0..1
  std::string occupancy_limiter;  // "threads", "blocks", "shared memory", "registers"
  Counts by_kind[kAccessKinds];
  std::vector<LineCounters> lines;  // ordered by file, line
};

}  // namespace warpsim
