#include "emulator/machine/texture_count.h"

#include <algorithm>
#include <bit>

#include "emulator/counters/cache.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kSector = 32;
constexpr std::uint64_t kSectorsALine = 4;

}  // namespace

void count_texels(WarpContext& context, const Inst& in, std::span<Texel> texels,
                  std::uint32_t requests) {
  Counts& counts = context.tables->counts[in.index];
  BlockCache* const cache = context.block->cache.get();
  counts.requests += requests;
  std::ranges::sort(texels, {}, &Texel::address);
  std::uint64_t line = 0;
  std::uint32_t sectors = 0;  // of the line
  const auto end_line = [&] {
    if (sectors == 0) return;
    counts.sectors += static_cast<std::uint64_t>(std::popcount(sectors));
    if (cache != nullptr) counts.l1_hits += cache->load(line, sectors);
    sectors = 0;
  };
  std::uint64_t distinct = 0;  // bytes
  std::uint64_t end = 0;  // of the bytes that were counted
  for (const Texel& texel : texels) {
    counts.bytes += texel.bytes;
    const std::uint64_t last = texel.address + texel.bytes;
    if (last > end) distinct += last - std::max(end, texel.address);
    end = std::max(end, last);
    for (std::uint64_t s = texel.address / kSector; s <= (last - 1) / kSector; ++s) {
      if (s / kSectorsALine != line) end_line();
      line = s / kSectorsALine;
      sectors |= 1u << s % kSectorsALine;
    }
  }
  end_line();
  counts.ideal_sectors += (distinct + kSector - 1) / kSector;
}

}  // namespace warpsim
