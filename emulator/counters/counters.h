#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/isa/description.h"

namespace warpsim {

/// Parts of a cycle, and of a wait for memory, in which paths through basic blocks are counted.
inline constexpr std::uint32_t kPathParts = 5040;

/// Where and how an instruction accesses memory.
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
  texture_load,
};
inline constexpr std::size_t kAccessKinds = 14;

/// The counts of one static instruction. Definitions are ncu's: a request is one warp instruction,
/// a sector is a distinct aligned 32-byte piece that a request touches, a wavefront is one pass of
/// shared memory over its banks.
struct Counts {
  std::uint64_t executed = 0;  // warp instructions
  std::uint64_t threads = 0;  // sum of active threads over them
  std::uint64_t predicated_off = 0;  // of these, threads whose guard was false
  std::uint64_t divergent = 0;  // branches that split the warp
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;  // global, local
  std::uint64_t ideal_sectors = 0;  // minimum number of sectors for the distinct bytes
  std::uint64_t lines = 0;  // global: 128-byte lines, summed over requests
  std::uint64_t l1_hits = 0;  // sectors of loads that hit in L1
  std::uint64_t wavefronts = 0;  // shared
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t bytes = 0;  // moved for the active lanes
  std::uint64_t max_multiplicity = 0;  // atomics: sum of the largest number of lanes on an address
  std::uint64_t distinct_addresses = 0;  // atomics: sum of the number of addresses of a request
  std::uint64_t updates = 0;  // atomics: one per thread
  std::uint64_t remote = 0;  // shared: requests to the memory of another block of the cluster
  std::uint64_t arriving = 0;  // bulk copies: bytes that reach or leave shared memory
  void operator+=(const Counts& other);
};

/// Arithmetic by pipe; SASS has separate opcodes for each.
enum class Arithmetic : std::uint8_t {
  none,
  fadd,
  fmul,
  ffma,
  fother,  // one result of 32 bits: div, sqrt, rcp, sin, min, max, ...
  dadd,
  dmul,
  dfma,
  dother,
  hadd,  // f16 and bf16; two results for x2 types
  hmul,
  hfma,
  hother,
  tensor,
};
inline constexpr std::size_t kArithmetics = 14;

/// The properties of an instruction that counters need; the same for every execution.
struct InstructionTraits {
  AccessKind access = AccessKind::none;
  Arithmetic arithmetic = Arithmetic::none;
  /// Floating-point operations of one thread (fused multiply-add: 2 per value); tensor: of the
  /// warp.
  std::uint32_t flops = 0;
  /// Pipe usage of a matrix instruction: the equivalent number of f16 operations of the warp, and
  /// cycles of its quarter of a multiprocessor.
  std::uint32_t matrix_work = 0;
  std::uint32_t matrix_cycles = 0;
  std::uint32_t matrix_instructions = 0;  // of machine code
  std::uint32_t matrix_bytes = 0;  // of operands in shared memory
  bool fragments = false;  // ldmatrix, stmatrix
  BulkUse bulk = BulkUse::none;
  /// What an execution adds to the time of a warp that is alone, in parts of a cycle and of a wait
  /// for memory (kPathParts).
  std::uint32_t path_cycles = 0;
  std::uint32_t load_waits = 0;
  bool paths_by_requests = false;  // per request, not per execution
  bool branch = false;
  bool barrier = false;  // of the block
  bool shuffle = false;
  bool match = false;  // compares every lane's value with every other's
  bool special = false;  // uses the special function unit
};

/// Sums over instructions, for a source line, a kernel or a launch.
struct Totals {
  std::uint64_t executed = 0;
  std::uint64_t threads = 0;
  std::uint64_t predicated_off = 0;
  std::uint64_t branches = 0;
  std::uint64_t divergent = 0;
  std::uint64_t barriers = 0;  // warp instructions that arrive at a barrier
  std::uint64_t shuffles = 0;  // warp instructions
  std::uint64_t matches = 0;  // warp instructions
  std::uint64_t special = 0;  // warp instructions
  std::uint64_t matrix_work = 0;  // equivalent f16 operations
  std::uint64_t matrix_cycles = 0;
  std::uint64_t matrix_instructions = 0;
  std::uint64_t matrix_bytes = 0;
  std::uint64_t fragment_loads = 0;  // requests of ldmatrix
  std::uint64_t fragment_stores = 0;
  std::uint64_t async_stores = 0;  // warp instructions st.async and red.async
  std::array<std::uint64_t, kBulkUses> bulk_copies = {};
  std::array<std::uint64_t, kBulkUses> bulk_bytes = {};  // that reach or leave shared memory
  std::uint64_t path_cycles = 0;  // in parts (kPathParts)
  std::uint64_t load_waits = 0;  // likewise
  std::array<std::uint64_t, kArithmetics> arithmetic = {};  // threads; tensor: warps
  std::array<std::uint64_t, kArithmetics> arithmetic_warps = {};
  std::array<std::uint64_t, kArithmetics> flops = {};
  std::array<Counts, kAccessKinds> by_kind = {};

