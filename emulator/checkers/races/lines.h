#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "emulator/checkers/races/access.h"
#include "emulator/checkers/races/kept_loads.h"
#include "emulator/checkers/races/kept_stores.h"
#include "emulator/checkers/races/line_reads.h"
#include "emulator/checkers/races/line_run.h"
#include "emulator/checkers/races/log.h"
#include "emulator/checkers/races/order.h"
#include "emulator/checkers/races/pieces.h"
#include "emulator/isa/lane_shape.h"

// Shadow of global memory, by lines of 128 bytes. What a warp does to consecutive addresses is one
// run, so that the usual access costs the same for 32 lanes as for one; a line that is used in many
// ways gets a cell for each word, or each byte.

namespace warpsim {

/// A part of a run: of one lane.
struct LineCell {
  std::uint64_t epoch = 0;  // with its lane
  std::uint32_t block = 0;
  // As the run has them.
  std::uint32_t value = 0;
  std::int16_t origin = 0;
  std::uint8_t first = 0, last = 0;
  std::uint8_t width = 0;
  std::int8_t stride = 0;
  bool uniform = false;
  bool settled = false;

  LineCell() = default;
  explicit LineCell(const LineRun& run)
      : epoch(run.epoch),
        block(run.block),
        value(run.value),
        origin(run.origin),
        first(run.first),
        last(run.last),
        width(run.width),
        stride(run.stride),
        uniform(run.uniform),
        settled(run.settled) {}
  /// The whole run, but for `was_read`.
  [[nodiscard]] LineRun run() const;
};

/// Two representative writers and two readers of each word or byte of a line.
struct LineCells {
  using List = std::vector<LineCell>;
  int shift = 2;  // log2 of the bytes of a cell
  List writer, writer2, reader, reader2;  // each empty until it has one
  std::bitset<kRaceLineBytes> was_read;  // bytes of runs that were; readers tell of the others

  explicit LineCells(int log2_bytes) : shift(log2_bytes) {}
  /// A cell of one of the lists.
  LineCell& at(List& list, std::size_t i) const {
    if (list.empty()) list.resize(kRaceLineBytes >> shift);
    return list[i];
  }
  /// Whether two other blocks have made accesses like a block's to a cell that nobody reads:
  /// whoever conflicts with that one conflicts with those.
  [[nodiscard]] bool has_two_like(const LineCell& now, std::size_t i) const;
  void settle();
  /// Adds weak loads, or updates (LineRun::is_update), by a block where they meet nothing but
  /// accesses of their kind: then there is nothing to be judged.
  /// @param run  of words
  /// @param recent  LineJudge::recent
  /// @returns false where something else is there; nothing is added then
  [[nodiscard]] bool add_alike(const LineRun& run, std::uint64_t recent);
};

/// How accesses are judged: among the threads of one block, or among blocks.
struct LineJudge {
  bool among_blocks = false;
  /// Of the block that makes the access. Null: among blocks, nothing is known; of one block, all is
  /// ordered, as what is kept is.
  const BlockOrder* order = nullptr;
  ConflictLog* log = nullptr;
  std::uint64_t line_address = 0;
  std::uint32_t cluster_blocks = 1;  // blocks of a cluster, which follow each other
  // Of the instruction that is being judged, within a block.
  std::uint64_t block = 0;
  std::uint64_t floor_bits = 0;  // BlockOrder::floor_bits
  const WarpAccess* access = nullptr;
  const std::uint64_t* address = nullptr;  // of its lanes; null: its shape says

  [[nodiscard]] bool ordered(Epoch old, std::uint32_t old_block, Epoch now,
                             std::uint32_t now_block) const;
  /// Accesses that the memory model lets meet.
  [[nodiscard]] bool compatible(Epoch old, std::uint32_t old_block, Epoch now,
                                std::uint32_t now_block) const;
  /// Whether two of these may still be worth a warning when nothing orders them.
  [[nodiscard]] bool doubtful(Epoch old, Epoch now) const {
    return old.mixes_with(now) || (among_blocks && order != nullptr && order->intends());
  }
  /// What they are when nothing orders them: Meeting::race where there is nothing to be said.
  [[nodiscard]] Meeting meeting(Epoch old, std::uint32_t old_block, Epoch now) const {
    if (among_blocks && order != nullptr && order->intends(now.warp(), old_block, old)) {
      return Meeting::narrow;
    }
    return old.mixes_with(now) ? Meeting::mixed : Meeting::race;
  }
  /// Epochs from here on are of interest.
  [[nodiscard]] std::uint64_t recent() const { return among_blocks ? 1 : floor_bits; }
  [[nodiscard]] bool same_owner(Epoch old, std::uint32_t old_block, Epoch now,
                                std::uint32_t now_block) const {
    return among_blocks ? old_block == now_block : old.warp() == now.warp();
  }
  void runs(const LineRun& old, const LineRun& now) const;
  /// @param read  of a write: an access of the same warp that read the place before; 0: none
  /// @param bytes  of a cell
  void cells(const LineCell& old, const LineCell& now, int byte, int bytes, Epoch read) const;
  /// Lanes store to one place with one instruction.
  void lanes_in_one_place(const struct LineView& line, const LineRun& now) const;

