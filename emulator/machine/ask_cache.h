#pragma once

#include <cstdint>

#include "emulator/counters/cache.h"
#include "emulator/isa/inst.h"
#include "emulator/machine/context.h"

namespace warpsim {

/// Asks the cache model for lines.
/// @param for_each  calls its argument with each line and its sectors
template <class ForEach>
[[gnu::always_inline]] inline void ask_cache(BlockCache* cache, const Inst& in, AccessKind kind,
                                             bool whole_sectors, Counts& counts, ForEach for_each) {
  switch (kind) {
    case AccessKind::global_load:
    case AccessKind::local_load:
    case AccessKind::global_to_shared:
      if ((in.flags & (kVolatile | kPastL1)) != 0) {
        for_each(
            [&](std::uint64_t line, std::uint32_t sectors) { cache->load_beyond(line, sectors); });
        return;
      }
      for_each([&](std::uint64_t line, std::uint32_t sectors) {
        counts.l1_hits += cache->load(line, sectors);
      });
      return;
    case AccessKind::global_store:
    case AccessKind::local_store:
      for_each([&](std::uint64_t line, std::uint32_t sectors) {
        cache->store(line, sectors, whole_sectors);
      });
      return;
    case AccessKind::global_atomic:
    case AccessKind::global_reduction:
      for_each([&](std::uint64_t line, std::uint32_t sectors) {
        cache->atomic(line, sectors, kind == AccessKind::global_atomic);
      });
      return;
    default:
      return;  // constants have caches of their own
  }
}

}  // namespace warpsim
