#pragma once

#include <cstdint>
#include <memory>

#include "emulator/machine/context.h"
#include "emulator/native/trace.h"

namespace warpsim::native {

/// What an access to global memory asks of the caches. It depends on where the first lane is in its
/// line, and is found out once for each such place. One worker's, for one launch.
class CacheAsk {
 public:
  /// @param shape  of the whole warp; lives as long as this
  CacheAsk(const Inst& in, const LaneShape& shape, ProgramTables& tables);
  /// Tells the cache model. @param first  the first lane's address
  void ask(WarpContext& context, std::uint64_t first);

 private:
  /// Where the first lane is at one place in its line.
  struct Lines {
    bool are_listed = false;
    bool whole_sectors = false;  // as in PatternMemo, like the lists
    std::uint8_t count = 0;
    std::uint8_t sectors[PatternMemo::kLines] = {};
    std::int32_t line[PatternMemo::kLines] = {};
    std::unique_ptr<PatternMemo> far;  // of lines that no list has
  };
  void ask_slowly(WarpContext& context, std::uint64_t first, Lines& lines);

  const Inst* in_;
  const LaneShape* shape_;
  Counts* counts_;  // of the instruction
  AccessKind kind_;
  Residues residues_;
  std::unique_ptr<Lines[]> lines_;  // by place, made at first use
};

}  // namespace warpsim::native