 private:
  [[nodiscard]] std::uint64_t address_of(std::uint32_t lane) const;
  /// The lane of an earlier write is one of the instruction that is being judged.
  [[nodiscard]] bool is_of_access(Epoch old, std::uint64_t place) const;
  /// Whether a lane of the instruction stores at `byte` what an earlier write of the block has left
  /// there, or another lane stores there with it: what the values' hashes do not tell of runs of
  /// different shapes. (A write of another block in between is a race of its own.)
  [[nodiscard]] bool stores_the_same(Epoch old, Epoch now, int byte) const;
  [[nodiscard]] bool stores_the_same(const LineRun& old, const LineRun& now) const;
  [[nodiscard]] Conflict conflict(Epoch old, std::uint32_t old_block, Epoch now,
                                  std::uint32_t now_block, int byte, Meeting meeting) const;
  void add(Conflict found, bool same_value, Epoch read) const;
  /// Likewise of two writes by blocks, of which the hashes do not tell whether they are equal.
  void add_open(const Conflict& found, const LineRun& old, const LineRun& now) const;
};

/// The runs of a line, wherever they are stored.
struct LineView {
  LineRun* runs = nullptr;
  std::uint32_t* count = nullptr;
  std::uint32_t capacity = 0;
  std::unique_ptr<LineCells>* cells = nullptr;  // once there are too many runs
};
/// Judges a run against what the line has, and remembers it.
/// @returns false when there is no room for it; it is judged then, but not remembered
bool add_run(const LineView& line, const LineJudge& judge, const LineRun& now);
/// Goes over to cells; `now` has been judged.
void expand_line(const LineView& line, const LineJudge& judge, const LineRun& now);
/// Cells for loads that are to be compared with a write.
[[nodiscard]] std::unique_ptr<LineCells> cells_of_reads(std::span<const LineRun> runs,
                                                        const LineJudge& judge);

/// A block's own accesses to global memory.
class BlockLines {
 public:
  static constexpr std::uint32_t kFewRuns = 4;
  struct Line {
    std::uint64_t number = 0;  // address / 128
    std::uint64_t order = 0;  // of first touches; equal ones are as in the list
    std::uint32_t count = 0;
    bool dirty = false;  // has runs that the grid does not know
    LineRun runs[kFewRuns];
    // In place of the runs, once there are too many: where the block only reads, and where it does
    // not.
    std::unique_ptr<BlockReads> reads;
    std::unique_ptr<LineCells> cells;

    [[nodiscard]] bool is_empty() const {
      return count == 0 && reads == nullptr && cells == nullptr;
    }
  };
  /// @param open  allocations of which nothing is kept
  /// @param order  of the block, which begins; null: nothing is kept at all
  /// @param mixed  allocations which blocks may load from and store to
  void start(const BlockOrder* order = nullptr, RegionSet open = 0, RegionSet mixed = 0);
  /// @param address  32 device addresses
  void access(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
              const std::uint64_t* address);
  /// The same for lanes that have a shape.
  /// @param pieces  what the instruction remembers
  void access(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
              RacePieces& pieces);

