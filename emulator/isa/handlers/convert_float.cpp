#include "emulator/isa/handlers/convert_float.h"

#include "emulator/isa/handlers/families.h"

// cvt with a float type on either side, one value a lane.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Whether the conversion only moves bits, NaNs' too: an f32, or a bf16, which is the upper half of
/// one, becomes an f32.
bool keeps_bits(const Conversion& c) {
  return c.result == Type::f32 && (c.source == Type::f32 || c.source == Type::bf16) &&
         c.flags == 0 && c.integer_rounding == IntegerRounding::none;
}

const Inst* convert(Warp& w, const Inst& in) {
  const auto c = __builtin_bit_cast(Conversion, in.imm);
  alignas(64) Patterns bits;
  gather(w, in.a, c.source_bytes, bits);
  if (keeps_bits(c)) {
    const int shift = c.source == Type::bf16 ? 16 : 0;
    for (u64& pattern : bits) pattern = static_cast<u32>(pattern << shift);
  } else {
    alignas(64) Numbers numbers;
    read(c, bits, numbers);
    round_to_integers(c.integer_rounding, numbers);
    encode(c, numbers, bits);
  }
  scatter(w, in.d, c.result_bytes, bits);
  return &in + 1;
}

// -- the common conversions, without the steps; registers are as wide as the types ----------------

template <class To, class From>
const Inst* from_integer(Warp& w, const Inst& in) {
  return map1<To, From>(w, in, [](From a) { return static_cast<To>(a); });
}

/// 64-bit integers to f64, which read's doubles are not exact enough for.
template <class From>
const Inst* to_f64_saturated(Warp& w, const Inst& in) {
  return map1<double, From>(w, in, [](From a) { return saturate(static_cast<double>(a)); });
}

const Inst* f32_to_s32(Warp& w, const Inst& in) {
  return map1<s32, float>(w, in, [](float a) {
    const bool inside = a >= -0x1p31f && a < 0x1p31f;
    const s32 limit = a >= 0x1p31f ? 0x7fffffff : a == a ? static_cast<s32>(0x80000000u) : 0;
    const s32 value = static_cast<s32>(inside ? a : 0.0f);
    return inside ? value : limit;
  });
}

const Inst* f64_to_f32(Warp& w, const Inst& in) {
  return map1<float, double>(w, in, [](double a) { return static_cast<float>(a); });
}

const Inst* f32_to_f64(Warp& w, const Inst& in) {
  return map1<double, float>(w, in, [](float a) { return static_cast<double>(a); });
}

const Inst* f16_to_f32(Warp& w, const Inst& in) {
  return map1<float, u16>(w, in, [](u16 a) { return canonical_value(widen<F16>(a)); });
}

const Inst* bf16_to_f32(Warp& w, const Inst& in) {
  return map1<u32, u16>(w, in, [](u16 a) { return static_cast<u32>(a) << 16; });
}

template <class F>
const Inst* from_f32(Warp& w, const Inst& in) {
  return map1<u16, u32>(w, in, [](u32 a) { return narrow<F, F32, Rounding::nearest_even>(a); });
}

/// The shortcut for a conversion whose modifiers only say how to round; null when there is none.
Handler shortcut(const Conversion& c) {
  if (c.flags != 0 || c.source_bytes != ptx::size_bytes(c.source) ||
      c.result_bytes != ptx::size_bytes(c.result)) {
    return nullptr;
  }
  const auto is = [&](Type result, Type source) {
    return c.result == result && c.source == source;
  };
  if (is(Type::s32, Type::f32)) {
    return c.integer_rounding == IntegerRounding::zero ? f32_to_s32 : nullptr;
  }
  if (c.rounding != Rounding::nearest_even || c.integer_rounding != IntegerRounding::none) {
    return nullptr;
  }
  if (is(Type::f32, Type::s32)) return from_integer<float, s32>;
  if (is(Type::f32, Type::u32)) return from_integer<float, u32>;
  if (is(Type::f64, Type::s32)) return from_integer<double, s32>;
  if (is(Type::f64, Type::u32)) return from_integer<double, u32>;
  if (is(Type::f32, Type::f64)) return f64_to_f32;
  if (is(Type::f64, Type::f32)) return f32_to_f64;
  if (is(Type::f32, Type::f16)) return f16_to_f32;
  if (is(Type::f32, Type::bf16)) return bf16_to_f32;
  if (is(Type::f16, Type::f32)) return from_f32<F16>;
  if (is(Type::bf16, Type::f32)) return from_f32<BF16>;
  return nullptr;
}

