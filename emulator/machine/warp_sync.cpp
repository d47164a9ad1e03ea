#include "emulator/machine/warp_sync.h"

#include <cstddef>
#include <cstring>

#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"
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

/// Whether a split waits for the same lanes in the same operation, at any instruction.
bool waits_alike(const WarpSplit& split, const SyncOperation& operation, std::uint32_t members) {
  return split.state == WarpSplit::State::at_warp_sync && split.members == members &&
         split.operation == &operation;
}

/// The lanes of the running split and of those that wait for the same lanes in the same operation.
std::uint32_t gather_alike(const WarpContext& context, const SyncOperation& operation,
                           std::uint32_t members) {
  std::uint32_t joined = context.warp.active;
  for (const WarpSplit& split : context.splits) {
    if (waits_alike(split, operation, members)) joined |= split.mask;
  }
  return joined;
}

/// Registers for one instruction that lanes of several instructions execute together.
class SharedOperands {
 public:
  SharedOperands(const Inst& in, const SyncOperation& operation) : operation_(operation), in_(in) {
    if (operation.negates) in_.aux = 0;
    in_.flags &= static_cast<std::uint8_t>(~kActiveMaskDerived);
    in_.a = 0 * kSlot;
    in_.b = 1 * kSlot;
    in_.c = 2 * kSlot;
    in_.imm = 3 * kSlot;
    in_.d = 4 * kSlot;
    in_.d2 = 5 * kSlot;
  }

  /// @param regs  of the lanes' frame
  void take(const std::byte* regs, const Inst& from, std::uint32_t lanes) {
    const auto take_one = [&](std::uint8_t bytes, auto to_slot, auto from_slot) {
      if (bytes != 0) move_lanes(registers_ + to_slot, regs + from_slot, bytes, lanes);
    };
    take_one(operation_.a, in_.a, from.a);
    if (operation_.negates && from.aux != 0) flip(registers_ + in_.a, lanes);
    take_one(operation_.b, in_.b, from.b);
    take_one(operation_.c, in_.c, from.c);
    take_one(operation_.imm, in_.imm, from.imm);
    lanes_ |= lanes;
  }
  /// @param warp  whose lanes they are
  void execute(const Warp& warp) {
    Warp all = warp;
    all.regs = registers_;
    all.active = lanes_;
    operation_.run(all, in_);
  }
  void give(std::byte* regs, const Inst& to, std::uint32_t lanes) const {
    move_lanes(regs + to.d, registers_ + in_.d, operation_.d, lanes);
    if (operation_.d2 != 0 && to.d2 >= 0) {
      move_lanes(regs + to.d2, registers_ + in_.d2, operation_.d2, lanes);
    }
  }

 private:
  static constexpr std::int32_t kSlot = kWarpSize * 8;

  static void move_lanes(std::byte* to, const std::byte* from, std::size_t bytes,
                         std::uint32_t lanes) {
    if (bytes == SyncOperation::kPredicate) {
      std::uint32_t old = 0, value = 0;
      std::memcpy(&old, to, sizeof old);
      std::memcpy(&value, from, sizeof value);
      value = (old & ~lanes) | (value & lanes);
      std::memcpy(to, &value, sizeof value);
      return;
    }
    for_lanes(lanes, [&](std::size_t lane) {
      std::memcpy(to + lane * bytes, from + lane * bytes, bytes);
    });
  }
  static void flip(std::byte* predicate, std::uint32_t lanes) {
    std::uint32_t value = 0;
    std::memcpy(&value, predicate, sizeof value);
    value ^= lanes;
    std::memcpy(predicate, &value, sizeof value);
  }

  const SyncOperation& operation_;
  Inst in_;
  std::uint32_t lanes_ = 0;
  alignas(64) std::byte registers_[6 * kSlot] = {};
};

/// The members are at different instructions that do the same, perhaps in different calls of a
/// function. The operation is executed once for all, and each split goes on behind its own.
const Inst* meet_at_several(WarpContext& context, const Inst& in, std::uint32_t members,
                            const SyncOperation& operation) {
  WarpSplit& running = context.splits[context.current];
  account(context, in);  // once for all
  running.pc = &in;
  running.state = WarpSplit::State::at_warp_sync;
  running.members = members;
  running.operation = &operation;
  running.yielded = true;  // whoever follows the instruction sees that another split goes on
  const auto for_all = [&](auto visit) {
    for (WarpSplit& split : context.splits) {
      if (waits_alike(split, operation, members)) {
        visit(split, context.registers.data() + split.frame->window);
      }
    }
  };
  SharedOperands shared(in, operation);
  for_all([&](WarpSplit& split, std::byte* regs) { shared.take(regs, *split.pc, split.mask); });
  shared.execute(context.warp);
  for_all([&](WarpSplit& split, std::byte* regs) {
    shared.give(regs, *split.pc, split.mask);
    split.pc += 1;
    split.state = WarpSplit::State::ready;
  });
  return reschedule(context);
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

const Inst* wait_here(WarpContext& context, const Inst& in, std::uint32_t members,
                      const SyncOperation* operation = nullptr) {
  if (context.run_start != &in) account(context, (&in)[-1]);
  WarpSplit& split = context.splits[context.current];
  split.pc = &in;
  split.state = WarpSplit::State::at_warp_sync;
  split.members = members;
  split.operation = operation;
  return reschedule(context);
}

}  // namespace

const Inst* sync_lanes(Warp& warp, const Inst& in, std::uint32_t members,
                       const SyncOperation* operation) {
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
  if ((needed & ~gather(context, in, members)) != 0) {
    const bool all_came =
        operation != nullptr && (needed & ~gather_alike(context, *operation, members)) == 0;
    return all_came ? meet_at_several(context, in, members, *operation)
                    : wait_here(context, in, members, operation);
  }
  absorb(context, in, members);
  // Runs `in` again with all lanes together.
  if (context.run_start != &in) account(context, (&in)[-1]);
  context.splits[context.current].pc = &in;
  return resume(context);
}

const Inst* part_lanes(Warp& warp, const Inst& in, std::uint32_t first) {
  const Inst* const next = diverge_same(warp, in, first);
  WarpContext& context = *warp.context;
  const Inst*& stop = context.slow != 0 ? context.slow_stop : warp.stop;
  if (&in + 1 < stop) stop = &in + 1;
  return next;
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
