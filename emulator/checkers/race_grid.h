#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/checkers/race_lines.h"
#include "emulator/checkers/race_log.h"

namespace warpsim {

/// What the blocks of a launch did to global memory. Where no block can learn of another, blocks
/// are taken in the order of their indices whatever the order in which they ended, so that what is
/// found does not depend on how many host threads ran them. Not thread-safe.
class GridLines {
 public:
  /// Adds what a running block did to a line since it was last added.
  /// @param order  what its warps know; null: nothing of other blocks
  void add(const BlockLines::Line& line, const BlockOrder* order, ConflictLog& log);

  /// A block has ended. Takes the lines when it is the next in order, and what waited for it; else
  /// keeps them.
  void add_in_order(std::uint64_t block, BlockLines& lines, ConflictLog& log);

 private:
  struct More {
    static constexpr std::uint32_t kCapacity = 6;
    std::uint32_t count = 0;
    LineRun runs[kCapacity];
    std::unique_ptr<LineCells> cells;
  };
  /// Most lines have one run.
  struct Entry {
    LineRun run;
    More* more = nullptr;
  };
  static constexpr std::uint64_t kPageLines = 512;
  struct Page {
    Entry entries[kPageLines];
  };
  Entry& find(std::uint64_t number);
  void add(Entry& entry, const LineJudge& judge, const LineRun& run);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  std::deque<More> more_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, std::vector<BlockLines::Line>> waiting_;
};

}  // namespace warpsim
