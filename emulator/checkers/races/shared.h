#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/checkers/races/access.h"
#include "emulator/checkers/races/log.h"
#include "emulator/checkers/races/order.h"
#include "emulator/isa/lane_shape.h"

namespace warpsim {

/// Loads of a LoadSeries from shared memory, as the shadow keeps them. It outlives what native code
/// keeps of the series.
struct SharedSeries {
  struct Load {
    std::uint64_t site_and_traits = 0;  // bits of an Epoch
    std::uint32_t width = 0;
    std::uint32_t start = 0;  // which of the starts
    std::uint32_t offset = 0;  // to be added to it
    std::uint32_t shape = 0;
    bool is_row = false;  // consecutive lanes load consecutive words
  };
  std::vector<Load> loads;
  std::vector<std::uint32_t> starts;  // indices into LoadSeries::starts
  std::vector<std::array<std::uint32_t, 32>> shapes;  // LaneShape::relative
};

/// Two accesses that stand for all since the last barrier: a later access that conflicts with any
/// of them conflicts with one of these two.
struct StampPair {
  std::uint64_t* first = nullptr;
  std::uint64_t* second = nullptr;
};
/// Puts an access into a pair.
/// @param recent  accesses from here on are of the current interval
void remember(StampPair pair, Epoch epoch, std::uint64_t recent);

/// Shadow of a block's shared memory. Each word has its writers and its readers since the last
/// barrier; once the kernel accesses less than a word, each byte has.
///
/// Global memory has another shadow, by lines (lines.h), since each is much slower for the other
/// memory. With lines for shared memory, too, GEMM 128^3 with all checks takes 747 instead of 113
/// million host instructions per launch and the tree reduction of docs/performance.md 55 instead of
/// 38: a line is searched for what its accesses were, and here most words are read many times
/// between two barriers, which a load that waits for the next store does not look at. With words
/// for global memory, each word would take 32 bytes for every block that accesses it. A cluster of
/// several blocks, whose shared memory many blocks access, uses lines (cluster.h). What both share
/// are epochs, the order of a block's accesses, the log and the report.
class SharedShadow {
 public:
  /// Sizes the shadow; old contents stay old.
  void reserve(std::size_t bytes);
  void clear();
  /// A barrier of the whole block.
  void barrier();

  /// @param offsets  32 offsets; only active lanes' count
  void load(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
            const std::uint32_t* offsets);
  /// The same for lanes that have a shape.
  /// @param first  the first active lane's offset
  /// @param shape  must stay where it is until the next barrier; it may change
  void load(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
            std::uint32_t first, const LaneShape& shape) {
    if (access.width == 4 && shape.one_row) {
      const Row row = row_from(access, first);
      if (row.count != 0) return load_row({order, log}, access, row);
    }
    const KnownShape& known = known_of(shape);
    const bool is_known =
        known.shape == &shape && known.version == shape.version && known.interval == interval_;
    if (is_known && !has_writes_ && pending_ < kMaxPending) [[likely]] {
      wait(access, first, known.places);
    } else {
      load_slowly(order, log, access, first, shape);
    }
  }
  /// A load may conflict with a store since the last barrier.
  [[nodiscard]] bool has_writes() const { return has_writes_; }
  /// The loads of a series, all of them.
  /// @param warp  an epoch with the tick and the warp of the loads
  /// @param starts  LoadSeries::starts
  void load(const BlockOrder& order, ConflictLog& log,
            const std::shared_ptr<const SharedSeries>& series, Epoch warp,
            const std::uint64_t* starts);
  /// @param memory  the block's shared memory before the store
  void store(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
             const std::uint32_t* offsets, const std::byte* memory);
  /// The same for lanes that have a shape.
  void store(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
             std::uint32_t first, const LaneShape& shape, const std::byte* memory) {
    if (!rows_wait_ || access.width != 4 || !shape.one_row || !wait(row_from(access, first))) {
      store_slowly(order, log, access, first, shape, memory);
    }
  }

 private:
  struct Free {
    void operator()(std::uint64_t* p) const;
  };
  using Words = std::unique_ptr<std::uint64_t[], Free>;
  static Words zeroed(std::size_t count);

  /// A load that waits for the first store of its interval; without one it needs no shadow.
  struct PendingLoad {
    Epoch epoch;
    std::uint32_t lanes;
    std::uint32_t width;
    std::uint32_t first;
    std::uint32_t places;  // index; kRow: none, they are per row
  };
  static constexpr std::uint32_t kRow = ~std::uint32_t{0};
  /// In the place of `places`: the load stands for those of a series. Its width is then the index
  /// of that, and `first` the index of its starts.
  static constexpr std::uint32_t kSeries = kRow - 1;
  /// The 32 offsets of a load, less those of its first lane: loads share them.
  struct Places {
    std::uint32_t relative[32];
  };
  struct KnownShape {
    const LaneShape* shape = nullptr;
    std::uint32_t version = 0;
    std::uint32_t interval = 0;
    std::uint32_t places = 0;
  };
  /// Consecutive lanes that access consecutive words.
  struct Row {
    std::size_t cell = 0;
    std::uint32_t count = 0;  // 0: they do not
    Epoch epoch;  // of the first lane
  };
  /// Words of the shadow that stores have which wait, one bit each.
  class StoredWords {
   public:
    void resize(std::size_t cells) { bits_.assign(cells / 64 + 2, 0); }
    /// @returns false where the row has a word that is there already
    [[nodiscard]] bool add(const Row& row) {
      const std::size_t at = row.cell / 64;
      const std::size_t shift = row.cell % 64;
      const std::uint64_t lanes = (std::uint64_t{1} << row.count) - 1;
      const std::uint64_t low = lanes << shift;
      const std::uint64_t high = lanes >> 1 >> (63 - shift);
      if (((bits_[at] & low) | (bits_[at + 1] & high)) != 0) return false;
      bits_[at] |= low;
      bits_[at + 1] |= high;
      return true;
    }
    void remove(const Row& row) { bits_[row.cell / 64] = bits_[row.cell / 64 + 1] = 0; }

