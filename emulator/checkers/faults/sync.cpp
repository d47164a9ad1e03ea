#include <fmt/format.h>

#include <bit>

#include "emulator/checkers/faults/faults.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/masks.h"

// Findings about the masks of `_sync` operations.

namespace warpsim {
namespace {

/// The decoded form of an instruction of the program; null when it is not there.
const Inst* decoded(const Program& program, const ptx::Instruction* source) {
  for (const Inst& in : program.code) {
    if (program.source[in.index] == source) return &in;
  }
  return nullptr;
}

}  // namespace

void report(const faults::NotInMask& fault) {
  const auto& [context, in, lanes, mask] = fault;
  Finding f = finding_at(context, in, lanes, FindingKind::sync_mask);
  f.message = "a lane executes a _sync operation with a mask that does not name it";
  f.got = fmt::format("mask {:#010x}", mask);
  f.want = fmt::format("a mask with bit {} set", std::countr_zero(lanes));
  f.next =
      "Use a mask of exactly the lanes that reach this line, e.g. from __ballot_sync before "
      "the branch.";
  log(context, std::move(f));
}

void report(const faults::MissingLanes& fault) {
  const auto& [context, waiting, lanes, left] = fault;
  const Program& program = *waiting.frame->program;
  const Inst& at = *waiting.pc;
  Finding f(FindingKind::sync_mask);
  f.kernel = context.block->launch->kernel_name;
  const SourcePlace place = source_place(program, at.index);
  f.file = place.file;
  f.line = place.line;
  f.where = describe_place(program, at);
  f.who = describe_thread(context, std::countr_zero(waiting.mask)) + " waits here";
  f.message = "lanes wait for lanes of their mask that never come to this operation";
  f.got = fmt::format("mask {:#010x}, but lanes {:#010x} went another way at {}", waiting.members,
                      lanes, describe_place(program, left));
  f.want = fmt::format("a mask of the lanes that come here, {:#010x}", waiting.mask);
  f.next =
      "Let all lanes take part (the operation outside of the branch or loop, with a neutral value "
      "for lanes without work), or make the mask with __ballot_sync before the branch.";
  f.order = {context.block->launch->launch_number, context.block->linear,
             context.warp.warp_index * (std::uint64_t{1} << 40) + context.executed};
  log(context, std::move(f));
}

void report(const faults::ActiveMask& fault) {
  const auto& [context, in, members] = fault;
  const bool shown = comes_first(context, in, FindingKind::sync_mask, context.executed);
  const Program& program = *context.frame().program;
  if (!shown) {
    // Only counted: the place is all that makes it the same finding.
    Finding f(FindingKind::sync_mask);
    f.severity = Severity::warning;
    f.kernel = context.block->launch->kernel_name;
    const SourcePlace place = source_place(program, in.index);
    f.file = place.file;
    f.line = place.line;
    f.order = {context.block->launch->launch_number, context.block->linear,
               context.warp.warp_index * (std::uint64_t{1} << 40) + context.executed};
    if (f.line != 0) return log(context, std::move(f));
  }
  Finding f = finding_at(context, in, context.warp.active, FindingKind::sync_mask);
  f.severity = Severity::warning;
  const Inst* mask = decoded(
      program, activemask_of(program.module->ptx, *program.function, *program.source[in.index]));
  f.message =
      "the mask is what __activemask() gave in divergent code, which depends on the schedule";
  f.got = fmt::format("mask {:#010x} of the lanes {:#010x} that are left", members, context.live);
  if (mask != nullptr) f.got += fmt::format(", from {}", describe_place(program, *mask));
  f.want = "a mask of the lanes that the program means";
  f.next =
      "Lanes that take the same branch may execute it one after the other. Make the mask with "
      "__ballot_sync before the branch.";
  log(context, std::move(f));
}

}  // namespace warpsim
