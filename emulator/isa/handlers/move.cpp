#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"
#include "emulator/machine/decoder.h"

// mov: copies, vector packing and unpacking, and whatever else Binder::src makes readable (special
// registers, addresses of symbols).

namespace warpsim::WARPSIM_SIMD {
namespace {

struct Copy {
  template <class T>
  static T apply(T a) {
    return a;
  }
};

const Inst* mov_pred(Warp& w, const Inst& in) {
  set_pred(w, in.d, w.pred(in.a) ^ (in.aux ? kFullMask : 0));
  return &in + 1;
}

const Inst* mov_b128(Warp& w, const Inst& in) {
  return map1<u128, u128>(w, in, [](u128 a) { return a; });
}

/// Whole = {Part a, Part b}, the first in the low bits.
template <class Whole, class Part>
const Inst* pack2(Warp& w, const Inst& in) {
  return map2<Whole, Part, Part>(w, in, [](Part low, Part high) {
    return static_cast<Whole>(static_cast<Whole>(high) << kBits<Part> | static_cast<Whole>(low));
  });
}

/// {d, d2} = a. A destination may be the scratch slot of a sink.
template <class Whole, class Part>
const Inst* unpack2(Warp& w, const Inst& in) {
  const Whole* a = w.reg<Whole>(in.a);
  Part* low = w.reg<Part>(in.d);
  Part* high = w.reg<Part>(in.d2);
  const u32 active = w.active;
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) {
    const Whole value = a[i];
    low[i] = (active >> i) & 1 ? static_cast<Part>(value) : low[i];
    high[i] = (active >> i) & 1 ? static_cast<Part>(value >> kBits<Part>) : high[i];
  }
  return &in + 1;
}

/// Four parts: their slots are a, b, c and d2, lowest first.
template <class Whole, class Part>
const Inst* pack4(Warp& w, const Inst& in) {
  Whole* d = w.reg<Whole>(in.d);
  const Part* parts[] = {w.reg<Part>(in.a), w.reg<Part>(in.b), w.reg<Part>(in.c),
                         w.reg<Part>(in.d2)};
  for_each_lane(w.active, [&](int lane) {
    Whole value = 0;
    for (int i = 0; i < 4; ++i) {
      value = static_cast<Whole>(value | static_cast<Whole>(parts[i][lane]) << (kBits<Part> * i));
    }
    d[lane] = value;
  });
  return &in + 1;
}

/// Four parts: their slots are d, d2, b and c, lowest first.
template <class Whole, class Part>
const Inst* unpack4(Warp& w, const Inst& in) {
  const Whole* a = w.reg<Whole>(in.a);
  Part* parts[] = {w.reg<Part>(in.d), w.reg<Part>(in.d2), w.reg<Part>(in.b), w.reg<Part>(in.c)};
  for_each_lane(w.active, [&](int lane) {
    const Whole value = a[lane];
    for (int i = 0; i < 4; ++i) parts[i][lane] = static_cast<Part>(value >> (kBits<Part> * i));
  });
  return &in + 1;
}

Type bits_of_size(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    default:
      return Type::b64;
  }
}

/// A register of the parts' size, or the scratch slot of a sink.
s32 part_destination(Binder& b, const ptx::Operand& operand, Type part) {
  if (operand.kind == ptx::Operand::Kind::sink) return b.scratch(64 * ptx::size_bytes(part));
  if (ptx::size_bytes(b.register_type(operand)) != ptx::size_bytes(part)) {
    b.unsupported("parts of a different size");
  }
  return b.src(operand, part);
}

s32 part_source(Binder& b, const ptx::Operand& operand, Type part) {
  if (operand.kind == ptx::Operand::Kind::reg &&
      ptx::size_bytes(b.register_type(operand)) != ptx::size_bytes(part)) {
    b.unsupported("parts of a different size");
  }
  return b.src(operand, part);
}

