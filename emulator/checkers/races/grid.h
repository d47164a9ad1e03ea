#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "emulator/checkers/races/kept_blocks.h"
#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/log.h"
#include "emulator/counters/ended_blocks.h"
#include "emulator/machine/sparse_pages.h"

namespace warpsim {

/// What the blocks of a launch did to global memory. Where no block can learn of another, blocks
/// are taken in the order of their indices whatever the order in which they ended, so that what is
/// found does not depend on how many host threads ran them.
class GridLines {
 public:
  /// @param cluster_blocks  blocks of a cluster, which follow each other
  /// @param kept_bytes  for loads that are kept, and as much for stores
  explicit GridLines(std::uint32_t cluster_blocks = 1, std::size_t kept_bytes = kept_bytes_for(0))
      : cluster_blocks_(cluster_blocks), most_bytes_(kept_bytes), kept_(kept_bytes) {}
  /// Adds what a running block did to a line since it was last added. Not thread-safe.
  /// @param order  what its warps know; null: nothing of other blocks
  void add(const BlockLines::Line& line, const BlockOrder* order, ConflictLog& log);

  /// A block has ended. Adds its lines when it is the next in order, and those that waited for it;
  /// else keeps them. Thread-safe: one thread at a time adds, and the others leave theirs to it.
  /// @param log  the same for all blocks; only the thread that adds touches it
  void add_in_order(std::uint64_t block, BlockLines& lines, ConflictLog& log);
  /// The allocations of which a block that begins need not keep loads and stores (kept_loads.h).
  /// Thread-safe.
  [[nodiscard]] RegionSet open_regions() const { return open_.load(std::memory_order_relaxed); }
  /// Likewise the allocations from which blocks that have ended loaded, and to which they stored.
  [[nodiscard]] RegionSet mixed() const { return mixed_.load(std::memory_order_relaxed); }
  /// Makes lines of what is kept of these allocations. It has to come before runs() and for_each()
  /// of theirs. Not thread-safe.
  void open(RegionSet regions);

  /// What is remembered of a line. Not thread-safe.
  [[nodiscard]] std::vector<LineRun> runs(std::uint64_t number) const;
  /// Calls `use` with the number and each run of the lines from `first` to `last`, in their order.
  /// Not thread-safe.
  void for_each(std::uint64_t first, std::uint64_t last,
                const std::function<void(std::uint64_t, const LineRun&)>& use) const;

 private:
  struct More {
    static constexpr std::uint32_t kCapacity = 6;
    std::uint32_t count = 0;
    LineRun runs[kCapacity];
    std::unique_ptr<LineCells> cells;
  };
  /// Most lines have one run; `reads` or `more` are in its place.
  struct Entry {
    LineRun run;
    std::unique_ptr<GridReads> reads;
    More* more = nullptr;
  };
  static constexpr std::uint64_t kPageLines = 512;
  struct Page {
    Entry entries[kPageLines];
  };
  using Lines = std::vector<BlockLines::Line>;
  struct Ended {
    Lines lines;
    LoadsOfBlock loads;
    KeptStores stores;
    RegionSet open = 0;  // allocations with lines
  };
  Entry& find(std::uint64_t number);
  void add(Ended& block, ConflictLog& log);
  /// Compares the words that a block has accessed, of what it keeps, with those of earlier blocks.
  /// @returns the allocations of which more than one block has a word, and one of them stores to it
  [[nodiscard]] RegionSet meet(const Ended& block);
  static void take(BlockLines& lines, Ended& ended);
  void add(Entry& entry, const LineJudge& judge, const LineRun& run);
  /// Loads of a block that learns nothing of others.
  void add_reads(Entry& entry, const LineJudge& judge, std::span<const LineRun> runs);

  std::uint32_t cluster_blocks_;
  // Of the thread that adds.
  SparsePages<Page> pages_;
  std::deque<More> more_;
  std::size_t most_bytes_;  // of stores_
  KeptBlocks kept_;
  StoresOfBlocks stores_;
  std::atomic<RegionSet> open_ = 0;
  std::atomic<RegionSet> mixed_ = 0;
  BlockLines replayed_;
  KeptLoads replayed_loads_;
  Ended next_;  // a block that ended as the next one in order; else empty, with memory

  /// Blocks that may wait while a thread adds; beyond it others wait for that thread, so that
  /// memory stays bounded.
  static constexpr std::size_t kMostWaiting = 1024;
  std::mutex mutex_;  // of what follows
  std::condition_variable added_;
  bool adding_ = false;  // a thread adds, without the lock
  EndedBlocks<Ended> waiting_;
  /// Empty lists with memory.
  struct Spare {
    Lines lines;
    KeptStores stores;
  };
  std::vector<Spare> spare_;
};

}  // namespace warpsim
