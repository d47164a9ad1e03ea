#include "emulator/isa/handlers/convert_float.h"
#include "emulator/isa/handlers/families.h"

// cvt that makes or takes several values a register: pairs of f16, bf16 and 8-bit floats, and
// cvt.pack; also tf32, which shares their rounding. Of two sources the first goes into the upper
// part.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// One f32 in the format F.
template <class F, Rounding kRounding, bool kRelu, bool kSatFinite>
[[gnu::always_inline]] inline typename F::Bits encoded(float a) {
  return narrow<F, F32, kRounding, kSatFinite>(bits_of<F32>(kRelu ? relu(a) : a));
}

/// f32, f32 -> a pair in twice the bits of F.
template <class F, Rounding kRounding, bool kRelu, bool kSatFinite>
const Inst* pair_from_f32(Warp& w, const Inst& in) {
  using Pair = Wide<typename F::Bits>;
  return map2<Pair, float, float>(w, in, [](float a, float b) {
    const Pair high = encoded<F, kRounding, kRelu, kSatFinite>(a);
    const Pair low = encoded<F, kRounding, kRelu, kSatFinite>(b);
    return static_cast<Pair>(high << kBits<typename F::Bits> | low);
  });
}

template <class F, bool kRelu>
const Inst* fp8x2_from_f16x2(Warp& w, const Inst& in) {
  return map1<u16, u32>(w, in, [](u32 a) {
    const auto half = [](u32 bits) {
      return encoded<F, Rounding::nearest_even, kRelu, true>(widen<F16>(static_cast<u16>(bits)));
    };
    return static_cast<u16>(half(a >> 16) << 8 | half(a));
  });
}

template <class F, bool kRelu>
const Inst* f16x2_from_fp8x2(Warp& w, const Inst& in) {
  return map1<u32, u16>(w, in, [](u16 a) {
    const auto half = [](int bits) {
      return encoded<F16, Rounding::nearest_even, kRelu, false>(widen<F>(static_cast<u8>(bits)));
    };
    return static_cast<u32>(half(a >> 8)) << 16 | half(a);
  });
}

template <Rounding kRounding, bool kRelu, bool kSatFinite>
const Inst* tf32_from_f32(Warp& w, const Inst& in) {
  return map1<u32, float>(w, in, [](float a) {
    if constexpr (kRounding == Rounding::nearest_away) {
      // Of a NaN, H200s store the upper bits as they are, be they an infinity's; with .satfinite
      // one less, as if those were an infinity that has to become the largest number.
      const u32 upper = bits_of<F32>(a) >> TF32::kRegisterShift;
      if (is_nan<F32>(bits_of<F32>(a))) {
        return (upper - (kSatFinite ? 1 : 0)) << TF32::kRegisterShift;
      }
    }
    return encoded<TF32, kRounding, kRelu, kSatFinite>(a) << TF32::kRegisterShift;
  });
}

// -- binding
// ---------------------------------------------------------------------------------------

/// Calls f.operator()<kRelu, kSatFinite>() with the modifiers, `.rn` or `.rz` already taken.
template <class Callback>
void with_relu_and_satfinite(Binder& b, Callback f) {
  with_flag(b.take("relu"), [&]<bool kRelu>() {
    with_flag(b.take("satfinite"),
              [&]<bool kSatFinite>() { f.template operator()<kRelu, kSatFinite>(); });
  });
}

template <class F>
void set_pair_from_f32(Binder& b, Rounding rounding) {
  with_relu_and_satfinite(b, [&]<bool kRelu, bool kSatFinite>() {
    b.inst.run = rounding == Rounding::zero
                     ? pair_from_f32<F, Rounding::zero, kRelu, kSatFinite>
                     : pair_from_f32<F, Rounding::nearest_even, kRelu, kSatFinite>;
  });
  bind_operands(b, Type::f32, Type::f32);
}

/// `.rn` or `.rz`.
Rounding require_nearest_or_zero(Binder& b) {
  switch (b.take_one_of({"rn", "rz"})) {
    case 0:
      return Rounding::nearest_even;
    case 1:
      return Rounding::zero;
    default:
      b.unsupported("neither '.rn' nor '.rz'");
  }
}

void bind_tf32(Binder& b) {
  if (b.take("rna")) {
    b.inst.run = b.take("satfinite") ? tf32_from_f32<Rounding::nearest_away, false, true>
                                     : tf32_from_f32<Rounding::nearest_away, false, false>;
  } else {
    const Rounding rounding = require_nearest_or_zero(b);
    with_relu_and_satfinite(b, [&]<bool kRelu, bool kSatFinite>() {
      b.inst.run = rounding == Rounding::zero
                       ? tf32_from_f32<Rounding::zero, kRelu, kSatFinite>
                       : tf32_from_f32<Rounding::nearest_even, kRelu, kSatFinite>;
    });
  }
  bind_operands(b, Type::f32);
}

/// `.rn.satfinite{.relu}` from f32 or f16x2.
template <class F>
void bind_to_fp8x2(Binder& b, Type source) {
  if (!b.take("rn") || !b.take("satfinite")) b.unsupported("no '.rn.satfinite'");
  with_flag(b.take("relu"), [&]<bool kRelu>() {
    if (source == Type::f32) {
      b.inst.run = pair_from_f32<F, Rounding::nearest_even, kRelu, true>;
      bind_operands(b, source, source);
    } else if (source == Type::f16x2) {
      b.inst.run = fp8x2_from_f16x2<F, kRelu>;
      bind_operands(b, source);
    } else {
      unsupported_type(b, source);
    }
  });
}

