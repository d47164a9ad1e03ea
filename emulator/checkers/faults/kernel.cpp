#include <fmt/format.h>

#include <bit>

#include "emulator/checkers/faults/faults.h"
#include "emulator/findings/plural.h"
#include "emulator/machine/linker.h"

// Findings of traps, calls and barriers.

namespace warpsim {
namespace {

/// What a call of the device runtime is in the source: it has names of its own for some.
std::string device_runtime_message(std::string_view name) {
  if (name.find("ParameterBuffer") != name.npos || name.find("LaunchDevice") != name.npos) {
    return "the kernel launches a kernel";
  }
  constexpr std::string_view kOwnNames = "__cudaCDP2";
  const std::string call = name.starts_with(kOwnNames)
                               ? "cuda" + std::string(name.substr(kOwnNames.size()))
                               : std::string(name);
  return fmt::format("the kernel calls {}, which only host code may do here", call);
}

/// The frame in which a part of a warp waits at a barrier.
const Frame& frame_at_barrier(const WarpContext& waiting, const Inst& at) {
  for (const WarpSplit& split : waiting.splits) {
    if (split.state == WarpSplit::State::at_barrier && split.pc == &at + 1) return *split.frame;
  }
  return waiting.frame();
}

}  // namespace

void report(const faults::Trap& fault) {
  const auto& [context, in] = fault;
  Finding f = finding_at(context, in, context.warp.active, FindingKind::trap);
  f.message = "the kernel executed a trap instruction";
  f.got = "trap";
  f.want = "no trap";
  f.next = "Look for __trap(), std::abort() or a failed check in device code at this line.";
  log(context, std::move(f));
}

void report(const faults::StackOverflow& fault) {
  const auto& [context, in, used, available] = fault;
  Finding f = finding_at(context, in, context.warp.active, FindingKind::stack_overflow);
  f.message = "a thread needs more local memory than it has";
  f.got = fmt::format("{} at call depth {}", plural(used, "byte"), context.frame().depth + 1);
  f.want = fmt::format("at most {}", plural(available, "byte"));
  f.next =
      "Look for a recursion that does not end; one that needs more asks for it with "
      "cudaDeviceSetLimit(cudaLimitStackSize, bytes) before the launch.";
  log(context, std::move(f));
}

void report(const faults::UnresolvedCall& fault) {
  const auto& [context, in, name] = fault;
  if (name.starts_with("cuda") || name.starts_with("__cudaCDP")) {
    Finding f = finding_at(context, in, context.warp.active, FindingKind::device_runtime_call);
    f.message = device_runtime_message(name);
    f.got = "a function of the device runtime that the emulator does not have";
    f.want = "launches, copies, streams, events and their errors only";
    f.next =
        "Kernels may launch kernels, copy, and create streams and events here; move the rest to "
        "host code.";
    log(context, std::move(f));
    return;
  }
  Finding f = finding_at(context, in, context.warp.active, FindingKind::unresolved_call);
  f.message = fmt::format("the kernel calls {}, which no module defines", demangle(name));
  f.got = "no PTX for this function";
  f.want = "a definition in the program's PTX";
  f.next =
      "Functions of the device runtime and of libraries without PTX cannot be emulated; with "
      "-rdc=true every part must be built with PTX for the same architecture.";
  log(context, std::move(f));
}

void report(const faults::BadCall& fault) {
  const auto& [context, in, targets] = fault;
  const int lane = std::countr_zero(context.warp.active);
  Finding f = finding_at(context, in, context.warp.active, FindingKind::bad_function_pointer);
  f.message = "call through a pointer that is not a device function";
  f.got = fmt::format("address {:#x}", targets[lane]);
  f.want = "the address of a __device__ function, taken in device code";
  f.next =
      "Check where the pointer was set: a function's address taken on the host is not valid "
      "on the device, and objects with virtual functions must be made there.";
  log(context, std::move(f));
}

void report(const faults::ExitBeforeBarrier& fault) {
  const auto& [waiting, at, lanes, other, gone] = fault;
  const bool same_warp = &waiting == &other;
  const Frame& frame = frame_at_barrier(waiting, at);
  Finding f(same_warp ? FindingKind::barrier_divergence : FindingKind::barrier_early_exit);
  f.kernel = waiting.block->launch->kernel_name;
  const SourcePlace place = source_place(*frame.program, at.index);
  f.file = place.file;
  f.line = place.line;
  f.where = describe_place(*frame.program, at);
  f.who = fmt::format("{} waits; {} has ended{}", describe_thread(waiting, std::countr_zero(lanes)),
                      describe_thread(other, std::countr_zero(gone)),
                      describe_lanes(gone, "that ended"));
  f.message = "a barrier that not all threads of the block reach";
  f.detail = FindingDetail::threads_ended;
  f.got = same_warp ? "threads of one warp ended while others of it wait here"
                    : "whole warps ended before this barrier";
  f.want = "every thread of the block at this __syncthreads()";
  f.next =
      "Move the barrier out of the branch, and let threads without work of their own stay "
      "until the last barrier instead of returning.";
  f.order = {waiting.block->launch->launch_number, waiting.block->linear, order_in_block(waiting)};
  log(waiting, std::move(f));
}

void report(const faults::BarrierMismatch& fault) {
  const auto& [context, in, first_program, first_site] = fault;
  Finding f = finding_at(context, in, context.warp.active, FindingKind::barrier_divergence);
  f.message = "threads of one block meet at different barriers";
  f.got = fmt::format("others wait at {}", describe_place(first_program, first_site));
  f.want = "every thread of the block at the same __syncthreads()";
  f.next = "Move the barrier out of the branches, so that both sides share one.";
  log(context, std::move(f));
}

}  // namespace warpsim
