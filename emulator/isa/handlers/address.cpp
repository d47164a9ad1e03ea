#include "emulator/machine/address.h"
#include <algorithm>

#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/memory_lanes.h"
#include "emulator/machine/context.h"
#include "emulator/machine/decoder.h"
#include "emulator/machine/faults.h"

// Conversions between the generic address space and the others, and alloca, which makes addresses.
// Global and constant addresses are generic addresses already; the other spaces are windows at
// fixed places.

namespace warpsim::WARPSIM_SIMD {
namespace {

u64 window_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return kSharedWindow;
    case ptx::Space::local:
      return kLocalWindow;
    case ptx::Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}

const Inst* add_window(Warp& w, const Inst& in) {
  const u64 window = in.imm;
  return map1<u64, u64>(w, in, [window](u64 a) { return a + window; });
}

const Inst* add_window_32(Warp& w, const Inst& in) {
  const u64 window = in.imm;
  return map1<u64, u32>(w, in, [window](u32 a) { return a + window; });
}

const Inst* drop_window(Warp& w, const Inst& in) {
  const u64 window = in.imm;
  return map1<u64, u64>(w, in, [window](u64 a) { return a - window; });
}

const Inst* drop_window_32(Warp& w, const Inst& in) {
  const u64 window = in.imm;
  return map1<u32, u64>(w, in, [window](u64 a) { return static_cast<u32>(a - window); });
}

void bind_cvta(Binder& b) {
  const bool to_space = b.take("to");
  const auto space = b.take("shared::cluster") ? ptx::Space::shared : b.take_space();
  b.inst.imm = window_of(space);
  if (!b.take("u64") && !b.take("u32")) b.unsupported("size");
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, Type::u64);
  const auto narrow = [&](std::size_t i) {
    return b.operand(i).kind == ptx::Operand::Kind::reg &&
           ptx::size_bytes(b.register_type(b.operand(i))) == 4;
  };
  if (b.inst.imm == 0 && !narrow(0) && !narrow(1)) decoder_of(b).copy();
  if (to_space) {
    b.inst.run = narrow(0) ? drop_window_32 : drop_window;
  } else {
    b.inst.run = narrow(1) ? add_window_32 : add_window;
  }
}

/// Shared memory of the thread's own block.
const Inst* is_in_block(Warp& w, const Inst& in) {
  const u64* a = w.reg<u64>(in.a);
  u32 inside = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    const bool own = in_window(a[i], kSharedWindow) && a[i] - kSharedWindow < kClusterStride;
    inside |= static_cast<u32>(own) << i;
  }
  set_pred(w, in.d, inside);
  return &in + 1;
}

const Inst* is_in_space(Warp& w, const Inst& in) {
  const u64 window = in.imm;
  const u64* a = w.reg<u64>(in.a);
  u32 inside = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    const bool in_any_window = in_window(a[i], kSharedWindow) || in_window(a[i], kLocalWindow) ||
                               in_window(a[i], kParamWindow);
    const bool yes = window == 0 ? !in_any_window : in_window(a[i], window);
    inside |= static_cast<u32>(yes) << i;
  }
  set_pred(w, in.d, inside);
  return &in + 1;
}

void bind_isspacep(Binder& b) {
  const bool cluster = b.take("shared::cluster");
  const auto space = cluster ? ptx::Space::shared : b.take_space();
  // Constant memory has no window of its own here, so this could only be answered wrongly.
  if (space == ptx::Space::constant) b.unsupported("constant space");
  b.inst.imm = window_of(space);
  b.inst.d = b.dst_pred(0);
  b.inst.a = b.src(1, Type::u64);
  b.inst.run = space == ptx::Space::shared && !cluster ? is_in_block : is_in_space;
}

/// What one alloca instruction can hand out in a frame, in bytes; a card's whole stack is smaller
/// unless the program asks for more.
constexpr u32 kArenaBytes = 8 * 1024;

/// The arena lies in the frame's local memory: first, for each lane, the bytes that are in use.
/// Nobody wrote them in a new frame, which counts as zero.
const Inst* allocate_on_stack(Warp& w, const Inst& in) {
  WarpContext& context = *w.context;
  const u64 arena = context.frame().local_base + in.imm;
  const u64* bytes = w.reg<u64>(in.a);
  u64* address = w.reg<u64>(in.d);
  const u64 align = u64{1} << in.aux2;
  u64 most = 0;
  for_each_lane(w.active, [&](int i) {
    const u64 place = static_cast<u64>(i) * context.local_stride + arena;
    std::byte* const used = context.local.data() + place;
    std::byte* const written = context.local_written.data() + place;
    const u64 before = written[0] == std::byte{0} ? sizeof(u64) : peek<u64>(used);
    const u64 start = (arena + before + align - 1) / align * align;
    const u64 after = start - arena + bytes[i];
    most = std::max({most, bytes[i], after});
    poke(used, after);
    written[0] = std::byte{1};
    address[i] = start;
  });
  if (most > kArenaBytes) {
    raise(context, {faults::StackOverflow{context, in, most, kArenaBytes}});
    return abort_launch(w, in, LaunchStatus::illegal_address);
  }
  return &in + 1;
}

void bind_alloca(Binder& b) {
  if (!b.take("u64")) b.unsupported("size");
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, Type::u64);
  u64 align = 8;
  if (b.operand_count() > 2 && !b.immediate(2, align)) b.unsupported("alignment");
  if (!std::has_single_bit(align)) b.unsupported("alignment");
  b.inst.aux2 = static_cast<u8>(std::countr_zero(align));
  Program& program = decoder_of(b).program();
  b.inst.imm = program.local_bytes;
  program.local_bytes += kArenaBytes;
  b.inst.run = allocate_on_stack;
}

}  // namespace

Family address_family() {
  static constexpr Row rows[] = {
      {.name = "cvta",
       .forms = "cvta.{global,shared,local,const,param}.u64 d, a\n"
                "cvta.to.{global,shared,local,const,param}.u64 d, a\n"
                "cvta.{shared::cta,shared::cluster}.u64 d, a",
       .bind = bind_cvta,
       .does = semantics::kMoveBits},
      {.name = "isspacep",
       .forms = "isspacep.{global,shared,local,param,shared::cta,shared::cluster} p, a",
       .bind = bind_isspacep,
       .does = semantics::kCompute},
      {.name = "alloca",
       .forms = "alloca.u64 d, a, n",
       .bind = bind_alloca,
       .does = semantics::kImpure},
  };
  return rows;
}

std::span<const NativeForm> address_native() {
  static constexpr NativeForm kForms[] = {
      {&add_window, NativeOp::add_constant, NativeType::u64},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
