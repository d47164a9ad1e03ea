#pragma once

#include <array>
#include <bit>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "emulator/counters/counters.h"
#include "emulator/counters/ended_blocks.h"

// A model of the caches: how many sectors hit in the L1 cache, and how many in L2. docs/emulator.md
// says how it differs from hardware.
//
// Results do not depend on the number of host threads: each block has its own L1 cache, and the
// blocks' requests to L2 are replayed in a fixed order, wave by wave, round-robin over the blocks
// that are resident at once.

namespace warpsim {

inline constexpr std::uint32_t kLineBytes = 128;
inline constexpr std::uint32_t kSectorsPerLine = 4;
inline constexpr std::uint32_t kSectorBytes = kLineBytes / kSectorsPerLine;
/// Addresses of local memory for the cache model start here, above every device and host address.
inline constexpr std::uint64_t kLocalLines = std::uint64_t{1} << 47;

/// The number of a line's four sectors (or other per-sector bits) in a mask.
[[nodiscard]] constexpr std::uint32_t sector_count(std::uint64_t mask) {
  return static_cast<std::uint32_t>(0x4332'3221'3221'2110u >> (4 * (mask & 0xf))) & 7;
}

/// Set-associative, least recently used, lines of four sectors with a valid and a dirty bit each.
class SectorCache {
  __extension__ using Wide = unsigned __int128;

 public:
  struct Result {
    std::uint32_t hit = 0;  // mask: sectors that hit
    std::uint32_t evicted = 0;  // number of evicted dirty sectors
  };

  SectorCache(std::uint64_t bytes, std::uint32_t ways);

  /// Invalidates everything in constant time.
  void clear();
  /// Looks up sectors of a line and inserts them, marking dirty ones.
  /// @param line  address divided by 128, below 2^41
  [[gnu::always_inline]] Result access(std::uint64_t line, std::uint32_t sectors,
                                       std::uint32_t dirty = 0) {
    const std::uint64_t tag = (line << kGenerationBits | generation_) << kFlagBits;
    const std::uint64_t set_flags = sectors | dirty << kSectorsPerLine;
    std::uint64_t* const set = entries_.get() + std::size_t{set_of(line)} * ways_;
    if ((set[0] ^ tag) < (1u << kFlagBits)) {
      if (dirty != 0) dirty_ += sector_count(dirty & ~(set[0] >> kSectorsPerLine));
      const auto hit = static_cast<std::uint32_t>(set[0]) & sectors;
      set[0] |= set_flags;
      return {hit, 0};
    }
    if (!is_current(set[0])) {  // nothing is in the set yet, as in most of a block's
      if (dirty != 0) dirty_ += sector_count(dirty);
      set[0] = tag | set_flags;
      return {};
    }
    return search(set, tag, set_flags);
  }
  /// The host's memory for a line's set is about to be needed.
  void prefetch(std::uint64_t line) const {
    __builtin_prefetch(entries_.get() + std::size_t{set_of(line)} * ways_, 1);
  }
  /// The cached sectors of a line; changes nothing.
  [[nodiscard]] std::uint32_t peek(std::uint64_t line) const;
  [[nodiscard]] std::uint64_t dirty_sectors() const { return dirty_; }
  [[nodiscard]] std::uint64_t lines() const { return std::uint64_t{sets_} * ways_; }
  [[nodiscard]] std::uint32_t sets() const { return sets_; }
  /// Whether a line had to leave since it was cleared.
  [[nodiscard]] bool has_evicted() const { return has_evicted_; }
  /// Adjacent lines map to adjacent sets; the number of sets is odd, so that strides of a power of
  /// two use all of them.
  [[nodiscard]] std::uint32_t set_of(std::uint64_t line) const {
    const std::uint32_t folded = static_cast<std::uint32_t>(line ^ line >> 32);
    const std::uint64_t low = reciprocal_ * folded;  // Lemire's remainder by multiplication
    return static_cast<std::uint32_t>(static_cast<Wide>(low) * sets_ >> 64);
  }

 private:
  static constexpr std::uint32_t kFlagBits = 8;  // valid, dirty
  static constexpr std::uint32_t kGenerationBits = 15;

  struct Release {
    void operator()(std::uint64_t* p) const { std::free(p); }
  };

  /// The same in a set that has current lines, of which the first is another one.
  Result search(std::uint64_t* set, std::uint64_t tag, std::uint64_t set_flags);
  [[nodiscard]] bool is_current(std::uint64_t entry) const {
    return (entry >> kFlagBits & ((1u << kGenerationBits) - 1)) == generation_;
  }

  std::uint32_t sets_ = 1;
  std::uint32_t ways_ = 1;
  std::uint64_t reciprocal_ = 0;
  std::uint64_t generation_ = 1;
  std::uint64_t dirty_ = 0;  // sectors
  bool has_evicted_ = false;
  /// Most recently used first within a set: line, generation, dirty, valid.
  std::unique_ptr<std::uint64_t[], Release> entries_;
};

/// A block's request to L2: sectors of a line.
class L2Request {
 public:
  L2Request(std::uint64_t line, std::uint32_t sectors, L2Kind kind)
      : bits_(line << 8 | sectors << 4 | static_cast<std::uint64_t>(kind)) {}
  [[nodiscard]] std::uint64_t line() const { return bits_ >> 8; }
  [[nodiscard]] std::uint32_t sectors() const {
    return static_cast<std::uint32_t>(bits_ >> 4) & 0xf;
  }
  [[nodiscard]] L2Kind kind() const { return static_cast<L2Kind>(bits_ & 0xf); }

 private:
  std::uint64_t bits_;
};

/// Queued requests of one block.
struct BlockRequests {
  std::vector<L2Request> queue;
  /// Sectors by kind beyond the queue's limit; they count like the average of the others.
  std::array<std::uint64_t, kL2Kinds> beyond = {};
};

class LargeCache;

/// The L2 cache of one launch. Thread-safe.
class SecondLevel {
 public:
  explicit SecondLevel(std::uint64_t bytes);
  ~SecondLevel();

  /// A launch starts with empty caches, as under ncu's default `--cache-control all`.
  /// @param wave  blocks that are resident at once
  void begin_launch(std::uint64_t blocks, std::uint64_t wave);
  /// Takes a block's requests when it has ended.
  /// @param last as for end_launch, if known
  void submit(std::uint64_t block, BlockRequests& requests, std::uint64_t last);
  /// Takes requests at once, for launches whose blocks run in a fixed order anyway.
  void apply(std::vector<L2Request>& queue);
  /// @param last  the last block that counts: later ones ran only because this one's fault was not
  ///   known yet
  [[nodiscard]] CacheTotals end_launch(std::uint64_t last);

 private:
  using Wave = std::vector<BlockRequests>;  // in order of block

  void apply_all(std::span<const L2Request> requests);
  /// Removes and returns the waiting requests of blocks before `end`.
  [[nodiscard]] Wave take_before(std::uint64_t end);
  /// Replays the requests of a wave, round-robin over its blocks.
  void replay(const Wave& wave);
  /// Keeps the memory of a wave's queues for reuse.
  void recycle(Wave wave);

  // Used by the replaying thread only.
  std::unique_ptr<LargeCache> cache_;
  CacheTotals totals_;
  std::array<std::uint64_t, kL2Kinds> beyond_ = {};
  bool changed_ = false;

  std::mutex mutex_;  // protects the following members
  std::condition_variable replayed_;
  /// A thread replays waves without the lock, while others continue with their blocks.
  bool replaying_ = false;
  std::uint64_t last_ = 0;  // the last block that counts, if known
  std::uint64_t blocks_ = 0;
  std::uint64_t wave_ = 1;
  std::uint64_t collected_ = 0;  // blocks that have ended of the wave that begins with the first
  EndedBlocks<BlockRequests> waiting_;
  std::vector<std::vector<L2Request>> spare_;  // empty queues with memory
};

/// The L1 cache of one block: its share of the multiprocessor's cache, initially empty.
/// Write-through; a store of whole sectors allocates them.
class BlockCache {
 public:
  /// @param immediate  null: requests are queued until the block ends; otherwise they go there
  BlockCache(std::uint64_t bytes, SecondLevel* immediate)
      : cache_(bytes, kWays), immediate_(immediate) {}

  void start() { cache_.clear(); }
  /// @returns the number of sectors that hit
  std::uint32_t load(std::uint64_t line, std::uint32_t sectors) {
    const std::uint32_t hit = cache_.access(line, sectors).hit;
    if (const std::uint32_t missing = sectors & ~hit) ask(line, missing, L2Kind::read);
    return sector_count(hit);
  }
  /// A load that must not return a stale value bypasses this cache.
  void load_beyond(std::uint64_t line, std::uint32_t sectors) { ask(line, sectors, L2Kind::read); }
  void store(std::uint64_t line, std::uint32_t sectors, bool whole_sectors) {
    if (whole_sectors) static_cast<void>(cache_.access(line, sectors));
    ask(line, sectors, L2Kind::write);
  }
  /// So does a store by the copy engine (TMA).
  void store_beyond(std::uint64_t line, std::uint32_t sectors) {
    ask(line, sectors, L2Kind::write);
  }
  /// Atomics are executed in L2.
  void atomic(std::uint64_t line, std::uint32_t sectors, bool returns) {
    ask(line, sectors, returns ? L2Kind::atomic : L2Kind::reduction);
  }

  /// Passes the block's requests to L2.
  void finish(std::uint64_t block, SecondLevel& next, std::uint64_t last);

 private:
  static constexpr std::uint32_t kWays = 4;
  /// Up to 4 MiB of traffic of a single block; keeps memory bounded whatever a block does.
  static constexpr std::size_t kMostRequests = std::size_t{1} << 15;
  static constexpr std::size_t kImmediateRequests = 1024;

  [[gnu::always_inline]] void ask(std::uint64_t line, std::uint32_t sectors, L2Kind kind) {
    const L2Request request(line, sectors, kind);
    auto& queue = requests_.queue;
    const std::size_t size = queue.size();
    if (size < kImmediateRequests && size != queue.capacity()) [[likely]] {
      queue.push_back(request);
      return;
    }
    add_request(request);
  }
  /// Of a block with many requests, or the first ones of a queue.
  void add_request(const L2Request& request);

  SectorCache cache_;
  SecondLevel* immediate_ = nullptr;
  BlockRequests requests_;
};

/// A block's share of the L1 cache: the multiprocessor's, less the shared memory of the resident
/// blocks, divided by these.
/// @param carve_outs sizes that the hardware can configure as shared memory, ascending, in bytes
[[nodiscard]] std::uint64_t first_level_share(std::uint64_t unified_bytes,
                                              const std::vector<std::uint64_t>& carve_outs,
                                              std::uint64_t shared_bytes_per_block,
                                              std::uint64_t blocks_per_multiprocessor);

}  // namespace warpsim