  // -- loads and stores that are kept (kept_loads.cpp, kept_stores.cpp) --
  [[nodiscard]] bool keeps() const { return keeps_; }
  /// Keeps a weak load, instead of access().
  /// @param region  the allocation in which all lanes are
  /// @returns false where it has to be told by access()
  [[nodiscard]] bool keep(const BlockOrder& order, Epoch epoch, std::uint64_t first,
                          const LoadPlaces& places, std::uint32_t region) {
    const RegionSet bit = region_bit(region);
    const std::uint32_t at = order_ + 1;
    if (((open_ | tracked_) & bit) == 0 && at <= kMostOrders &&
        keeper_.follows(epoch, first, places, order.floor(), region, at)) [[likely]] {
      order_ += kOrderStep;
      kept_regions_ |= bit;
      return true;
    }
    return keep_slowly(order, epoch, first, places, region);
  }
  /// Likewise a weak store. @param lanes  how its lanes lie
  [[nodiscard]] bool keep_store(const BlockOrder& order, const WarpAccess& access,
                                const StorePlaces& lanes, std::uint32_t region);
  /// Nothing is kept of the allocation.
  [[nodiscard]] bool is_open(std::uint32_t region) const {
    return (open_ & region_bit(region)) != 0;
  }
  /// Has to come before access() while keeps(). The allocation's loads or stores get lines.
  /// @param region  kKeptRegions or more: it may be any
  void open(std::uint32_t region);
  /// The loads that are left, of a block that has ended; after take().
  /// @param instead  for its memory
  [[nodiscard]] LoadsOfBlock take_loads(LoadDistances instead = {});
  /// Likewise the stores. @param instead  an empty list, for its memory
  [[nodiscard]] KeptStores take_stores(KeptStores instead);
  /// The allocations that have lines.
  [[nodiscard]] RegionSet open_regions() const { return keeps_ ? open_ : ~RegionSet{0}; }
  /// Begins with what loads and stores of some allocations would have made of the lines of their
  /// block.
  void replay(const KeptLoads& loads, const KeptStores& stores, RegionSet regions);

  /// Lines with something new, in order of first touch; they are not dirty any more.
  template <class F>
  void settle(F use) {
    for (const std::uint32_t index : dirty_) {
      Line& line = lines_[index];
      use(line);
      line.dirty = false;
      for (std::uint32_t i = 0; i < line.count; ++i) line.runs[i].settled = true;
      if (line.reads != nullptr) line.reads->settle();
      if (line.cells != nullptr) line.cells->settle();
    }
    dirty_.clear();
  }
  /// All lines, of a block that has ended, in order of first touch.
  /// @param instead  an empty list, for its memory
  std::vector<Line> take(std::vector<Line> instead);

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t generation = 0;
    std::uint32_t index = 0;
  };
  [[nodiscard]] LineJudge judge_of(const BlockOrder& order, ConflictLog& log,
                                   const WarpAccess& access) const;
  void touch(LineJudge& judge, const RacePieces::Piece& piece, std::uint64_t number);
  void touch(LineJudge& judge, LineRun run, std::uint64_t number);
  /// The pieces of an access, as touch() takes them.
  void touch_lanes(LineJudge& judge, const std::uint64_t* address);
  [[nodiscard]] bool keep_slowly(const BlockOrder& order, Epoch epoch, std::uint64_t first,
                                 const LoadPlaces& places, std::uint32_t region);
  void touch_load(const KeptLoad& load);
  /// Makes of the lines what loads and stores of some allocations would have made of them, in their
  /// order.
  void touch_kept(const KeptLoads& loads, RegionSet of_loads, const KeptStores& stores,
                  RegionSet of_stores);
  void touch_own(RegionSet regions);
  /// From here on it is known which threads access which words of an allocation.
  /// @returns false where there are too many
  [[nodiscard]] bool track(std::uint32_t region);
  void add_row(const BlockOrder& order, const WarpAccess& access, std::uint32_t region);
  void add_scattered(const BlockOrder& order, const WarpAccess& access, const StorePlaces& lanes,
                     std::uint32_t region);
  void touch_store(const KeptStores& stores, const KeptStore& store);
  void stop_keeping();
  Line& find(std::uint64_t number);
  void grow();

  std::vector<Line> lines_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> dirty_;
  std::uint32_t generation_ = 0;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  std::uint32_t last_index_ = 0;

  std::uint64_t block_ = 0;
  std::uint32_t start_ = 0;  // KeptLoads::start
  // Line::order of new lines: how many loads had been kept, and then how many stores. Both are even
  // but for lines of what is kept.
  std::uint32_t order_ = 0, store_order_ = 0;
  bool keeps_ = false;
  bool is_mixed_ = false;  // lines are not in their order
  RegionSet kept_regions_ = 0, open_ = 0;
  LoadKeeper keeper_;
  KeptStores stores_;
  /// Allocations of which `owners_` has all that is kept: those with stores, and those that are
  /// expected to have some.
  RegionSet tracked_ = 0;
  WordOwners owners_;
};

}  // namespace warpsim
