#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "emulator/machine/context.h"
#include "emulator/machine/decoder.h"
#include "emulator/machine/faults.h"

// Instructions that the decoder installs by itself.

namespace warpsim {

const Inst* read_clock(Warp& warp, const Inst& in) {
  // Time is the number of instructions that the warp has executed, and what it slept: monotonic,
  // and the same in every run. Code that measures itself gets counts, not cycles.
  WarpContext& context = *warp.context;
  const std::uint64_t executed =
      context.executed + (in.index - context.run_start->index + context.run_start->covers) + 1;
  context.clock.read(in, executed);
  const std::uint64_t now = executed + context.clock.ahead;
  const std::uint64_t value = in.aux == 1 ? now >> 32 : now;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if (!((warp.active >> lane) & 1)) continue;
    if (in.width == 8) {
      warp.reg<std::uint64_t>(in.d)[lane] = value;
    } else {
      warp.reg<std::uint32_t>(in.d)[lane] = static_cast<std::uint32_t>(value);
    }
  }
  // A loop that watches the clock waits for time to pass: others may run meanwhile.
  context.spins = true;
  return &in + 1;
}

const Inst* sleep(Warp& warp, const Inst& in) {
  constexpr std::uint32_t kLongest = 1'000'000;  // as on cards
  const auto lane = static_cast<std::size_t>(std::countr_zero(warp.active));
  warp.context->clock.ahead += std::min(warp.reg<std::uint32_t>(in.a)[lane], kLongest);
  return yield(warp, in);
}

void WarpClock::read(const Inst& in, std::uint64_t executed) {
  constexpr std::uint64_t kShortLoop = 64;  // instructions
  constexpr std::uint32_t kPatience = 64;  // reads
  constexpr std::uint32_t kMostBits = 20;
  const bool again = &in == last_read && executed - last_executed <= kShortLoop;
  polls = again ? polls + 1 : 0;
  last_read = &in;
  last_executed = executed;
  // A loop that only watches the clock: its time need not be spent.
  if (polls > kPatience) ahead += std::uint64_t{1} << std::min(polls / 8, kMostBits);
}

const Inst* run_nothing(Warp&, const Inst& in) {
  return &in + 1;
}

const Inst* run_unsupported(Warp& warp, const Inst& in) {
  WarpContext& context = *warp.context;
  const auto& what = *static_cast<const std::string*>(in.extra);
  Finding f = finding_at(context, in, warp.active, FindingKind::unsupported_instruction);
  f.message = fmt::format("the emulator does not know this instruction: {}", what);
  f.got = what;
  f.want = "a form that the instruction table lists";
  f.next =
      "docs/adding-an-instruction.md says how to add it; compiling for compute_75 avoids most "
      "newer instructions.";
  log(context, std::move(f));
  return abort_launch(warp, in, LaunchStatus::unsupported);
}

}  // namespace warpsim
