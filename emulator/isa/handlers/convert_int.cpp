#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// cvt between integer types. Both registers may be wider than their types: the source is read from
// the low bits, the result is extended to the whole destination register as its type says.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Without saturation a conversion keeps the low bits that both types have, N, and extends them.
template <class D, class N, class A>
const Inst* extend(Warp& w, const Inst& in) {
  return map1<D, A>(w, in, [](A a) { return static_cast<D>(static_cast<N>(a)); });
}

/// What the general conversion needs to know, packed into Inst::imm.
struct Conversion {
  u8 from_bits;
  u8 to_bits;
  bool from_signed;
  bool to_signed;
  bool saturate;

  [[nodiscard]] u64 pack() const {
    return from_bits | static_cast<u64>(to_bits) << 8 | static_cast<u64>(from_signed) << 16 |
           static_cast<u64>(to_signed) << 17 | static_cast<u64>(saturate) << 18;
  }
  [[nodiscard]] static Conversion unpack(u64 bits) {
    return {static_cast<u8>(bits), static_cast<u8>(bits >> 8), (bits >> 16 & 1) != 0,
            (bits >> 17 & 1) != 0, (bits >> 18 & 1) != 0};
  }
};

/// Low `bits` of the value, extended to 64 bits.
[[gnu::always_inline]] inline u64 extend_low(u64 value, u32 bits, bool is_signed) {
  const u32 shift = 64 - bits;
  const u64 raised = value << shift;
  return is_signed ? static_cast<u64>(static_cast<s64>(raised) >> shift) : raised >> shift;
}

/// Any conversion, with saturation if asked for. The tests depend on the instruction alone, so
/// they leave the loop.
template <class D, class A>
const Inst* convert(Warp& w, const Inst& in) {
  const Conversion how = Conversion::unpack(in.imm);
  const u64 largest = ~u64{0} >> (64 - how.to_bits + (how.to_signed ? 1 : 0));
  const s64 largest_signed = static_cast<s64>(largest & (~u64{0} >> 1));
  const s64 smallest = how.to_signed ? -largest_signed - 1 : 0;
  return map1<D, A>(w, in, [=](A a) {
    u64 value = extend_low(a, how.from_bits, how.from_signed);
    if (how.saturate && how.from_signed) {
      const s64 number = static_cast<s64>(value);
      const s64 capped = number > largest_signed ? largest_signed : number;
      value = static_cast<u64>(capped < smallest ? smallest : capped);
    } else if (how.saturate) {
      value = value > largest ? largest : value;
    }
    return static_cast<D>(extend_low(value, how.to_bits, how.to_signed));
  });
}

/// Untyped bits as wide as the register that holds operand i; other operands are in slots of their
/// type's width, 8-bit ones in 16 bits.
Type slot_type(const Binder& b, std::size_t i, Type type) {
  const Type declared = b.register_type(b.operand(i));
  switch (ptx::size_bytes(declared == Type::none ? type : declared)) {
    case 1:
      return declared == Type::none ? Type::b16 : Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    default:
      return Type::b64;
  }
}

bool is_integer(Type type) {
  return type >= Type::u8 && type <= Type::s64;
}

/// The type whose extension the whole conversion is; Type::none when it takes two steps (a negative
/// number converted to an unsigned type in a still wider register).
Type extended_type(Type to, Type from, Type to_slot) {
  if (ptx::size_bytes(to) <= ptx::size_bytes(from)) return to;
  const bool two_steps =
      ptx::is_signed(from) && !ptx::is_signed(to) && ptx::size_bytes(to_slot) > ptx::size_bytes(to);
  return two_steps ? Type::none : from;
}

/// Whether `to` has all values of `from`. PTX then has no .sat.
bool holds_all(Type to, Type from) {
  const std::size_t to_bytes = ptx::size_bytes(to);
  const std::size_t from_bytes = ptx::size_bytes(from);
  if (ptx::is_signed(to) == ptx::is_signed(from)) return to_bytes >= from_bytes;
  return ptx::is_signed(to) && to_bytes > from_bytes;
}

void bind_cvt(Binder& b) {
  const bool saturate = b.take("sat");
  const Type to = b.take_type();
  const Type from = b.take_type();
  if (!is_integer(to)) unsupported_type(b, to);
  if (!is_integer(from)) unsupported_type(b, from);
  if (saturate && holds_all(to, from)) b.unsupported("saturation without effect");
  bind_operands(b, from);
  const Type to_slot = slot_type(b, 0, to);
  const Type from_slot = slot_type(b, 1, from);
  if (ptx::size_bytes(to_slot) < ptx::size_bytes(to) ||
      ptx::size_bytes(from_slot) < ptx::size_bytes(from)) {
    b.unsupported("a register narrower than its type");
  }
  const Type step = saturate ? Type::none : extended_type(to, from, to_slot);
  with_type<Type::b8, Type::b16, Type::b32, Type::b64>(b, to_slot, [&]<class D>() {
    with_type<Type::b8, Type::b16, Type::b32, Type::b64>(b, from_slot, [&]<class A>() {
      if (step == Type::none) {
        b.inst.run = &convert<D, A>;
        return;
      }
      with_type<Type::u8, Type::s8, Type::u16, Type::s16, Type::u32, Type::s32, Type::u64,
                Type::s64>(b, step, [&]<class N>() {
        if constexpr (sizeof(N) == sizeof(D) && sizeof(N) <= sizeof(A)) {
          b.inst.run = &extend<D, D, A>;
        } else if constexpr (sizeof(N) < sizeof(D) && sizeof(N) <= sizeof(A)) {
          b.inst.run = &extend<D, N, A>;
        }
      });
    });
  });
  b.inst.imm = Conversion{.from_bits = static_cast<u8>(8 * ptx::size_bytes(from)),
                          .to_bits = static_cast<u8>(8 * ptx::size_bytes(to)),
                          .from_signed = ptx::is_signed(from),
                          .to_signed = ptx::is_signed(to),
                          .saturate = saturate}
                   .pack();
}

}  // namespace

Family convert_int_family() {
  static constexpr Row kRows[] = {
      {"cvt",
       "cvt.{u8,u16,u32,u64,s8,s16,s32,s64}.{u8,u16,u32,u64,s8,s16,s32,s64} d, a\n"
       "cvt.sat.u8.{u16,u32,u64,s8,s16,s32,s64} d, a\n"
       "cvt.sat.u16.{u32,u64,s8,s16,s32,s64} d, a\n"
       "cvt.sat.u32.{u64,s8,s16,s32,s64} d, a\n"
       "cvt.sat.u64.{s8,s16,s32,s64} d, a\n"
       "cvt.sat.s8.{u8,u16,u32,u64,s16,s32,s64} d, a\n"
       "cvt.sat.s16.{u16,u32,u64,s32,s64} d, a\n"
       "cvt.sat.s32.{u32,u64,s64} d, a\n"
       "cvt.sat.s64.u64 d, a",
       &bind_cvt, semantics::kConvert},
  };
  return kRows;
}

std::span<const NativeForm> convert_int_native() {
  static constexpr NativeForm kForms[] = {
      {&extend<u64, s32, u32>, NativeOp::widen, NativeType::s32},
      {&extend<u64, u32, u32>, NativeOp::widen, NativeType::u32},
      {&extend<u32, u32, u64>, NativeOp::narrow, NativeType::u64},
      {&extend<u32, u32, u32>, NativeOp::move, NativeType::u32},
      {&extend<u64, u64, u64>, NativeOp::move, NativeType::u64},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
