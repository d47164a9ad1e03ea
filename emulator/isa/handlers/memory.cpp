#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/memory_bind.h"
#include "emulator/machine/address.h"
#include "emulator/machine/decoder.h"
#include "emulator/machine/polls.h"

// The rows of ld, st and their relatives: which space, type and vector width a form means.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Cache and ordering hints change no result here: every access reaches memory at once.
void take_hints(Binder& b) {
  const int cached = b.take_one_of({"cg", "cv", "ca", "cs", "lu", "wb", "wt"});
  if (cached == 0 || cached == 1) b.inst.flags |= kPastL1;
  b.take_one_of({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                 "L1::no_allocate"});
  b.take_one_of({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  b.take_one_of({"L2::64B", "L2::128B", "L2::256B"});
  b.take("unified");
  b.take("L2::cache_hint");
}

/// volatile, relaxed, acquire, release, mmio: others may read or change the place meanwhile.
bool take_ordering(Binder& b) {
  const bool strong = b.take_one_of({"volatile", "relaxed", "acquire", "release", "mmio"}) >= 0;
  b.take("weak");
  b.take_one_of({"cta", "cluster", "gpu", "sys"});
  return strong;
}

/// Whether a strong load is what a loop waits for.
bool is_poll(const Binder& b) {
  const ptx::Function& function = decoder_of(b).function();
  const auto index = static_cast<std::uint32_t>(&b.source() - function.instructions.data());
  return polls(function, index);
}

unsigned take_vector(Binder& b) {
  if (b.take("v2")) return 2;
  if (b.take("v4")) return 4;
  return 1;
}

/// Sets the register slots of a value operand: one register or a vector of them.
void bind_value(Binder& b, std::size_t operand, MemoryForm& form, bool is_load) {
  const auto& value = b.operand(operand);
  const bool vector = value.kind == ptx::Operand::Kind::vector;
  if (form.count > 1 && (!vector || value.elements.size() != form.count)) {
    b.unsupported("vector operand of another length");
  }
  std::int32_t* const slots[4] = {&b.inst.d, &b.inst.b, &b.inst.c, &b.inst.d2};
  form.container = Type::none;
  for (unsigned k = 0; k < form.count; ++k) {
    const auto& element = vector ? value.elements[k] : value;
    if (element.kind != ptx::Operand::Kind::reg) continue;
    const Type type = b.register_type(element);
    if (form.container == Type::none) form.container = type;
    if (ptx::size_bytes(type) != ptx::size_bytes(form.container)) {
      b.unsupported("vector of registers of different widths");
    }
  }
  if (form.container == Type::none) {
    form.container = ptx::size_bytes(form.element) == 1 ? Type::b16 : form.element;
  }
  for (unsigned k = 0; k < form.count; ++k) {
    const auto& element = vector ? value.elements[k] : value;
    *slots[k] = is_load ? b.dst(element) : b.src(element, form.container);
  }
}

/// Sets `a` and `offset` from an address operand. @returns true for a 64-bit address register
bool bind_address(Binder& b, std::size_t operand, bool narrow_space) {
  const auto& address = b.operand(operand);
  if (address.reg != ptx::kNoIndex) {
    b.inst.a = b.value_slot(address.reg);
    b.inst.offset = address.offset;
    return ptx::size_bytes(decoder_of(b).register_type(address.reg)) == 8;
  }
  b.inst.offset = 0;
  if (address.text.empty()) {
    b.inst.a = decoder_of(b).constant_slot(static_cast<u64>(address.offset), narrow_space ? 4 : 8);
  } else {
    b.inst.a = decoder_of(b).symbol_slot(address, narrow_space ? 4 : 8);
  }
  return !narrow_space;
}

/// A 32-bit address register in a 64-bit space: extended by an instruction in front.
const Inst* widen(Warp& w, const Inst& in) {
  return map1<u64, u32>(w, in, [](u32 a) { return u64{a}; });
}

void need_wide_address(Binder& b, bool wide) {
  if (wide) return;
  Inst extend;
  extend.run = widen;
  extend.a = b.inst.a;
  extend.d = b.scratch(kWarpSize * sizeof(u64));
  decoder_of(b).emit_before(extend);
  b.inst.a = extend.d;
}

/// shared::cluster: an address in the cluster's window is a generic one without its upper half.
void make_generic(Binder& b, bool wide) {
  need_wide_address(b, wide);
  b.inst.offset += static_cast<s64>(kSharedWindow);
}

Type element_type(Binder& b) {
  const Type type = b.take_type();
  if (type == Type::none || type == Type::pred || ptx::size_bytes(type) > 8) {
    b.unsupported("element type");
  }
  return type;
}

void set_width(Binder& b, const MemoryForm& form) {
  b.inst.aux = static_cast<u8>(form.count);
  b.inst.width = static_cast<u8>(form.count * ptx::size_bytes(form.element));
}

void bind_ld(Binder& b) {
  const bool strong = take_ordering(b);
  const bool cluster = b.take("shared::cluster");
  const auto space = cluster ? ptx::Space::shared : b.take_space();
  static_cast<void>(b.take("nc"));  // gives the same here; the check "read-only" is about it
  take_hints(b);
  MemoryForm form;
  form.count = take_vector(b);
  form.element = element_type(b);
  bind_value(b, 0, form, true);
  set_width(b, form);
  if (strong) b.inst.flags |= kVolatile;
  const bool narrow = space == ptx::Space::shared;
  // A parameter by its name is bound below, by what it is.
  const bool is_named = space == ptx::Space::param && b.operand(1).reg == ptx::kNoIndex &&
                        decoder_of(b).place(b.operand(1)).kind != Decoder::Place::Kind::none;
  const bool wide = is_named || bind_address(b, 1, narrow);
  switch (space) {
    case ptx::Space::global:
      if (strong) decoder_of(b).program().order_sensitive = true;
      if (strong && is_poll(b)) b.inst.flags |= kPolls;
      need_wide_address(b, wide);
      decoder_of(b).access(AccessKind::global_load);
      return bind_global_load(b, form);
    case ptx::Space::constant:
      need_wide_address(b, wide);
      decoder_of(b).access(AccessKind::constant_load);
      return bind_global_load(b, form);
    case ptx::Space::generic:
      if (strong) decoder_of(b).program().order_sensitive = true;
      if (strong && is_poll(b)) b.inst.flags |= kPolls;
      need_wide_address(b, wide);
      decoder_of(b).access(AccessKind::global_load);
      return bind_generic_load(b, form);
    case ptx::Space::shared:
      decoder_of(b).access(AccessKind::shared_load);
      if (cluster) {
        make_generic(b, wide);
        return bind_generic_load(b, form);
      }
      return bind_shared_load(b, form, wide);
    case ptx::Space::local:
      return bind_local_load(b, form, wide);
    case ptx::Space::param: {
      const auto place = decoder_of(b).place(b.operand(1));
      if (place.kind == Decoder::Place::Kind::local) {
        b.inst.a = decoder_of(b).symbol_slot(b.operand(1), 4);
        b.inst.offset = 0;
        b.inst.aux2 = 1;
        return bind_local_load(b, form, false);
      }
      if (!decoder_of(b).function().is_entry) {
        b.inst.aux2 = 1;
        return bind_local_load(b, form, wide);
      }
      return bind_parameter_load(b, form);
    }
    default:
      b.unsupported("state space");
  }
}

void bind_st(Binder& b) {
  const bool strong = take_ordering(b);
  const bool cluster = b.take("shared::cluster");
  const auto space = cluster ? ptx::Space::shared : b.take_space();
  take_hints(b);
  MemoryForm form;
  form.count = take_vector(b);
  form.element = element_type(b);
  bind_value(b, 1, form, false);
  set_width(b, form);
  if (strong) b.inst.flags |= kVolatile;
  const bool wide = bind_address(b, 0, space == ptx::Space::shared);
  switch (space) {
    case ptx::Space::global:
      need_wide_address(b, wide);
      decoder_of(b).access(AccessKind::global_store);
      return bind_global_store(b, form);
    case ptx::Space::generic:
      need_wide_address(b, wide);
      decoder_of(b).access(AccessKind::global_store);
      return bind_generic_store(b, form);
    case ptx::Space::shared:
      decoder_of(b).access(AccessKind::shared_store);
      if (cluster) {
        make_generic(b, wide);
        return bind_generic_store(b, form);
      }
      return bind_shared_store(b, form, wide);
    case ptx::Space::local:
      return bind_local_store(b, form, wide);
    case ptx::Space::param:
      b.inst.aux2 = 1;
      return bind_local_store(b, form, wide);
    default:
      b.unsupported("state space");
  }
}

const Inst* nothing(Warp&, const Inst& in) {
  return &in + 1;
}

void bind_prefetch(Binder& b) {
  b.take_space();
  b.take_one_of({"L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"});
  b.inst.run = nothing;
}

}  // namespace

Family memory_family() {
  static constexpr Row rows[] = {
      {.name = "ld",
       .forms = "ld.{param,global,global.nc,const,shared,local}.{b8,u8,s8,b16,u16,s16,b32,u32,s32,"
                "f32,b64,u64,s64,f64} d, [a]\n"
                "ld.{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64} d, [a]\n"
                "ld.{global,global.nc,shared,local,param}.{v2,v4}.{u8,u16,u32,f32} d, [a]\n"
                "ld.{global,shared}.v2.{u64,f64} d, [a]\n"
                "ld.volatile.{global,shared}.{u32,f32,u64} d, [a]\n"
                "ld.{relaxed,acquire}.{cta,gpu,sys}.{global,shared}.{b32,u32,b64} d, [a]\n"
                "ld.{relaxed,acquire}.gpu.{u32,b32} d, [a]\n"
                "ld.global.{ca,cg,cs,cv}.u32 d, [a]\n"
                "ld.shared::cta.u32 d, [a]\nld.shared::cluster.{u32,v4.f32} d, [a]",
       .bind = bind_ld,
       .does = semantics::kLoad},
      {.name = "ldu",
       .forms = "ldu.global.{u32,f32} d, [a]",
       .bind = bind_ld,
       .does = semantics::kUniformLoad},
      {.name = "st",
       .forms = "st.{global,shared,local,param}.{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,"
                "f64} [a], b\n"
                "st.{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64} [a], b\n"
                "st.{global,shared,local,param}.{v2,v4}.{u8,u16,u32,f32} [a], b\n"
                "st.{global,shared}.v2.{u64,f64} [a], b\n"
                "st.volatile.{global,shared}.{u32,f32,u64} [a], b\n"
                "st.{relaxed,release}.{cta,gpu,sys}.{global,shared}.{b32,u32,b64} [a], b\n"
                "st.{relaxed,release}.gpu.{u32,b32} [a], b\n"
                "st.global.{wb,cg,cs,wt}.u32 [a], b\n"
                "st.shared::cta.u32 [a], b\nst.shared::cluster.{u32,v4.f32} [a], b",
       .bind = bind_st,
       .does = semantics::kStore},
      {.name = "prefetch",
       .forms = "prefetch.global.{L1,L2} [a]",
       .bind = bind_prefetch,
       .does = semantics::kHint},
      {.name = "prefetchu",
       .forms = "prefetchu.L1 [a]",
       .bind = bind_prefetch,
       .does = semantics::kHint},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
