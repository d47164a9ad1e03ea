#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpsim {

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

/// What is counted while one static instruction runs. Definitions are ncu's: a request is one warp
/// instruction, a sector is a distinct aligned 32-byte piece that a request touches, a wavefront is
/// one pass of shared memory over its banks.
struct Counts {
  std::uint64_t executed = 0;  // warp instructions
  std::uint64_t threads = 0;  // sum of active threads over them
  std::uint64_t predicated_off = 0;  // of these, threads whose guard was false
  std::uint64_t divergent = 0;  // branches that split the warp
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;  // global, local
  std::uint64_t ideal_sectors = 0;  // fewest sectors that could hold the distinct bytes
  std::uint64_t l1_hits = 0;  // sectors that a load found in the first-level cache
  std::uint64_t wavefronts = 0;  // shared
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t bytes = 0;  // moved for the active lanes
  std::uint64_t max_multiplicity = 0;  // atomics: sum of the largest number of lanes on an address
  std::uint64_t distinct_addresses = 0;  // atomics: sum of the number of addresses of a request
  std::uint64_t updates = 0;  // atomics: one a thread
  void operator+=(const Counts& other);
};

/// Arithmetic by the pipe that does it: SASS has an opcode of its own for each.
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

/// What an instruction is, as far as counters care; the same for every execution.
struct InstructionTraits {
  AccessKind access = AccessKind::none;
  Arithmetic arithmetic = Arithmetic::none;
  /// Floating-point operations of one thread (fused multiply-add: 2 per value); tensor: of the
  /// warp.
  std::uint32_t flops = 0;
  /// What a matrix instruction costs its pipe: operations of f16 that take as long, of the warp.
  std::uint32_t matrix_work = 0;
  bool branch = false;
  bool barrier = false;  // of the block
  bool shuffle = false;
  bool match = false;  // compares every lane's value with every other's
  bool special = false;  // done by the special function unit, or a sequence that uses it
};

/// Sums over instructions: what a source line, a kernel and a launch have in common.
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
  std::uint64_t matrix_work = 0;  // operations of f16 that take as long
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

/// Why the second-level cache is asked.
enum class L2Kind : std::uint8_t { read, write, atomic, reduction };
inline constexpr std::size_t kL2Kinds = 4;

/// What the cache model saw beyond the first level, in sectors. See docs/emulator.md.
struct CacheTotals {
  std::array<std::uint64_t, kL2Kinds> sectors = {};
  std::array<std::uint64_t, kL2Kinds> hits = {};  // a write never waits for memory: it always hits
  std::uint64_t dram_reads = 0;
  std::uint64_t dram_writes = 0;  // evicted from the second level while the kernel ran
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
  std::string file;  // where it is written; empty where nothing says
  std::uint64_t launches = 0;
  std::uint32_t grid[3] = {0, 0, 0};  // of the largest launch, like all that follows from its shape
  std::uint32_t block[3] = {0, 0, 0};
  std::uint64_t blocks = 0;  // over all launches
  std::uint64_t threads = 0;
  std::uint64_t warps = 0;
  Totals totals;
  CacheTotals caches;
  /// Passes over the kibibyte that atomics updated most, summed over launches: a sector of a
  /// request is a pass, and lanes on one address take one each.
  std::uint64_t hottest_kibibyte = 0;
  double modelled_ms = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint32_t registers = 0;
  std::string registers_source;  // "estimate" or "ptxas"
  int blocks_per_multiprocessor = 0;  // that fit at once
  double theoretical_occupancy = 0;  // 0..1
  std::string occupancy_limiter;  // "threads", "blocks", "shared memory", "registers"
  std::vector<LineCounters> lines;  // ordered by file, line
  std::vector<InstructionCounters> instructions;  // where they were asked for
  /// The same of launches whose results were of use, without the arithmetic, the accesses and the
  /// barriers that led to no store: one, or none where nobody asked. It has no lines.
  std::vector<KernelCounters> reaching;
  /// The same by shape of the launch, without lines, in order of first launch; empty where all
  /// launches had one shape. Of many shapes the last stands for the rest.
  std::vector<KernelCounters> shapes;
};

}  // namespace warpsim
