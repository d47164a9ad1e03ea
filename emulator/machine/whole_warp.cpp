#include "emulator/machine/whole_warp.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "emulator/machine/faults.h"
#include "emulator/machine/warp_sync.h"

namespace warpsim {
namespace {

/// `in`, which all 32 threads of a warp have to execute, is executed by `lanes`.
void report_partial_warp(const WarpContext& context, const Inst& in, std::uint32_t lanes) {
  Finding f = finding_at(context, in, lanes, FindingKind::sync_mask);
  f.message = "a matrix instruction is executed by a part of a warp";
  f.got = fmt::format("{} threads of the warp", std::popcount(lanes));
  f.want = "all 32";
  f.next =
      "Launch a multiple of 32 threads in a block, and let whole warps decide whether to work on "
      "a tile: an instruction on matrices belongs to the warp, not to a thread.";
  log(context, std::move(f));
}

}  // namespace

const Inst* wait_for_whole_warp(Warp& warp, const Inst& in) {
  if (const Inst* next = sync_lanes(warp, in, kFullMask)) return next;
  if (warp.active != kFullMask) report_partial_warp(*warp.context, in, warp.active);
  return nullptr;
}

}  // namespace warpsim
