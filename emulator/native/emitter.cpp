#include "emulator/native/emitter.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "emulator/machine/context.h"
#include "emulator/native/lane_places.h"

namespace warpsim::native {

using namespace asmjit;
using namespace place;

namespace {

constexpr std::int32_t kStopImmediate = -64;  // kStop, as an immediate that is sign-extended

/// Pushed by begin(): with the return address they keep the stack aligned for calls.
constexpr x86::Gp kSaved[] = {x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15};

/// Somebody wants to know of a trace's loads.
bool are_told(const Trace& trace) {
  if ((trace.watch & kAccesses) != 0) return true;
  return std::ranges::any_of(trace.groups, [&](const TraceGroup& group) {
    return (trace.watch & (group.is_shared ? kSharedInitialization : kCaches)) != 0;
  });
}

std::uint64_t bits_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace

Emitter::Emitter(CodeHolder& code, Trace& trace, const LiveValues& live)
    : refused_(code),
      out_(&code),
      vectors_(out_, trace.vector_bytes),
      trace_(trace),
      live_(live),
      canonical_nan_(out_.newLabel()),
      blocks_(vectors_, canonical_nan_, live.program()),
      guarded_(trace.groups.size(), false),
      tells_(are_told(trace)) {
  exits_.reserve(2 * trace.steps.size());
}

x86::Mem Emitter::constant(const void* bytes) {
  const auto size = static_cast<std::size_t>(vectors_.bytes());
  for (const Constant& known : constants_) {
    if (std::memcmp(known.bytes, bytes, size) == 0) return x86::ptr(known.label);
  }
  Constant& added = constants_.emplace_back();
  added.label = out_.newLabel();
  std::memcpy(added.bytes, bytes, size);
  return x86::ptr(added.label);
}

bool Emitter::run() {
  begin();
  for (const Step& step : trace_.steps) {
    if (step.access != Step::kNoAccess) {
      access(step);
      ++accesses_;
    } else if (step.form != nullptr && step.form->op == NativeOp::branch) {
      branch(step);
    } else if (step.form == nullptr || !compute(step)) {
      call(step);
    }
    blocks_.release();
  }
  end();
  for (const Exit& exit : exits_) emit_exit(exit);
  out_.align(AlignMode::kData, 64);
  out_.bind(canonical_nan_);
  for (int i = 0; i < 16; ++i) out_.embedUInt32(0x7fffffff);
  for (const Constant& one : constants_) {
    out_.bind(one.label);
    out_.embed(one.bytes, static_cast<std::size_t>(vectors_.bytes()));
  }
  return !refused_.any;
}

void Emitter::begin() {
  for (const Gp& reg : kSaved) out_.push(reg);
  out_.mov(kWarp, x86::rdi);
  out_.mov(kRun, x86::rdx);
  out_.mov(kShared, x86::rcx);
  out_.mov(kRegisters, x86::ptr(x86::rdi, offsetof(Warp, regs)));
  out_.mov(kState, x86::ptr(x86::rdx, offsetof(HotRun, state)));
  out_.inc(word(state::kExecutions));
}

void Emitter::leave() {
  out_.vzeroupper();
  for (std::size_t i = std::size(kSaved); i-- > 0;) out_.pop(kSaved[i]);
}

/// Goes on with the instruction behind the run.
void Emitter::end() {
  const Inst* const next = trace_.steps.back().inst + 1;
  drop_dead(*next);
  blocks_.write_back_all();
  end_series();
  go_on(next);
}

void Emitter::go_on(const Inst* next) {
  out_.mov(x86::rdi, kWarp);
  leave();
  out_.mov(x86::rsi, bits_of(next));
  out_.jmp(x86::ptr(x86::rsi, offsetof(Inst, run)));
}

void Emitter::branch(const Step& step) {
  const Inst& in = *step.inst;
  const auto place = static_cast<std::uint32_t>(&step - trace_.steps.data());
  blocks_.write_back_around(in.guard);
  Exit& exit = add_exit(place, &in);
  exit.is_branch = true;
  const std::int32_t nobody = (in.flags & kGuardNegated) != 0 ? -1 : 0;
  out_.cmp(x86::dword_ptr(kRegisters, in.guard), nobody);
  out_.jne(exit.label);
}

Emitter::Exit& Emitter::add_exit(std::uint32_t place, const Inst* to) {
  Exit& exit = exits_.emplace_back();
  exit.label = out_.newLabel();
  exit.number = static_cast<std::uint32_t>(trace_.exits.size());
  exit.to = to;
  exit.dirty = blocks_.dirty();
  exit.series = static_cast<std::uint32_t>(trace_.series.size());
  exit.untold = untold();
  trace_.exits.push_back(place);
  return exit;
}

void Emitter::emit_exit(const Exit& exit) {
  out_.bind(exit.label);
  for (const Blocks::Dirty& block : exit.dirty) blocks_.write(block);
  if (exit.untold != 0) tell(exit.series, exit.untold);
  out_.inc(word(trace_.exit_words + exit.number));
  if (exit.to == nullptr) {
    leave();
    out_.ret();
    return;
  }
  if (exit.is_branch) return go_on(exit.to);
  out_.mov(x86::dword_ptr(kRun, offsetof(HotRun, watch)), HotRun::kNone);
  out_.mov(x86::rdi, kWarp);
  out_.mov(x86::rax, kRun);
  leave();
  if (exit.to != trace_.steps.front().inst) {
    out_.mov(x86::rax, bits_of(exit.to));
    out_.ret();
    return;
  }
  // run_head stands there.
  out_.mov(x86::rsi, bits_of(exit.to));
  out_.jmp(x86::ptr(x86::rax, offsetof(HotRun, original)));
}

void Emitter::tell(std::uint32_t series, std::uint32_t count) {
  out_.vzeroupper();
  out_.mov(x86::rdi, kWarp);
  out_.mov(x86::rsi, kRun);
  out_.mov(x86::edx, series);
  out_.mov(x86::ecx, count);
  out_.mov(x86::rax, bits_of(reinterpret_cast<const void*>(tell_loads)));
  out_.call(x86::rax);
}

void Emitter::end_series() {
  if (untold() == 0) return;
  tell(static_cast<std::uint32_t>(trace_.series.size()), untold());
  trace_.series.push_back({told_, accesses_});
  told_ = accesses_;
}

void Emitter::drop_dead(const Inst& next) {
  for (const Blocks::Dirty& block : blocks_.dirty()) {
    if (live_.is_dead(next, block.slot, vectors_.bytes())) blocks_.forget(block);
  }
}

void Emitter::leave_registers(const Inst& next) {
  drop_dead(next);
  blocks_.write_back_all();
  blocks_.forget_all();
  for (std::uint32_t& group : host_of_) group = kNoGroup;
}

void Emitter::tell_store(const Step& step, std::uint32_t store) {
  const Inst& in = *step.inst;
  // What it stores is looked at in memory. Its address is known already.
  const auto bytes = static_cast<std::int32_t>(kWarpSize * element_bytes(*step.form));
  for (std::uint32_t k = 0; k < in.aux; ++k) {
    blocks_.write_back(element_slot(in, k), bytes / vectors_.bytes());
  }
  leave_registers(*(&in + 1));
  out_.vzeroupper();
  out_.mov(x86::rdi, kWarp);
  out_.mov(x86::rsi, kRun);
  out_.mov(x86::edx, static_cast<std::uint32_t>(trace_.series.size()));
  out_.mov(x86::ecx, untold());
  out_.mov(x86::r8d, store);
  out_.mov(x86::rax, bits_of(reinterpret_cast<const void*>(native::tell_store)));
  out_.call(x86::rax);
  if (untold() != 0) trace_.series.push_back({told_, accesses_});
  told_ = accesses_ + 1;
}

void Emitter::call(const Step& step) {
  leave_registers(*step.inst);
  end_series();
  out_.vzeroupper();
  out_.mov(x86::rdi, kWarp);
  out_.mov(x86::rsi, bits_of(step.inst));
  out_.mov(x86::rax, bits_of(reinterpret_cast<const void*>(step.handler)));
  out_.call(x86::rax);
  const auto place = static_cast<std::uint32_t>(&step - trace_.steps.data());
  const Exit& exit = add_exit(place, nullptr);
  out_.mov(x86::rcx, bits_of(step.inst + 1));
  out_.cmp(x86::rax, x86::rcx);
  out_.jne(exit.label);
  // Somebody wants to look at each instruction from here on.
  out_.cmp(x86::qword_ptr(kWarp, offsetof(Warp, stop)), kStopImmediate);
  out_.jne(exit.label);
}

}  // namespace warpsim::native
