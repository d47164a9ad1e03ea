#include "emulator/isa/handlers/async_bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/machine/async.h"
#include "emulator/machine/async_handlers.h"

// cp.async and its relatives, bulk copies, st.async and red.async.

namespace warpsim::WARPSIM_SIMD {
namespace {

const Inst* nothing(Warp&, const Inst& in) {
  return &in + 1;
}

/// Cache hints change no result; `L2::cache_hint` comes with a last operand.
bool take_cache_hint(Binder& b) {
  b.take_one_of({"L2::64B", "L2::128B", "L2::256B"});
  return b.take("L2::cache_hint");
}

void bind_group_wait(Binder& b, Handler run) {
  u64 groups = 0;
  require_operands(b, 1);
  if (!b.immediate(0, groups)) b.unsupported("the number of groups is not a constant");
  b.inst.imm = groups;
  b.inst.run = run;
}

void bind_copy(Binder& b) {
  const int level = b.take_one_of({"ca", "cg"});
  if (level < 0) b.unsupported("neither .ca nor .cg");
  if (b.take_one_of({"shared::cta", "shared"}) < 0 || !b.take("global")) {
    b.unsupported("state spaces other than .shared.global");
  }
  const bool hint = take_cache_hint(b);
  u64 width = 0;
  if (!b.immediate(2, width)) b.unsupported("the size is not a constant");
  const bool good = width == 16 || (level == 0 && (width == 4 || width == 8));
  if (!good) b.unsupported("a size other than 4, 8 or 16 bytes (.cg: 16)");
  AsyncOperands& operands = make_async_operands(b);
  operands.to = bind_async_address(b, 0, true);
  operands.from = bind_async_address(b, 1, false);
  const std::size_t count = b.operand_count() - (hint ? 1 : 0);
  if (count == 4) {
    const auto& last = b.operand(3);
    if (b.register_type(last) == Type::pred) {
      operands.ignore = b.src_pred(3, operands.ignore_negated);
    } else {
      operands.size = b.src(3, Type::u32);
    }
  } else if (count != 3) {
    b.unsupported("number of operands");
  }
  b.inst.width = static_cast<u8>(width);
  if (level == 1) b.inst.flags |= kPastL1;
  decoder_of(b).access(AccessKind::global_to_shared);
  b.inst.run = copy_async;
}

struct Bulk {
  bool to_shared = false;
  bool from_shared = false;
  bool hint = false;
};

/// What cp.async.bulk and cp.reduce.async.bulk have in common: destination, source, completion.
Bulk take_bulk(Binder& b) {
  Bulk bulk;
  // The destination is written first.
  const auto& modifiers = b.source().modifiers;
  std::string_view to, from;
  for (const auto& modifier : modifiers) {
    const bool space = modifier == "global" || modifier.starts_with("shared::");
    if (!space) continue;
    (to.empty() ? to : from) = modifier;
  }
  if (to.empty() || from.empty()) b.unsupported("no source or destination space");
  b.take(to);
  b.take(from);
  bulk.to_shared = to != "global";
  bulk.from_shared = from != "global";
  if (bulk.from_shared && from != "shared::cta") b.unsupported("source in another block");
  if (!bulk.to_shared && !bulk.from_shared) b.unsupported("copy from global to global memory");
  const bool at_barrier = b.take("mbarrier::complete_tx::bytes");
  const bool in_group = b.take("bulk_group");
  if (at_barrier != bulk.to_shared || in_group == at_barrier) b.unsupported("completion mechanism");
  bulk.hint = take_cache_hint(b);
  return bulk;
}

void bind_bulk_operands(Binder& b, const Bulk& bulk, bool multicast) {
  AsyncOperands& operands = make_async_operands(b);
  operands.to = bind_async_address(b, 0, bulk.to_shared);
  operands.from = bind_async_address(b, 1, bulk.from_shared);
  operands.size = b.src(2, Type::u32);
  std::size_t next = 3;
  if (bulk.to_shared) operands.barrier = bind_async_address(b, next++, true);
  if (multicast) operands.mask = b.src(next++, Type::u16);
  if (b.operand_count() != next + (bulk.hint ? 1 : 0)) b.unsupported("number of operands");
  b.inst.aux = static_cast<u8>((bulk.to_shared ? kBulkToShared : 0) |
                               (bulk.from_shared ? kBulkFromShared : 0));
  decoder_of(b).access(AccessKind::bulk_copy);
  b.inst.run = copy_bulk;
}

void bind_bulk(Binder& b) {
  if (b.take("commit_group")) {
    b.inst.run = commit_bulk;
    return;
  }
  if (b.take("wait_group")) {
    b.take("read");
    return bind_group_wait(b, wait_bulk);
  }
  if (b.take("tensor")) b.unsupported();  // another row
  if (b.take("prefetch")) {
    if (!b.take("L2") || !b.take("global")) b.unsupported("prefetch");
    take_cache_hint(b);
    AsyncOperands& operands = make_async_operands(b);
    operands.from = bind_async_address(b, 0, false);
    operands.size = b.src(1, Type::u32);
    b.inst.run = prefetch_bulk;
    return;
  }
  const Bulk bulk = take_bulk(b);
  bind_bulk_operands(b, bulk, b.take("multicast::cluster"));
}

BulkReduction take_reduction(Binder& b) {
  switch (b.take_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor"})) {
    case 0:
      return BulkReduction::add;
    case 1:
      return BulkReduction::min;
    case 2:
      return BulkReduction::max;
    case 3:
      return BulkReduction::inc;
    case 4:
      return BulkReduction::dec;
    case 5:
      return BulkReduction::bit_and;
    case 6:
      return BulkReduction::bit_or;
    case 7:
      return BulkReduction::bit_xor;
    default:
      b.unsupported("no operation");
  }
}

BulkType bulk_type(Binder& b, Type type) {
  switch (type) {
    case Type::b32:
    case Type::u32:
      return BulkType::u32;
    case Type::s32:
      return BulkType::s32;
    case Type::b64:
    case Type::u64:
      return BulkType::u64;
    case Type::s64:
      return BulkType::s64;
    case Type::f32:
      return BulkType::f32;
    case Type::f64:
      return BulkType::f64;
    default:
      unsupported_type(b, type);
  }
}

void set_reduction(Binder& b, BulkReduction reduction, BulkType type) {
  b.inst.aux2 = static_cast<u8>(static_cast<u8>(reduction) | static_cast<u8>(type) << 4);
}

void bind_bulk_reduction(Binder& b) {
  if (!b.take("async") || !b.take("bulk")) b.unsupported("no .async.bulk");
  if (b.take("tensor")) b.unsupported();  // another row
  const Bulk bulk = take_bulk(b);
  if (!bulk.from_shared) b.unsupported("reduction from global memory");
  const BulkReduction reduction = take_reduction(b);
  const BulkType type = bulk_type(b, b.take_type());
  // Other blocks may reduce into the same place, each on its own host thread.
  if (!bulk.to_shared) decoder_of(b).program().order_sensitive = true;
  bind_bulk_operands(b, bulk, false);
  set_reduction(b, reduction, type);
}

void bind_cp(Binder& b) {
  if (b.take("reduce")) return bind_bulk_reduction(b);
  if (!b.take("async")) b.unsupported("no .async");
  if (b.take("bulk")) return bind_bulk(b);
  if (b.take("commit_group")) {
    b.inst.run = commit_copies;
    return;
  }
  if (b.take("wait_group")) return bind_group_wait(b, wait_copies);
  if (b.take("wait_all")) {
    b.inst.run = wait_all_copies;
    return;
  }
  if (b.take("mbarrier")) {
    if (!b.take("arrive")) b.unsupported("no .arrive");
    b.inst.aux = b.take("noinc") ? 1 : 0;
    const bool shared = b.take_one_of({"shared::cta", "shared"}) >= 0;
    if (!b.take("b64")) b.unsupported("no .b64");
    make_async_operands(b).barrier = bind_async_address(b, 0, shared);
    b.inst.run = arrive_after_copies;
    return;
  }
  bind_copy(b);
}

/// The slots of store_async's values.
void bind_values(Binder& b, unsigned count, Type type) {
  std::int32_t* const slots[4] = {&b.inst.d, &b.inst.b, &b.inst.c, &b.inst.d2};
  const auto& value = b.operand(1);
  const bool vector = value.kind == ptx::Operand::Kind::vector;
  if (vector ? value.elements.size() != count : count != 1) b.unsupported("vector length");
  for (unsigned i = 0; i < count; ++i) {
    *slots[i] = b.src(vector ? value.elements[i] : value, type);
  }
  b.inst.aux = static_cast<u8>(count);
  b.inst.width = static_cast<u8>(ptx::size_bytes(type));
  AsyncOperands& operands = make_async_operands(b);
  operands.to = bind_async_address(b, 0, true);
  operands.barrier = bind_async_address(b, 2, true);
  decoder_of(b).access(AccessKind::bulk_copy);
  b.inst.run = store_async;
}

void take_async_store(Binder& b) {
  if (!b.take("async")) b.unsupported();  // the row of the plain instruction has more to say
  b.take("weak");
  b.take("relaxed");
  b.take("cluster");
  if (!b.take("shared::cluster")) b.unsupported("state space");
  if (!b.take("mbarrier::complete_tx::bytes")) b.unsupported("completion mechanism");
}

void bind_st(Binder& b) {
  take_async_store(b);
  const unsigned count = b.take("v4") ? 4 : b.take("v2") ? 2 : 1;
  const Type type = b.take_type();
  const std::size_t bytes = ptx::size_bytes(type);
  if ((bytes != 4 && bytes != 8) || count * bytes > 16) unsupported_type(b, type);
  bind_values(b, count, type);
}

void bind_red(Binder& b) {
  take_async_store(b);
  const BulkReduction reduction = take_reduction(b);
  const Type type = b.take_type();
  const BulkType how = bulk_type(b, type);
  bind_values(b, 1, type);
  set_reduction(b, reduction, how);
}

void bind_proxy_fence(Binder& b) {
  const bool proxy = b.take("proxy");
  const bool init = b.take("mbarrier_init");
  const bool restricted =
      b.take_one_of({"sync_restrict::shared::cta", "sync_restrict::shared::cluster"}) >= 0;
  if (!proxy && !init && !restricted) b.unsupported("kind of fence");
  bool asynchronous = false;
  if (proxy) {
    const int kind = b.take_one_of({"alias", "async", "async::generic", "tensormap::generic"});
    if (kind < 0) b.unsupported("proxy");
    asynchronous = kind == 1 && !b.take("global");
    if (asynchronous) b.take_one_of({"shared::cta", "shared::cluster"});
  }
  b.take_one_of({"acquire", "release"});
  b.take_one_of({"cta", "cluster", "gpu", "sys"});
  b.inst.run = asynchronous ? fence_proxy : nothing;
}

}  // namespace

Family copy_async_family() {
  static constexpr Row rows[] = {
      {.name = "cp",
       .forms = "cp.async.ca.shared.global [a], [b], size\n"
                "cp.async.cg.shared.global{.L2::128B} [a], [b], size\n"
                "cp.async.commit_group\ncp.async.wait_group n\ncp.async.wait_all\n"
                "cp.async.mbarrier.arrive{.noinc}.shared.b64 [a]\n"
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [b], size, "
                "[c]\n"
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                "multicast::cluster [a], [b], size, [c], mask\n"
                "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [a], [b], "
                "size, [c]\n"
                "cp.async.bulk.global.shared::cta.bulk_group [a], [b], size\n"
                "cp.async.bulk.prefetch.L2.global [a], size\n"
                "cp.async.bulk.commit_group\ncp.async.bulk.wait_group{.read} n\n"
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.{add,min,max,inc,dec}.u32 [a], "
                "[b], size\n"
                "cp.reduce.async.bulk.global.shared::cta.bulk_group.{and,or,xor}.b32 [a], [b], "
                "size\n"
                "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes."
                "add.s32 [a], [b], size, [c]",
       .bind = bind_cp,
       .does = semantics::kAsyncCopy},
      {.name = "st",
       .forms = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.{b32,u64} [a], b, "
                "[c]\n"
                "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [a], b, [c]",
       .bind = bind_st,
       .does = semantics::kStore},
      {.name = "red",
       .forms = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
                "[a], b, [c]",
       .bind = bind_red,
       .does = semantics::kReduction},
      {.name = "fence",
       .forms = "fence.proxy.alias\nfence.proxy.async{.global,.shared::cta,.shared::cluster}\n"
                "fence.mbarrier_init.release.cluster",
       .bind = bind_proxy_fence,
       .does = semantics::kFence},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