   private:
    std::vector<std::uint64_t> bits_;
  };
  struct Cause {
    const BlockOrder& order;
    ConflictLog& log;
  };
  void use_bytes();
  void load_slowly(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                   std::uint32_t first, const LaneShape& shape);
  /// Loads wait, or stores may.
  [[nodiscard]] bool has_waiting() const { return pending_ != 0 || rows_wait_; }
  void replay(Cause cause);
  void replay_stores();
  void store_slowly(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
                    std::uint32_t first, const LaneShape& shape, const std::byte* memory);
  /// @param start_of  an offset of the series: std::uint32_t(std::uint32_t), from an index
  template <class StartOf>
  void read_series(Cause cause, const SharedSeries& series, Epoch warp, StartOf start_of);
  void wait(const WarpAccess& access, std::uint32_t first, std::uint32_t places) {
    reads_[pending_++] = {access.epoch, access.lanes, access.width, first, places};
    rows_wait_ = false;
  }
  /// While rows wait. @returns whether the store waits with them
  [[nodiscard]] bool wait(const Row& row) {
    if (row.count == 0 || row.epoch.validating() || !stored_.add(row)) return false;
    stores_.push_back(row);
    has_writes_ = true;
    return true;
  }
  /// The row of lanes of which it is known that they access consecutive words, if none is missing.
  [[nodiscard]] static Row row_from(const WarpAccess& access, std::uint32_t first) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(access.lanes));
    const std::uint64_t lanes = std::uint64_t{access.lanes} >> lane;
    if ((lanes & (lanes + 1)) != 0) return {};
    return {first / 4, static_cast<std::uint32_t>(std::countr_one(lanes)),
            access.epoch.with_lane(lane)};
  }
  [[nodiscard]] static Row row_of(const WarpAccess& access, std::uint32_t first,
                                  const LaneShape& shape) {
    return access.width == 4 && shape.one_row ? row_from(access, first) : Row();
  }
  [[nodiscard]] static Row row_of(const WarpAccess& access, const std::uint32_t* offsets);
  void load_row(Cause cause, const WarpAccess& access, const Row& row);
  void read_row(Cause cause, const WarpAccess& access, const Row& row);
  static void spread(const Row& row, std::uint32_t* offsets);
  [[nodiscard]] bool write_row(Cause cause, const WarpAccess& access, const Row& row);
  [[nodiscard]] bool free_row(const Row& row, std::uint64_t recent) const;
  void read(Cause cause, const WarpAccess& access, const std::uint32_t* offsets);
  void read_lanes(Cause cause, const WarpAccess& access, const std::uint32_t* offsets);
  void read_cell(Cause cause, Epoch epoch, std::size_t cell);
  void write_cell(Cause cause, const WarpAccess& access, Epoch epoch, std::size_t cell,
                  const std::uint32_t* offsets, const std::byte* memory);
  void judge(Cause cause, Epoch old, Epoch now, std::size_t cell);
  [[nodiscard]] StampPair writers(std::size_t cell) const {
    return {&writer_[cell], &writer2_[cell]};
  }
  [[nodiscard]] StampPair readers(std::size_t cell) const {
    return {&reader_[cell], &reader2_[cell]};
  }

  std::size_t bytes_ = 0;
  std::uint32_t shift_ = 2;  // log2 of the bytes of a cell
  Words writer_, writer2_, reader_, reader2_;
  // Of the interval since the last barrier.
  bool has_writes_ = false;  // also where they wait
  bool has_reads_ = false;  // in the shadow
  bool has_seconds_ = false;  // some word has two writers or two readers
  /// Loads that wait before they go to the shadow after all.
  static constexpr std::size_t kMaxPending = 1024;
  std::unique_ptr<PendingLoad[]> reads_;
  std::size_t pending_ = 0;
  std::vector<Places> places_;  // of the loads that wait
  std::vector<std::shared_ptr<const SharedSeries>> series_;  // likewise
  std::vector<std::uint32_t> starts_;  // of series
  /// Nothing but stores of rows has happened, each to words of its own. They wait for anything
  /// else: without it they need no shadow.
  bool rows_wait_ = false;
  std::vector<Row> stores_;
  StoredWords stored_;
  std::uint32_t interval_ = 1;
  static constexpr std::size_t kKnownShapes = 64;
  KnownShape known_[kKnownShapes];
  [[nodiscard]] KnownShape& known_of(const LaneShape& shape) {
    return known_[reinterpret_cast<std::uintptr_t>(&shape) / 128 % kKnownShapes];
  }
};

}  // namespace warpsim
