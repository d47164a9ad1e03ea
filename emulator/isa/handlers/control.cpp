#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/machine/context.h"
#include "emulator/machine/decoder.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/warp_sync.h"

// Branches, calls, exits, barriers and traps.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Takes the jump, and executes what a forward one leads to: the loop that runs the warp would come
/// to the same with more branches, and ones that are harder to predict.
[[gnu::always_inline]] inline const Inst* take(Warp& w, const Inst& in) {
  const Inst* const next = jump(w, in, in.target);
  return next > &in && next < w.stop ? next->run(w, *next) : next;
}

const Inst* branch(Warp& w, const Inst& in) {
  return take(w, in);
}

const Inst* branch_if(Warp& w, const Inst& in) {
  u32 taken = w.pred(in.guard);
  if (in.flags & kGuardNegated) taken = ~taken;
  taken &= w.active;
  if (taken == 0) return &in + 1;
  if (taken == w.active) return take(w, in);
  return diverge(w, in, taken, in.target);
}

void bind_bra(Binder& b) {
  b.take("uni");
  const auto& label = b.operand(0);
  if (label.kind != ptx::Operand::Kind::label) b.unsupported("target is not a label");
  decoder_of(b).control();
  decoder_of(b).target(label.target);
  b.inst.run = b.source().guard.reg == ptx::kNoIndex ? branch : branch_if;
}

const Inst* branch_indexed(Warp& w, const Inst& in) {
  const auto& table = *static_cast<const BranchTable*>(in.extra);
  const u32* index = w.reg<u32>(in.a);
  const Inst* targets[kWarpSize] = {};
  for_each_lane(w.active, [&](int i) {
    const u32 k = index[i] < table.targets.size() ? index[i] : 0;
    targets[i] = table.targets[k];
  });
  return scatter(w, in, targets);
}

void bind_brx(Binder& b) {
  if (!b.take("idx")) b.unsupported();
  b.take("uni");
  const BranchTable* table = decoder_of(b).branch_table(b.operand(1).text);
  if (table == nullptr) b.unsupported("unknown branch table");
  decoder_of(b).control();
  b.inst.a = b.src(0, Type::u32);
  b.inst.extra = table;
  b.inst.run = branch_indexed;
}

/// Parameters of a call by name: byte ranges of the caller's local frame.
std::vector<ParameterPlace> call_places(Binder& b, const ptx::Operand& list) {
  std::vector<ParameterPlace> places;
  for (const auto& element : list.elements) {
    const auto place = decoder_of(b).place(element);
    if (place.kind != Decoder::Place::Kind::local) b.unsupported("call argument is no .param");
    places.push_back(
        {element.text, static_cast<u32>(place.address), static_cast<u32>(place.bytes)});
  }
  return places;
}

void bind_call(Binder& b) {
  b.take("uni");
  auto site = std::make_unique<CallOperands>();
  std::size_t i = 0;
  const auto is_list = [&](std::size_t k) {
    return k < b.operand_count() && b.operand(k).kind == ptx::Operand::Kind::vector;
  };
  if (is_list(i)) site->results = call_places(b, b.operand(i++));
  const auto& target = b.operand(i++);
  if (is_list(i)) site->arguments = call_places(b, b.operand(i));
  if (target.kind == ptx::Operand::Kind::reg) {
    b.inst.a = b.src(target, Type::u64);
    decoder_of(b).program().order_sensitive = true;  // what it reaches is unknown
  } else {
    site->callee = decoder_of(b).linker().resolve_function(decoder_of(b).module(), target.text);
    const auto builtin = site->callee->builtin;
    if (builtin == FunctionRef::Builtin::malloc || builtin == FunctionRef::Builtin::free) {
      decoder_of(b).program().order_sensitive = true;
    }
  }
  decoder_of(b).control();
  b.inst.extra = site.get();
  b.inst.run = call_function;
  decoder_of(b).program().call_sites.push_back(std::move(site));
}

void bind_ret(Binder& b) {
  b.take("uni");
  decoder_of(b).control();
  b.inst.run = decoder_of(b).function().is_entry ? exit_lanes : return_from_function;
}

void bind_exit(Binder& b) {
  decoder_of(b).control();
  b.inst.run = exit_lanes;
}

const Inst* trap(Warp& w, const Inst& in) {
  raise(*w.context, {faults::Trap{*w.context, in}});
  return abort_launch(w, in, LaunchStatus::trap);
}

void bind_trap(Binder& b) {
  decoder_of(b).control();
  b.inst.run = trap;
}

const Inst* nothing(Warp&, const Inst& in) {
  return &in + 1;
}

void bind_nothing(Binder& b) {
  b.inst.run = nothing;
}

void bind_nanosleep(Binder& b) {
  b.take("u32");
  b.inst.a = b.src(0, Type::u32);
  decoder_of(b).control();
  b.inst.run = sleep;
}

// -- barriers
// --------------------------------------------------------------------------------------

