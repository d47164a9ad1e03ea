#include <algorithm>
#include <cstring>

#include "emulator/machine/address.h"
#include "emulator/machine/builtins.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/linker.h"

// Function calls: frames, register windows, and moving parameters between local frames.

namespace warpsim {
namespace {

/// First free byte of register memory: after every window that a split still uses.
std::size_t window_top(const WarpContext& context) {
  std::size_t top = 0;
  for (const WarpSplit& split : context.splits) {
    for (const Frame* f = split.frame; f != nullptr; f = f->parent) {
      top = std::max(top, f->window + f->program->frame_image.size());
    }
  }
  return top;
}

std::uint32_t local_top(const Frame& frame) {
  return frame.local_base + frame.program->local_bytes;
}

/// Room for a window; moving the memory keeps what is in it.
void grow_registers(WarpContext& context, std::size_t bytes) {
  if (bytes <= context.registers.size()) return;
  Buffer larger;
  larger.reserve(std::max(bytes, 2 * context.registers.size()));
  std::memcpy(larger.data(), context.registers.data(), context.registers.size());
  context.registers = std::move(larger);
}

void copy_local(WarpContext& context, std::uint32_t lanes, std::uint32_t to, std::uint32_t from,
                std::uint32_t bytes) {
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
    if (!((lanes >> lane) & 1)) continue;
    std::byte* mine = context.local.data() + lane * context.local_stride;
    std::memmove(mine + to, mine + from, bytes);
    // A callee that takes the address of its parameter reads it as any local variable.
    std::byte* written = context.local_written.data() + lane * context.local_stride;
    std::memmove(written + to, written + from, bytes);
  }
}

/// Drops frames that no split is in any more.
void sweep_frames(WarpContext& context) {
  auto& frames = context.frames;
  for (std::size_t i = frames.size(); i-- > 1;) {
    const Frame* frame = frames[i].get();
    const bool used =
        std::any_of(context.splits.begin(), context.splits.end(), [frame](const WarpSplit& split) {
          for (const Frame* f = split.frame; f != nullptr; f = f->parent) {
            if (f == frame) return true;
          }
          return false;
        });
    if (!used) frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

FunctionRef* indirect_callee(WarpContext& context, const Inst& in, std::uint32_t& lanes) {
  const std::uint64_t* targets = context.warp.reg<std::uint64_t>(in.a);
  const std::uint64_t first = targets[__builtin_ctz(context.warp.active)];
  lanes = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if ((context.warp.active >> lane) & 1 && targets[lane] == first) lanes |= 1u << lane;
  }
  return context.block->launch->linker->function_at(first);
}

}  // namespace

const Inst* call_function(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  LaunchState& launch = *context.block->launch;
  auto& site = *const_cast<CallOperands*>(static_cast<const CallOperands*>(in.extra));
  FunctionRef* callee = site.callee;
  if (callee == nullptr) {
    std::uint32_t lanes = 0;
    callee = indirect_callee(context, in, lanes);
    // Lanes with another target make the same call as a split of their own.
    if (lanes != warp.active) return diverge_same(warp, in, lanes);
    if (callee == nullptr) {
      raise(context, {faults::BadCall{context, in, warp.reg<std::uint64_t>(in.a)}});
      return abort_launch(warp, in, LaunchStatus::illegal_address);
    }
  }
  if (callee->builtin != FunctionRef::Builtin::none) return call_builtin(warp, in, *callee, site);

  Frame& caller = context.frame();
  Program* program = site.program.load(std::memory_order_acquire);
  if (program == nullptr || site.last.load(std::memory_order_relaxed) != callee) {
    program = &launch.linker->program(*launch.program->kernel, *callee);
    site.last.store(callee, std::memory_order_relaxed);
    site.program.store(program, std::memory_order_release);
  }
  const std::uint32_t local_base = local_top(caller);
  if (local_base + program->local_bytes > context.local_stride) {
    raise(context, {faults::StackOverflow{context, in, local_base + program->local_bytes,
                                          context.local_stride}});
    return abort_launch(warp, in, LaunchStatus::illegal_address);
  }
  account(context, in);
  auto frame = std::make_unique<Frame>();
  frame->parent = &caller;
  frame->program = program;
  frame->window = window_top(context);
  frame->local_base = local_base;
  frame->depth = caller.depth + 1;
  frame->return_to = &in + 1;
  frame->site = &site;
  grow_registers(context, frame->window + program->window_bytes());
  clear_local(context, warp.active, local_base, program->local_bytes);
  Observer* const follower = context.follower;
  if (follower != nullptr) follower->enter_frame(context, *frame, warp.active);
  const std::size_t count = std::min(site.arguments.size(), program->parameters.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& to = program->parameters[i];
    const auto& from = site.arguments[i];
    copy_local(context, warp.active, local_base + to.offset, caller.local_base + from.offset,
               std::min(to.bytes, from.bytes));
    if (follower != nullptr) {
      follower->copy_local(context, warp.active, local_base + to.offset,
                           caller.local_base + from.offset, std::min(to.bytes, from.bytes));
    }
  }
  fill_frame(context, *frame);
  WarpSplit& split = context.splits[context.current];
  split.frame = frame.get();
  split.pc = program->code.data();
  context.frames.push_back(std::move(frame));
  return resume(context);
}

const Inst* return_from_function(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  Frame& frame = context.frame();
  account(context, in);
  const auto& results = frame.site->results;
  const std::size_t count = std::min(results.size(), frame.program->returns.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto& from = frame.program->returns[i];
    copy_local(context, warp.active, frame.parent->local_base + results[i].offset,
               frame.local_base + from.offset, std::min(results[i].bytes, from.bytes));
    if (context.follower != nullptr) {
      context.follower->copy_local(
          context, warp.active, frame.parent->local_base + results[i].offset,
          frame.local_base + from.offset, std::min(results[i].bytes, from.bytes));
    }
  }
  WarpSplit& split = context.splits[context.current];
  split.pc = frame.return_to;
  split.frame = frame.parent;
  sweep_frames(context);
  return reschedule(context);
}

}  // namespace warpsim
