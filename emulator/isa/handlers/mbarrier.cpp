#include "emulator/isa/handlers/async_bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/machine/async_handlers.h"

// mbarrier.*: the operations are in emulator/machine/mbarrier.cpp.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Semantics and scope change nothing: memory is sequentially consistent here.
void take_ordering(Binder& b) {
  b.take_one_of({"relaxed", "acquire", "release"});
  b.take_one_of({"cta", "cluster"});
}

void bind_arrive(Binder& b, u8 flags) {
  if (b.take("noComplete")) flags |= kArriveNoComplete;
  if (b.take("expect_tx")) flags |= kArriveExpect;
  take_ordering(b);
  const bool shared = take_any_shared(b);
  if (!b.take("b64")) b.unsupported("no .b64");
  AsyncOperands& operands = make_async_operands(b);
  // The state may be left out altogether.
  const bool has_state = b.operand(0).kind != ptx::Operand::Kind::address;
  if (has_state && b.operand(0).kind == ptx::Operand::Kind::reg) b.inst.d = b.dst(0);
  const std::size_t place = has_state ? 1 : 0;
  operands.barrier = bind_async_address(b, place, shared);
  if (b.operand_count() > place + 1) operands.size = b.src(place + 1, Type::u32);
  if (operands.size < 0 && (flags & (kArriveExpect | kArriveNoComplete)) != 0) {
    b.unsupported("no count");
  }
  b.inst.aux = flags;
  b.inst.run = mbarrier_arrive;
}

void bind_wait(Binder& b, bool may_suspend) {
  const bool parity = b.take("parity");
  take_ordering(b);
  const bool shared = take_any_shared(b);
  if (!b.take("b64")) b.unsupported("no .b64");
  AsyncOperands& operands = make_async_operands(b);
  b.inst.d = b.dst_pred(0);
  operands.barrier = bind_async_address(b, 1, shared);
  b.inst.a = b.src(2, parity ? Type::u32 : Type::u64);
  b.inst.aux = parity ? 1 : 0;
  // The time limit of try_wait says nothing about which answer is right.
  if (b.operand_count() != 3 && !(may_suspend && b.operand_count() == 4)) {
    b.unsupported("number of operands");
  }
  decoder_of(b).control();
  b.inst.run = mbarrier_wait;
}

void bind_mbarrier(Binder& b) {
  if (b.take("test_wait")) return bind_wait(b, false);
  if (b.take("try_wait")) return bind_wait(b, true);
  if (b.take("arrive")) return bind_arrive(b, 0);
  if (b.take("arrive_drop")) return bind_arrive(b, kArriveDrop);
  if (b.take("pending_count")) {
    if (!b.take("b64")) b.unsupported("no .b64");
    bind_operands(b, Type::u64);
    b.inst.run = mbarrier_pending_count;
    return;
  }
  const int kind = b.take_one_of({"init", "inval", "expect_tx", "complete_tx"});
  if (kind < 0) b.unsupported("operation");
  if (kind >= 2) take_ordering(b);
  const bool shared = take_any_shared(b);
  if (!b.take("b64")) b.unsupported("no .b64");
  AsyncOperands& operands = make_async_operands(b);
  operands.barrier = bind_async_address(b, 0, shared);
  if (kind != 1) operands.size = b.src(1, Type::u32);
  b.inst.aux = kind == 3 ? 1 : 0;
  b.inst.run = kind == 0 ? mbarrier_init : kind == 1 ? mbarrier_invalidate : mbarrier_transaction;
}

}  // namespace

Family mbarrier_family() {
  static constexpr Row rows[] = {
      {.name = "mbarrier",
       .forms = "mbarrier.init.shared.b64 [a], count\nmbarrier.inval.shared.b64 [a]\n"
                "mbarrier.arrive.shared.b64 d, [a]\nmbarrier.arrive.shared.b64 d, [a], count\n"
                "mbarrier.arrive.noComplete.shared.b64 d, [a], count\n"
                "mbarrier.arrive_drop.shared.b64 d, [a]\n"
                "mbarrier.arrive.expect_tx.shared.b64 d, [a], bytes\n"
                "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]\n"
                "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [a], bytes\n"
                "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [a], bytes\n"
                "mbarrier.test_wait{.parity}.shared.b64 p, [a], state\n"
                "mbarrier.try_wait{.parity}.shared.b64 p, [a], state\n"
                "mbarrier.pending_count.b64 d, state",
       .bind = bind_mbarrier,
       .does = semantics::kMbarrier},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