void bind_pack(Binder& b, Type whole) {
  const auto& parts = b.operand(1).elements;
  const Type part = bits_of_size(ptx::size_bytes(whole) / parts.size());
  b.inst.d = b.dst(0);
  b.inst.a = part_source(b, parts[0], part);
  b.inst.b = part_source(b, parts[1], part);
  if (parts.size() == 4) {
    b.inst.c = part_source(b, parts[2], part);
    b.inst.d2 = part_source(b, parts[3], part);
  }
}

void bind_unpack(Binder& b, Type whole) {
  const auto& parts = b.operand(0).elements;
  const Type part = bits_of_size(ptx::size_bytes(whole) / parts.size());
  b.inst.a = b.src(1, whole);
  b.inst.d = part_destination(b, parts[0], part);
  b.inst.d2 = part_destination(b, parts[1], part);
  if (parts.size() == 4) {
    b.inst.b = part_destination(b, parts[2], part);
    b.inst.c = part_destination(b, parts[3], part);
  }
}

/// The handler of `mov` between a register and a vector of `parts` registers; null when PTX has no
/// such form.
Handler vector_handler(Type whole, std::size_t parts, bool pack) {
  if (parts == 2) {
    switch (whole) {
      case Type::b16:
        return pack ? &pack2<u16, u8> : &unpack2<u16, u8>;
      case Type::b32:
        return pack ? &pack2<u32, u16> : &unpack2<u32, u16>;
      case Type::b64:
        return pack ? &pack2<u64, u32> : &unpack2<u64, u32>;
      case Type::b128:
        return pack ? &pack2<u128, u64> : &unpack2<u128, u64>;
      default:
        return nullptr;
    }
  }
  if (parts == 4) {
    switch (whole) {
      case Type::b32:
        return pack ? &pack4<u32, u8> : &unpack4<u32, u8>;
      case Type::b64:
        return pack ? &pack4<u64, u16> : &unpack4<u64, u16>;
      case Type::b128:
        return pack ? &pack4<u128, u32> : &unpack4<u128, u32>;
      default:
        return nullptr;
    }
  }
  return nullptr;
}

void bind_mov(Binder& b) {
  const Type type = b.take_type();
  require_operands(b, 2);
  const bool pack = b.operand(1).kind == ptx::Operand::Kind::vector;
  if (pack || b.operand(0).kind == ptx::Operand::Kind::vector) {
    b.inst.run = vector_handler(type, b.operand(pack ? 1 : 0).elements.size(), pack);
    if (b.inst.run == nullptr) b.unsupported("a vector of this size");
    return pack ? bind_pack(b, type) : bind_unpack(b, type);
  }
  if (type == Type::pred) {
    bool negated = false;
    b.inst.d = b.dst_pred(0);
    b.inst.a = b.src_pred(1, negated);
    b.inst.aux = negated ? 1 : 0;
    b.inst.run = &mov_pred;
    return;
  }
  if (type == Type::b128) {
    b.inst.run = &mov_b128;
  } else {
    with_type<Type::b16, Type::b32, Type::b64, Type::u16, Type::u32, Type::u64, Type::s16,
              Type::s32, Type::s64, Type::f32, Type::f64>(
        b, type, [&]<class T>() { b.inst.run = &unary<Copy, Unsigned<T>>; });
  }
  bind_operands(b, type);
  decoder_of(b).copy();
}

}  // namespace

Family move_family() {
  static constexpr Row kRows[] = {
      {"mov",
       "mov.{pred,b16,b32,b64,b128,u16,u32,u64,s16,s32,s64,f32,f64} d, a\n"
       "mov.{b16,b32,b64,b128} d, {a, b}\n"
       "mov.{b16,b32,b64,b128} {d, e}, a\n"
       "mov.{b32,b64,b128} d, {a, b, c, e}\n"
       "mov.{b32,b64,b128} {d, e, f, g}, a",
       &bind_mov, semantics::kMove},
  };
  return kRows;
}

std::span<const NativeForm> move_native() {
  static constexpr NativeForm kForms[] = {
      {&unary<Copy, u32>, NativeOp::move, NativeType::u32},
      {&unary<Copy, u64>, NativeOp::move, NativeType::u64},
      {&mov_pred, NativeOp::predicate_move},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