// -- binding
// ---------------------------------------------------------------------------------------

bool is_float_type(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::f32 || type == Type::f64;
}

bool is_integer_type(Type type) {
  return type >= Type::u8 && type <= Type::s64;
}

/// Takes the rounding mode and refuses one that does not fit the types: integer rounding goes to
/// integers and within a format; the other is needed where the result may not be exact.
void take_conversion_rounding(Binder& b, Conversion& c) {
  const int integer = b.take_one_of({"rni", "rzi", "rmi", "rpi"});
  const TakenRounding taken = take_rounding(b);
  c.rounding = taken.rounding;
  c.integer_rounding = static_cast<IntegerRounding>(integer + 1);
  const bool to_integer = is_integer_type(c.result);
  const bool same = c.source == c.result;
  const bool exact = c.result == Type::f64 ? is_float_type(c.source)
                                           : c.result == Type::f32 && c.source != Type::f64 &&
                                                 is_float_type(c.source);
  if (to_integer && integer < 0) b.unsupported("no integer rounding mode");
  if (integer >= 0 && !to_integer && !same) b.unsupported("integer rounding of another type");
  if (taken.given && (to_integer || same)) b.unsupported("rounding of an exact result");
  if (taken.given && exact && c.source != Type::bf16) {
    b.unsupported("rounding of an exact result");
  }
  if (!taken.given && !to_integer && !same && !exact) b.unsupported("no rounding mode");
}

void take_conversion_flags(Binder& b, Conversion& c) {
  const bool half_from_f32 = c.source == Type::f32 &&
                             (c.result == Type::f16 || c.result == Type::bf16) &&
                             (c.rounding == Rounding::nearest_even || c.rounding == Rounding::zero);
  const auto take = [&](bool allowed, const char* modifier, ConversionFlag flag) {
    if (allowed && b.take(modifier)) c.flags |= flag;
  };
  take(c.source == Type::f32 || c.result == Type::f32, "ftz", kFlush);
  if (c.source == Type::f32 && c.result == Type::f16) c.flags = 0;  // H200s flush nothing there
  take(c.source != Type::bf16 && c.result != Type::bf16, "sat", kSaturate);
  take(half_from_f32, "relu", kRelu);
  take(half_from_f32, "satfinite", kSatFinite);
}

/// Sets the handler of a 64-bit integer to f64.
template <class From>
void set_to_f64(Binder& b, const Conversion& c) {
  if (c.flags & kSaturate) {
    set_rounded<to_f64_saturated<From>>(b, c.rounding);
  } else {
    set_rounded<from_integer<double, From>>(b, c.rounding);
  }
}

u8 register_bytes(Binder& b, std::size_t i, Type type) {
  const Type declared = b.register_type(b.operand(i));
  const std::size_t least = ptx::size_bytes(type);
  if (declared == Type::none) {
    // Immediates and special registers have the type's own width, but for 8 bits.
    return static_cast<u8>(least == 1 ? 2 : least);
  }
  if (ptx::size_bytes(declared) < least) b.unsupported("a register narrower than the type");
  return static_cast<u8>(ptx::size_bytes(declared));
}