u32 first_value(const Warp& w, std::int32_t slot, u32 otherwise) {
  return slot < 0 ? otherwise : w.reg<u32>(slot)[__builtin_ctz(w.active)];
}

const Inst* barrier_wait(Warp& w, const Inst& in) {
  const u32 id = first_value(w, in.a, 0);
  const u32 threads = first_value(w, in.b, 0);
  u32 predicate = 0;
  if (in.c >= 0) {
    predicate = w.pred(in.c);
    if (in.aux2 != 0) predicate = ~predicate;
  }
  return wait_at_barrier(w, in, id & 15, threads, predicate);
}

const Inst* barrier_arrive(Warp& w, const Inst& in) {
  arrive_at_barrier(w, in, first_value(w, in.a, 0) & 15, first_value(w, in.b, 0));
  return &in + 1;
}

const Inst* warp_barrier(Warp& w, const Inst& in) {
  const u32* masks = w.reg<u32>(in.a);
  const u32 first = masks[__builtin_ctz(w.active)];
  u32 same = 0;
  for_each_lane(w.active, [&](int i) { same |= masks[i] == first ? 1u << i : 0; });
  if (same != w.active) return diverge_same(w, in, same);
  return sync_warp(w, in, first);
}

void bind_bar(Binder& b) {
  decoder_of(b).control();
  if (b.take("warp")) {
    b.take("sync");
    b.inst.a = b.src(0, Type::u32);
    b.inst.run = warp_barrier;
    return;
  }
  b.take("cta");
  b.take("aligned");
  const int kind = b.take_one_of({"sync", "arrive", "red"});
  b.take("aligned");
  if (kind == 2) {
    const int operation = b.take_one_of({"popc", "and", "or"});
    if (operation < 0) b.unsupported("reduction");
    b.inst.aux = static_cast<u8>(operation + 1);
    b.take(operation == 0 ? "u32" : "pred");
    b.inst.d = operation == 0 ? b.dst(0) : b.dst_pred(0);
    b.inst.a = b.src(1, Type::u32);
    const std::size_t last = b.operand_count() - 1;
    if (last == 3) b.inst.b = b.src(2, Type::u32);
    bool negated = false;
    b.inst.c = b.src_pred(last, negated);
    b.inst.aux2 = negated;
    b.inst.run = barrier_wait;
  } else {
    if (b.operand_count() > 0) b.inst.a = b.src(0, Type::u32);
    if (b.operand_count() > 1) b.inst.b = b.src(1, Type::u32);
    b.inst.run = kind == 1 ? barrier_arrive : barrier_wait;
    u64 id = 0;
    if (kind != 1 && b.operand_count() < 2 && (b.operand_count() == 0 || b.immediate(0, id))) {
      b.inst.imm = id & 15;
      b.inst.run = wait_for_block;
    }
  }
  decoder_of(b).program().uses_barriers = true;
}

}  // namespace

Family control_family() {
  static constexpr Row rows[] = {
      {.name = "bra", .forms = "bra{.uni} label", .bind = bind_bra, .does = semantics::kBranch},
      {.name = "brx",
       .forms = "brx.idx{.uni} a, table",
       .bind = bind_brx,
       .does = semantics::kIndexedBranch},
      {.name = "call",
       .forms = "call{.uni} (ret), function, (params)",
       .bind = bind_call,
       .does = semantics::kCall},
      {.name = "ret", .forms = "ret{.uni}", .bind = bind_ret, .does = semantics::kLeave},
      {.name = "exit", .forms = "exit", .bind = bind_exit, .does = semantics::kLeave},
      {.name = "trap", .forms = "trap", .bind = bind_trap, .does = semantics::kTrap},
      {.name = "brkpt", .forms = "brkpt", .bind = bind_nothing, .does = semantics::kHint},
      {.name = "pmevent", .forms = "pmevent a", .bind = bind_nothing, .does = semantics::kHint},
      {.name = "nanosleep",
       .forms = "nanosleep.u32 a",
       .bind = bind_nanosleep,
       .does = semantics::kHint},
      {.name = "bar",
       .forms = "bar.sync a\nbar.sync a, b\nbar.arrive a, b\nbar.red.popc.u32 d, a, c\n"
                "bar.red.{and,or}.pred d, a, c\nbar.warp.sync a",
       .bind = bind_bar,
       .does = semantics::kBarrier},
      {.name = "barrier",
       .forms = "barrier.sync{.aligned} a\nbarrier.sync{.aligned} a, b\n"
                "barrier.arrive{.aligned} a, b\nbarrier.red.popc{.aligned}.u32 d, a, c\n"
                "barrier.red.{and,or}{.aligned}.pred d, a, c",
       .bind = bind_bar,
       .does = semantics::kBarrier},
  };
  return rows;
}

std::span<const NativeForm> control_native() {
  static constexpr NativeForm kForms[] = {
      {&branch_if, NativeOp::branch, NativeType::u32},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
