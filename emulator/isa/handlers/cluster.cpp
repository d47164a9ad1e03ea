#include "emulator/isa/handlers/async_bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/machine/async_handlers.h"
#include "emulator/machine/context.h"

// Clusters: addresses in other blocks' shared memory, the cluster barrier, and instructions that
// only steer the hardware.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// The upper bits of an address in the shared window name the block (see kClusterStride).
u32 mapped(u32 offset, u32 rank) {
  return offset % kClusterStride + (rank % 255 + 1) * kClusterStride;
}

const Inst* map_shared(Warp& w, const Inst& in) {
  return map2<u32, u32, u32>(w, in, mapped);
}

const Inst* map_shared_wide(Warp& w, const Inst& in) {
  return map2<u64, u64, u32>(
      w, in, [](u64 a, u32 rank) { return u64{mapped(static_cast<u32>(a), rank)}; });
}

const Inst* map_generic(Warp& w, const Inst& in) {
  return map2<u64, u64, u32>(
      w, in, [](u64 a, u32 rank) { return kSharedWindow + mapped(static_cast<u32>(a), rank); });
}

void bind_mapa(Binder& b) {
  const bool shared = b.take("shared::cluster");
  const Type type = b.take_type();
  if (type != Type::u32 && type != Type::u64) unsupported_type(b, type);
  if (!shared && type == Type::u32) b.unsupported("32-bit generic addresses");
  bind_operands(b, type, Type::u32);
  b.inst.run = !shared ? map_generic : type == Type::u32 ? map_shared : map_shared_wide;
}

template <class A>
const Inst* rank_of(Warp& w, const Inst& in) {
  const u32 own = w.context->block->rank;
  return map1<u32, A>(w, in, [own](A a) {
    const u32 upper = static_cast<u32>(a) / kClusterStride;
    return upper == 0 ? own : upper - 1;
  });
}

void bind_getctarank(Binder& b) {
  b.take("shared::cluster");
  const Type type = b.take_type();
  with_type<Type::u32, Type::u64>(b, type, [&]<class T>() { b.inst.run = &rank_of<T>; });
  bind_operands(b, type);
}

void bind_barrier(Binder& b) {
  if (!b.take("cluster")) b.unsupported("no .cluster");
  const int kind = b.take_one_of({"arrive", "wait"});
  if (kind < 0) b.unsupported("neither .arrive nor .wait");
  b.take_one_of({"release", "relaxed", "acquire"});
  b.take("aligned");
  if (kind == 1) decoder_of(b).control();
  b.inst.run = kind == 0 ? cluster_arrive : cluster_wait;
}

const Inst* nothing(Warp&, const Inst& in) {
  return &in + 1;
}

/// Grids run one after the other, so what the next one waits for is always done.
void bind_griddepcontrol(Binder& b) {
  if (b.take_one_of({"launch_dependents", "wait"}) < 0) b.unsupported("operation");
  b.inst.run = nothing;
}

/// The number of registers is not limited here.
void bind_setmaxnreg(Binder& b) {
  if (b.take_one_of({"inc", "dec"}) < 0) b.unsupported("neither .inc nor .dec");
  if (!b.take("sync")) b.unsupported("no .sync");
  b.take("aligned");
  b.take("u32");
  u64 count = 0;
  if (!b.immediate(0, count) || count < 24 || count > 256 || count % 8 != 0) {
    b.unsupported("a count that is not a multiple of 8 from 24 to 256");
  }
  b.inst.run = nothing;
}

}  // namespace

Family cluster_family() {
  static constexpr Row rows[] = {
      {.name = "mapa",
       .forms = "mapa.shared::cluster.{u32,u64} d, a, b\nmapa.u64 d, a, b",
       .bind = bind_mapa,
       .does = semantics::kImpure},
      {.name = "getctarank",
       .forms = "getctarank.shared::cluster.{u32,u64} d, a\ngetctarank.u64 d, a",
       .bind = bind_getctarank,
       .does = semantics::kImpure},
      {.name = "barrier",
       .forms = "barrier.cluster.arrive{.release,.relaxed}{.aligned}\n"
                "barrier.cluster.wait{.acquire}{.aligned}",
       .bind = bind_barrier,
       .does = semantics::kBarrier},
      {.name = "griddepcontrol",
       .forms = "griddepcontrol.{launch_dependents,wait}",
       .bind = bind_griddepcontrol,
       .does = semantics::kAction},
      {.name = "setmaxnreg",
       .forms = "setmaxnreg.{inc,dec}.sync.aligned.u32 count",
       .bind = bind_setmaxnreg,
       .does = semantics::kWarpAction},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
