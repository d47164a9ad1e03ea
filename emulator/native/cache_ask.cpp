#include "emulator/native/cache_ask.h"

#include <algorithm>

#include "emulator/machine/access.h"
#include "emulator/machine/ask_cache.h"

namespace warpsim::native {

CacheAsk::CacheAsk(const Inst& in, const LaneShape& shape, ProgramTables& tables)
    : in_(&in),
      shape_(&shape),
      counts_(&tables.counts[in.index]),
      kind_(tables.kinds[in.index]),
      residues_(in.width) {}

[[gnu::noinline]] void CacheAsk::ask_slowly(WarpContext& context, std::uint64_t first,
                                            Lines& lines) {
  if (lines.far == nullptr) {
    auto memo = std::make_unique<PatternMemo>();
    std::uint64_t address[kWarpSize];
    for (std::size_t i = 0; i < kWarpSize; ++i) {
      const auto distance = static_cast<std::int32_t>(shape_->relative[i]);
      address[i] = first + static_cast<std::uint64_t>(std::int64_t{distance});
    }
    static_cast<void>(sector_cost(address, kFullMask, in_->width, *memo));
    lines.are_listed = memo->lists_lines;
    lines.whole_sectors = memo->whole_sectors;
    lines.count = memo->lines;
    std::ranges::copy(memo->sectors_of, lines.sectors);
    std::ranges::copy(memo->line, lines.line);
    lines.far = std::move(memo);
  }
  count_lines_of(context, *in_, first, *shape_, *lines.far);
}

[[gnu::flatten]] void CacheAsk::ask(WarpContext& context, std::uint64_t first) {
  if (lines_ == nullptr) [[unlikely]]
    lines_ = std::make_unique<Lines[]>(residues_.count());
  Lines& lines = lines_[residues_.of(first)];
  if (!lines.are_listed) [[unlikely]]
    return ask_slowly(context, first, lines);
  ask_cache(context.block->cache.get(), *in_, kind_, lines.whole_sectors, *counts_, [&](auto use) {
    const std::uint64_t line = first / kLineBytes;
    std::uint32_t i = 0;
    do {
      use(line + static_cast<std::uint64_t>(std::int64_t{lines.line[i]}), lines.sectors[i]);
    } while (++i < lines.count);
  });
}

}  // namespace warpsim::native
