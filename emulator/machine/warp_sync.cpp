#include "emulator/machine/warp_sync.h"

#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/tell.h"

namespace warpsim {
namespace {

/// Joins to the running split the splits that wait at the same instruction for the same lanes.
std::uint32_t gather(WarpContext& context, const Inst& in, std::uint32_t members) {
  auto& splits = context.splits;
  const Frame* frame = splits[context.current].frame;
  std::uint32_t joined = splits[context.current].mask;
  for (const WarpSplit& split : splits) {
    const bool waits = split.state == WarpSplit::State::at_warp_sync && split.pc == &in &&
                       split.frame == frame && split.members == members;
    if (waits) joined |= split.mask;
  }
  return joined;
}

void absorb(WarpContext& context, const Inst& in, std::uint32_t members) {
  auto& splits = context.splits;
  const Frame* frame = splits[context.current].frame;
  for (std::size_t i = 0; i < splits.size();) {
    const bool waits = i != context.current && splits[i].state == WarpSplit::State::at_warp_sync &&
                       splits[i].pc == &in && splits[i].frame == frame &&
                       splits[i].members == members;
    if (!waits) {
      ++i;
      continue;
    }
    splits[context.current].mask |= splits[i].mask;
    splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(i));
    if (context.current > i) --context.current;
  }
}

/// Lanes that have diverged can be on their way together or not, as the hardware likes.
void check_active_mask(WarpContext& context, const Inst& in, std::uint32_t members) {
  if (!context.block->launch->options.checks.barriers) return;
  if ((context.live & ~members) != 0) raise(context, {faults::ActiveMask{context, in, members}});
}

/// Active lanes are not in their mask. They take part nevertheless, as on a card where the compiler
/// knows that all lanes come together (measured on an H200; elsewhere it ends the kernel). If none
/// of them is in it, no lane of the mask waits for them, and they go on alone. Else they meet those
/// who wait with the same mask.
void report_mask(WarpContext& context, const Inst& in, std::uint32_t& members) {
  const std::uint32_t active = context.warp.active;
  const std::uint32_t left_out = active & ~members;
  raise(context, {faults::NotInMask{context, in, left_out, members}});
  if (left_out == active) members = active;
}

const Inst* wait_here(WarpContext& context, const Inst& in, std::uint32_t members) {
  if (context.run_start != &in) account(context, (&in)[-1]);
  WarpSplit& split = context.splits[context.current];
  split.pc = &in;
  split.state = WarpSplit::State::at_warp_sync;
  split.members = members;
  return reschedule(context);
}

}  // namespace

const Inst* sync_lanes(Warp& warp, const Inst& in, std::uint32_t members) {
  WarpContext& context = *warp.context;
  if ((warp.active & ~members) != 0) [[unlikely]]
    report_mask(context, in, members);
  if (in.flags & kActiveMaskDerived) check_active_mask(context, in, members);
  const std::uint32_t needed = (members | warp.active) & context.live;
  if ((needed & ~warp.active) == 0) [[likely]] {
    // The memory model gives shuffles and votes no order of memory. Their lanes do meet, though,
    // and accepted code relies on it, so that nothing is said of lanes that met.
    tell(*context.block, &Observer::meet, context, members | warp.active);
    return nullptr;
  }
  if ((needed & ~gather(context, in, members)) != 0) return wait_here(context, in, members);
  absorb(context, in, members);
  // Runs `in` again with all lanes together.
  if (context.run_start != &in) account(context, (&in)[-1]);
  context.splits[context.current].pc = &in;
  return resume(context);
}

const Inst* sync_warp(Warp& warp, const Inst& in, std::uint32_t members) {
  WarpContext& context = *warp.context;
  if ((warp.active & ~members) != 0) [[unlikely]]
    report_mask(context, in, members);
  if (in.flags & kActiveMaskDerived) check_active_mask(context, in, members);
  const std::uint32_t needed = (members | warp.active) & context.live;
  if ((needed & ~warp.active) == 0) [[likely]] {
    tell(*context.block, &Observer::meet, context, members | warp.active);
    return &in + 1;
  }
  // Lanes may meet at different __syncwarp() calls: everyone who waits with this mask counts.
  std::uint32_t arrived = warp.active;
  for (const WarpSplit& split : context.splits) {
    if (split.state == WarpSplit::State::at_warp_sync && split.members == members &&
        split.pc->run == in.run) {
      arrived |= split.mask;
    }
  }
  if ((needed & ~arrived) != 0) return wait_here(context, in, members);
  for (WarpSplit& split : context.splits) {
    if (split.state == WarpSplit::State::at_warp_sync && split.members == members &&
        split.pc->run == in.run) {
      split.state = WarpSplit::State::ready;
      split.pc += 1;
    }
  }
  tell(*context.block, &Observer::meet, context, members | arrived);
  account(context, in);
  context.splits[context.current].pc = &in + 1;
  return reschedule(context);
}

}  // namespace warpsim
