#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "emulator/checkers/race_access.h"
#include "emulator/checkers/race_log.h"
#include "emulator/checkers/race_order.h"

namespace warpsim {

/// Two accesses that stand for all since the last barrier: a later access that conflicts with any
/// of them conflicts with one of these two.
struct StampPair {
  std::uint64_t* first = nullptr;
  std::uint64_t* second = nullptr;
};
/// Puts an access into a pair.
/// @param recent  accesses from here on are of the current interval
void remember(StampPair pair, Stamp stamp, std::uint64_t recent);

/// Shadow of a block's shared memory. Each word has its writers and its readers since the last
/// barrier; once the kernel accesses less than a word, each byte has.
class SharedShadow {
 public:
  /// Sizes the shadow; old contents stay old.
  void reserve(std::size_t bytes);
  void clear();
  /// A barrier of the whole block.
  void barrier() { pending_ = 0; }

  /// @param offsets  32 offsets; only active lanes' count
  void load(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
            const std::uint32_t* offsets);
  /// @param memory  the block's shared memory before the store
  void store(const BlockOrder& order, ConflictLog& log, const WarpAccess& access,
             const std::uint32_t* offsets, const std::byte* memory);

 private:
  struct Free {
    void operator()(std::uint64_t* p) const;
  };
  using Words = std::unique_ptr<std::uint64_t[], Free>;
  static Words zeroed(std::size_t count);

  /// A load that waits for the first store of its interval; without one it needs no shadow.
  struct PendingLoad {
    Stamp stamp;
    std::uint32_t lanes;
    std::uint32_t width;
    std::uint32_t offsets[32];
  };

  struct Cause {
    const BlockOrder& order;
    ConflictLog& log;
  };
  void use_bytes();
  void replay(Cause cause);
  [[nodiscard]] bool free_row(std::size_t cell, Stamp row, std::uint64_t recent) const;
  void read(Cause cause, const WarpAccess& access, const std::uint32_t* offsets);
  void read_cell(Cause cause, Stamp stamp, std::size_t cell);
  void write_cell(Cause cause, const WarpAccess& access, Stamp stamp, std::size_t cell,
                  const std::uint32_t* offsets, const std::byte* memory);
  void judge(Cause cause, Stamp old, Stamp now, std::size_t cell);
  [[nodiscard]] StampPair writers(std::size_t cell) const {
    return {&writer_[cell], &writer2_[cell]};
  }
  [[nodiscard]] StampPair readers(std::size_t cell) const {
    return {&reader_[cell], &reader2_[cell]};
  }

  std::size_t bytes_ = 0;
  std::uint32_t shift_ = 2;  // log2 of the bytes of a cell
  Words writer_, writer2_, reader_, reader2_;
  std::uint32_t last_write_ = 0;  // tick
  /// Loads that wait before they go to the shadow after all.
  static constexpr std::size_t kMaxPending = 1024;
  std::unique_ptr<PendingLoad[]> reads_;
  std::size_t pending_ = 0;
};

}  // namespace warpsim