void bind_from_fp8x2(Binder& b, Type source) {
  if (!b.take("rn")) b.unsupported("no '.rn'");
  with_flag(b.take("relu"), [&]<bool kRelu>() {
    b.inst.run =
        source == Type::e4m3x2 ? f16x2_from_fp8x2<E4M3, kRelu> : f16x2_from_fp8x2<E5M2, kRelu>;
  });
  bind_operands(b, source);
}

void bind_cvt(Binder& b) {
  const Type result = b.take_type();
  const Type source = b.take_type();
  switch (result) {
    case Type::e4m3x2:
      return bind_to_fp8x2<E4M3>(b, source);
    case Type::e5m2x2:
      return bind_to_fp8x2<E5M2>(b, source);
    case Type::f16x2:
      if (source == Type::e4m3x2 || source == Type::e5m2x2) return bind_from_fp8x2(b, source);
      if (source != Type::f32) unsupported_type(b, source);
      return set_pair_from_f32<F16>(b, require_nearest_or_zero(b));
    case Type::bf16x2:
      if (source != Type::f32) unsupported_type(b, source);
      return set_pair_from_f32<BF16>(b, require_nearest_or_zero(b));
    case Type::tf32:
      if (source != Type::f32) unsupported_type(b, source);
      return bind_tf32(b);
    default:
      unsupported_type(b, result);
  }
}

// -- cvt.pack
// --------------------------------------------------------------------------------------

/// `a` cut off at the ends of an integer type of `kSize` bits, in the low bits.
template <int kSize, bool kSigned>
[[gnu::always_inline]] inline u32 saturated(s32 a) {
  constexpr s32 kMin = kSigned ? -(1 << (kSize - 1)) : 0;
  constexpr s32 kMax = kSigned ? (1 << (kSize - 1)) - 1 : (1 << kSize) - 1;
  const s32 value = a < kMin ? kMin : a > kMax ? kMax : a;
  return static_cast<u32>(value) & ((1u << kSize) - 1);
}

template <int kSize, bool kSigned>
const Inst* pack(Warp& w, const Inst& in) {
  return map2<u32, s32, s32>(w, in, [](s32 a, s32 b) {
    return saturated<kSize, kSigned>(a) << kSize | saturated<kSize, kSigned>(b);
  });
}

/// The third source moves up to make room.
template <int kSize, bool kSigned>
const Inst* pack_below(Warp& w, const Inst& in) {
  return map3<u32, s32, s32, u32>(w, in, [](s32 a, s32 b, u32 c) {
    return saturated<kSize, kSigned>(a) << kSize | saturated<kSize, kSigned>(b) | c << (2 * kSize);
  });
}

void bind_pack(Binder& b) {
  if (!b.take("pack")) b.unsupported("");  // some other cvt
  if (!b.take("sat")) b.unsupported("no '.sat'");
  // u4, s4, u2 and s2 are types of this instruction only.
  const int small = b.take_one_of({"u4", "s4", "u2", "s2"});
  const Type result = small < 0 ? b.take_type() : Type::none;
  const Type source = b.take_type();
  if (source != Type::s32) unsupported_type(b, source);
  if (result == Type::u16 || result == Type::s16) {
    b.inst.run = result == Type::u16 ? pack<16, false> : pack<16, true>;
    return bind_operands(b, source, source);
  }
  if (small < 0 && result != Type::u8 && result != Type::s8) unsupported_type(b, result);
  static constexpr Handler handlers[] = {pack_below<4, false>, pack_below<4, true>,
                                         pack_below<2, false>, pack_below<2, true>};
  b.inst.run = small >= 0           ? handlers[small]
               : result == Type::u8 ? pack_below<8, false>
                                    : pack_below<8, true>;
  if (b.take_type() != Type::b32) b.unsupported("no '.b32'");
  bind_operands(b, source, source, Type::b32);
}

}  // namespace

Family convert_float_packed_family() {
  static constexpr Row rows[] = {
      {.name = "cvt",
       .forms = "cvt.{rn,rz}{.relu}{.satfinite}.{f16x2,bf16x2}.f32 d, a, b\n"
                "cvt.{rn,rz}{.relu}{.satfinite}.tf32.f32 d, a\n"
                "cvt.rna{.satfinite}.tf32.f32 d, a\n"
                "cvt.rn.satfinite{.relu}.{e4m3x2,e5m2x2}.f32 d, a, b\n"
                "cvt.rn.satfinite{.relu}.{e4m3x2,e5m2x2}.f16x2 d, a\n"
                "cvt.rn{.relu}.f16x2.{e4m3x2,e5m2x2} d, a",
       .bind = bind_cvt,
       .does = semantics::kConvert},
      {.name = "cvt",
       .forms = "cvt.pack.sat.{u16,s16}.s32 d, a, b\n"
                "cvt.pack.sat.{u8,s8,u4,s4,u2,s2}.s32.b32 d, a, b, c",
       .bind = bind_pack,
       .does = semantics::kConvert},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