  void add(const InstructionTraits& traits, const Counts& counts);
  void operator+=(const Totals& other);
  [[nodiscard]] const Counts& operator[](AccessKind kind) const {
    return by_kind[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] std::uint64_t operator[](Arithmetic which) const {
    return arithmetic[static_cast<std::size_t>(which)];
  }
};

/// The kind of a request to L2.
enum class L2Kind : std::uint8_t { read, write, atomic, reduction };
inline constexpr std::size_t kL2Kinds = 4;

/// Traffic below L1 in the cache model, in sectors. See docs/emulator.md.
struct CacheTotals {
  std::array<std::uint64_t, kL2Kinds> sectors = {};
  /// Writes never wait for memory, so they always hit.
  std::array<std::uint64_t, kL2Kinds> hits = {};
  std::uint64_t dram_reads = 0;
  std::uint64_t dram_writes = 0;  // evicted from L2 while the kernel ran
  std::uint64_t dirty_at_end = 0;  // written later
  void operator+=(const CacheTotals& other);
  [[nodiscard]] std::uint64_t all_sectors() const;
  [[nodiscard]] std::uint64_t all_hits() const;
};

/// One source line's share.
struct LineCounters {
  std::string file;
  std::uint32_t line = 0;
  Totals totals;
};

/// One PTX instruction's share.
struct InstructionCounters {
  std::string function;  // demangled; the kernel, or a function that it calls
  std::uint32_t index = 0;  // within the function
  std::string text;  // "ld.global.f32 %f1, [%rd8]"
  std::string file;
  std::uint32_t line = 0;
  Totals totals;
};

/// A kernel's totals over all its launches.
struct KernelCounters {
  std::string name;  // demangled
  std::string file;  // where it is defined; empty if unknown
  std::uint64_t launches = 0;
  /// Of the largest launch, like everything derived from its shape.
  std::uint32_t grid[3] = {0, 0, 0};
  std::uint32_t block[3] = {0, 0, 0};
  std::uint64_t blocks = 0;  // over all launches
  std::uint64_t threads = 0;
  std::uint64_t warps = 0;
  Totals totals;
  CacheTotals caches;
  /// Cycles of the second level for the place whose atomics take longest, summed over launches.
  double hottest_atomics = 0;
  /// Updates of the word of shared memory that was updated most by atomics that are loops of
  /// compare-and-swap, summed over blocks and launches.
  std::uint64_t contended_shared = 0;
  /// Updates by atomics of the global array with most of them, summed over launches.
  std::uint64_t atomics_of_one_array = 0;
  /// Waits of warps for copies by the copy engine, in parts (kPathParts), summed over blocks:
  /// phases of barriers at which such copies arrived, divided by the number of barriers.
  std::uint64_t copy_waits = 0;
  double modelled_ms = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint32_t registers = 0;
  std::string registers_source;  // "estimate" or "ptxas"
  int blocks_per_multiprocessor = 0;  // resident at once
  double theoretical_occupancy = 0;  // 0..1
  std::string occupancy_limiter;  // "threads", "blocks", "shared memory", "registers"
  std::vector<LineCounters> lines;  // ordered by file, line
  std::vector<InstructionCounters> instructions;  // only if requested
  /// The same for launches whose results were used, without arithmetic, accesses and barriers that
  /// led to no store: one element, or none if not requested. It has no lines.
  std::vector<KernelCounters> reaching;
  /// The same per launch configuration, without lines, in order of first launch; empty if all
  /// launches were equal. With many configurations the last one includes the rest.
  std::vector<KernelCounters> shapes;
};

}  // namespace warpsim
