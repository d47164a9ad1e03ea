#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/checkers/races/line_run.h"

// Lines that are only read. No two loads conflict, so that nothing has to be looked up as long as
// nobody writes: the loads are kept as they came, and compared once there is a write.

namespace warpsim {

/// Whether a run may be one of those below: a weak load.
[[nodiscard]] inline bool is_weak_load(const LineRun& run) {
  return run.what().traits() == 0;
}

/// Loads of one block from a line that it has not written, in their order.
class BlockReads {
 public:
  explicit BlockReads(std::span<const LineRun> runs);
  /// @returns false when there are too many: the line needs cells
  [[nodiscard]] bool add(const LineRun& run);
  [[nodiscard]] std::span<const LineRun> runs() const { return runs_; }
  void settle();
  /// Few of the runs, which together touch each byte that any of them touches: all that blocks need
  /// which learn nothing of each other.
  [[nodiscard]] std::vector<LineRun> covering() const;

 private:
  static constexpr std::size_t kMost = 128;
  /// Of a warp's loads of the same bytes the last one stands for all.
  void drop_repeated();

  std::vector<LineRun> runs_;
};

/// Loads of blocks that learn nothing of each other, from a line that none has written: for each
/// byte, those of two blocks.
class GridReads {
 public:
  /// @param runs  of one block, all of them
  /// @returns false when there are too many: the line needs cells
  [[nodiscard]] bool add(std::span<const LineRun> runs);
  [[nodiscard]] std::span<const LineRun> runs() const { return runs_; }

 private:
  static constexpr std::size_t kMost = 64;
  std::vector<LineRun> runs_;
  LineBytes once_, twice_;  // read by a block; by two of them
};

}  // namespace warpsim