void bind_cvt(Binder& b) {
  Conversion c;
  c.result = b.take_type();
  c.source = b.take_type();
  const bool to_float = is_float_type(c.result);
  const bool from_float = is_float_type(c.source);
  if (!to_float && !is_integer_type(c.result)) unsupported_type(b, c.result);
  if (!from_float && (!to_float || !is_integer_type(c.source))) unsupported_type(b, c.source);
  const bool small_integer = c.result == Type::u8 || c.result == Type::s8 ||  //
                             c.source == Type::u8 || c.source == Type::s8;
  if (small_integer && (c.result == Type::bf16 || c.source == Type::bf16)) {
    b.unsupported("bf16 and an 8-bit integer");
  }
  require_operands(b, 2);
  c.source_bytes = register_bytes(b, 1, c.source);
  c.result_bytes = register_bytes(b, 0, c.result);
  take_conversion_rounding(b, c);
  take_conversion_flags(b, c);
  b.inst.d = b.dst(0);
  b.inst.a = b.src(1, c.source);
  if (c.result == Type::f64 && c.source == Type::u64) return set_to_f64<u64>(b, c);
  if (c.result == Type::f64 && c.source == Type::s64) return set_to_f64<s64>(b, c);
  b.inst.imm = __builtin_bit_cast(u64, c);
  const Handler direct = shortcut(c);
  b.inst.run = direct != nullptr ? direct : convert;
}

}  // namespace

Family convert_float_family() {
  static constexpr Row rows[] = {
      {.name = "cvt",
       .forms = "cvt.{rni,rzi,rmi,rpi}{.sat}.{u8,u16,u32,u64,s8,s16,s32,s64}.{f16,f64} d, a\n"
                "cvt.{rni,rzi,rmi,rpi}{.ftz}{.sat}.{u8,u16,u32,u64,s8,s16,s32,s64}.f32 d, a\n"
                "cvt.{rni,rzi,rmi,rpi}.{u16,u32,u64,s16,s32,s64}.bf16 d, a\n"
                "cvt.{rn,rz,rm,rp}{.sat}.{f16,f64}.{u8,u16,u32,u64,s8,s16,s32,s64} d, a\n"
                "cvt.{rn,rz,rm,rp}{.ftz}{.sat}.f32.{u8,u16,u32,u64,s8,s16,s32,s64} d, a\n"
                "cvt.{rn,rz,rm,rp}.bf16.{u16,u32,u64,s16,s32,s64} d, a\n"
                "cvt{.rni,.rzi,.rmi,.rpi}{.sat}.f16.f16 d, a\n"
                "cvt{.rni,.rzi,.rmi,.rpi}{.sat}.f64.f64 d, a\n"
                "cvt{.rni,.rzi,.rmi,.rpi}{.ftz}{.sat}.f32.f32 d, a\n"
                "cvt{.rni,.rzi,.rmi,.rpi}.bf16.bf16 d, a\n"
                "cvt.{rn,rz,rm,rp}{.ftz}{.sat}.f32.f64 d, a\n"
                "cvt.{rn,rz,rm,rp}{.ftz}{.sat}.f16.f32 d, a\n"
                "cvt.{rn,rz,rm,rp}{.sat}.f16.f64 d, a\n"
                "cvt.{rn,rz}{.relu}{.satfinite}.{f16,bf16}.f32 d, a\n"
                "cvt.{rn,rz,rm,rp}{.ftz}.bf16.f32 d, a\n"
                "cvt.{rn,rz,rm,rp}.bf16.{f16,f64} d, a\n"
                "cvt.{rn,rz,rm,rp}.f16.bf16 d, a\n"
                "cvt{.ftz}{.sat}.f32.f16 d, a\n"
                "cvt{.ftz}{.sat}.f64.f32 d, a\n"
                "cvt{.sat}.f64.f16 d, a\n"
                "cvt{.rn,.rz,.rm,.rp}{.ftz}.f32.bf16 d, a\n"
                "cvt{.rn,.rz,.rm,.rp}.f64.bf16 d, a",
       .bind = bind_cvt,
       .does = semantics::kConvert},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
