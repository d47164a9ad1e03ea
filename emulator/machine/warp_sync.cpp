#include "emulator/machine/warp_sync.h"

#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/race_hooks.h"

namespace warpsim {
namespace {

/// Joins to the running group the groups that wait at the same instruction for the same lanes.
std::uint32_t gather(WarpContext& context, const Inst& in, std::uint32_t members) {
  auto& groups = context.groups;
  const Frame* frame = groups[context.current].frame;
  std::uint32_t joined = groups[context.current].mask;
  for (const Group& group : groups) {
    const bool waits = group.state == Group::State::at_warp_sync && group.pc == &in &&
                       group.frame == frame && group.members == members;
    if (waits) joined |= group.mask;
  }
  return joined;
}

void absorb(WarpContext& context, const Inst& in, std::uint32_t members) {
  auto& groups = context.groups;
  const Frame* frame = groups[context.current].frame;
  for (std::size_t i = 0; i < groups.size();) {
    const bool waits = i != context.current && groups[i].state == Group::State::at_warp_sync &&
                       groups[i].pc == &in && groups[i].frame == frame &&
                       groups[i].members == members;
    if (!waits) {
      ++i;
      continue;
    }
    groups[context.current].mask |= groups[i].mask;
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
    if (context.current > i) --context.current;
  }
}

/// Lanes that have parted can be on their way together or not, as the hardware likes.
void check_moment(WarpContext& context, const Inst& in, std::uint32_t members) {
  if (!context.block->launch->options.checks.barriers) return;
  if ((context.live & ~members) != 0) report_mask_of_the_moment(context, in, members);
}

const Inst* wait_here(WarpContext& context, const Inst& in, std::uint32_t members) {
  if (context.run_start != &in) account(context, (&in)[-1]);
  Group& group = context.groups[context.current];
  group.pc = &in;
  group.state = Group::State::at_warp_sync;
  group.members = members;
  return reschedule(context);
}

}  // namespace

const Inst* sync_lanes(Warp& warp, const Inst& in, std::uint32_t members) {
  WarpContext& context = *warp.context;
  if ((warp.active & ~members) != 0) {
    report_not_in_mask(context, in, warp.active & ~members, members);
    members |= warp.active;
  }
  if (in.flags & kMaskOfTheMoment) check_moment(context, in, members);
  const std::uint32_t needed = members & context.live;
  if ((needed & ~warp.active) == 0) [[likely]] {
    // The memory model gives shuffles and votes no order of memory. Their lanes do meet, though,
    // and accepted code relies on it, so that nothing is said of lanes that met.
    if (context.block->races != nullptr) race_sync_lanes(context, members);
    return nullptr;
  }
  if ((needed & ~gather(context, in, members)) != 0) return wait_here(context, in, members);
  absorb(context, in, members);
  // Runs `in` again with all lanes together.
  if (context.run_start != &in) account(context, (&in)[-1]);
  context.groups[context.current].pc = &in;
  return resume(context);
}

const Inst* sync_warp(Warp& warp, const Inst& in, std::uint32_t members) {
  WarpContext& context = *warp.context;
  if ((warp.active & ~members) != 0) {
    report_not_in_mask(context, in, warp.active & ~members, members);
    members |= warp.active;
  }
  if (in.flags & kMaskOfTheMoment) check_moment(context, in, members);
  const std::uint32_t needed = members & context.live;
  if ((needed & ~warp.active) == 0) [[likely]] {
    if (context.block->races != nullptr) race_sync_lanes(context, members);
    return &in + 1;
  }
  // Lanes may meet at different __syncwarp() calls: everyone who waits with this mask counts.
  std::uint32_t arrived = warp.active;
  for (const Group& group : context.groups) {
    if (group.state == Group::State::at_warp_sync && group.members == members &&
        group.pc->run == in.run) {
      arrived |= group.mask;
    }
  }
  if ((needed & ~arrived) != 0) return wait_here(context, in, members);
  for (Group& group : context.groups) {
    if (group.state == Group::State::at_warp_sync && group.members == members &&
        group.pc->run == in.run) {
      group.state = Group::State::ready;
      group.pc += 1;
    }
  }
  if (context.block->races != nullptr) race_sync_lanes(context, members);
  account(context, in);
  context.groups[context.current].pc = &in + 1;
  return reschedule(context);
}

}  // namespace warpsim
