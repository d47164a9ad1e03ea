#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// mul, mad, mul24 and mad24 on integers.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// Low half of a * b + c, on unsigned types.
struct MadLo {
  template <class T>
  static T apply(T a, T b, T c) {
    if constexpr (sizeof(T) < sizeof(u32)) {  // would be promoted to int, and overflow it
      return static_cast<T>(static_cast<u32>(a) * static_cast<u32>(b) + static_cast<u32>(c));
    } else {
      return a * b + c;
    }
  }
};

struct MulLo {
  template <class T>
  static T apply(T a, T b) {
    return MadLo::apply(a, b, T{0});
  }
};

struct MulHi {
  template <class T>
  static T apply(T a, T b) {
    const auto product = static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
    return static_cast<T>(product >> kBits<T>);
  }
};

struct MadHi {
  template <class T>
  static T apply(T a, T b, T c) {
    using U = Unsigned<T>;
    return static_cast<T>(static_cast<U>(MulHi::apply(a, b)) + static_cast<U>(c));
  }
};

inline s32 clamp_s32(s64 value) {
  value = value > 0x7fffffff ? 0x7fffffff : value;
  return static_cast<s32>(value < -0x80000000ll ? -0x80000000ll : value);
}

struct MadHiSat {
  static s32 apply(s32 a, s32 b, s32 c) { return clamp_s32(s64{MulHi::apply(a, b)} + c); }
};

/// The 48-bit product of the low 24 bits of a and b, which a signed type extends.
template <class T>
inline s64 product24(T a, T b) {
  const T left = static_cast<T>(static_cast<T>(static_cast<u32>(a) << 8) >> 8);
  const T right = static_cast<T>(static_cast<T>(static_cast<u32>(b) << 8) >> 8);
  return static_cast<s64>(static_cast<Wide<T>>(left) * static_cast<Wide<T>>(right));
}

template <bool kHigh>
struct Mul24 {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(kHigh ? product24(a, b) >> 16 : product24(a, b));
  }
};

template <bool kHigh>
struct Mad24 {
  template <class T>
  static T apply(T a, T b, T c) {
    return static_cast<T>(static_cast<u32>(Mul24<kHigh>::apply(a, b)) + static_cast<u32>(c));
  }
};

struct Mad24HiSat {
  static s32 apply(s32 a, s32 b, s32 c) { return clamp_s32(s64{Mul24<true>::apply(a, b)} + c); }
};

template <class T>
const Inst* mul_wide(Warp& w, const Inst& in) {
  return map2<Wide<T>, T, T>(w, in, [](T a, T b) {
    return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  });
}

template <class T>
const Inst* mad_wide(Warp& w, const Inst& in) {
  using U = Unsigned<Wide<T>>;
  return map3<U, T, T, U>(w, in, [](T a, T b, U c) {
    const auto product = static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
    return static_cast<U>(static_cast<U>(product) + c);
  });
}

Type twice_as_wide(Binder& b, Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      unsupported_type(b, type);
  }
}

enum Half { kLo, kHi, kWide };

void bind_mul(Binder& b) {
  const int half = b.take_one_of({"lo", "hi", "wide"});
  if (half < 0) b.unsupported();  // floating point
  const Type type = b.take_type();
  if (half == kWide) {
    with_type<Type::u16, Type::s16, Type::u32, Type::s32>(
        b, type, [&]<class T>() { b.inst.run = &mul_wide<T>; });
  } else {
    with_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
        b, type, [&]<class T>() {
          b.inst.run = half == kLo ? &binary<MulLo, Unsigned<T>> : &binary<MulHi, T>;
        });
  }
  bind_operands(b, type, type);
}

void bind_mad(Binder& b) {
  const int half = b.take_one_of({"lo", "hi", "wide"});
  if (half < 0) b.unsupported();  // floating point
  const bool saturate = half == kHi && b.take("sat");
  const Type type = b.take_type();
  if (half == kWide) {
    with_type<Type::u16, Type::s16, Type::u32, Type::s32>(
        b, type, [&]<class T>() { b.inst.run = &mad_wide<T>; });
    bind_operands(b, type, type, twice_as_wide(b, type));
    return;
  }
  if (saturate) {
    with_type<Type::s32>(b, type, [&]<class T>() { b.inst.run = &ternary<MadHiSat, T>; });
  } else {
    with_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
        b, type, [&]<class T>() {
          b.inst.run = half == kLo ? &ternary<MadLo, Unsigned<T>> : &ternary<MadHi, T>;
        });
  }
  bind_operands(b, type, type, type);
}

void bind_mul24(Binder& b) {
  const int half = b.take_one_of({"lo", "hi"});
  if (half < 0) b.unsupported("neither .lo nor .hi");
  const Type type = b.take_type();
  with_type<Type::u32, Type::s32>(b, type, [&]<class T>() {
    b.inst.run = half == kLo ? &binary<Mul24<false>, T> : &binary<Mul24<true>, T>;
  });
  bind_operands(b, type, type);
}

void bind_mad24(Binder& b) {
  const int half = b.take_one_of({"lo", "hi"});
  if (half < 0) b.unsupported("neither .lo nor .hi");
  const bool saturate = half == kHi && b.take("sat");
  const Type type = b.take_type();
  if (saturate) {
    with_type<Type::s32>(b, type, [&]<class T>() { b.inst.run = &ternary<Mad24HiSat, T>; });
  } else {
    with_type<Type::u32, Type::s32>(b, type, [&]<class T>() {
      b.inst.run = half == kLo ? &ternary<Mad24<false>, T> : &ternary<Mad24<true>, T>;
    });
  }
  bind_operands(b, type, type, type);
}

}  // namespace

Family int_mul_family() {
  static constexpr Row kRows[] = {
      {"mul",
       "mul.{lo,hi}.{u16,u32,u64,s16,s32,s64} d, a, b\n"
       "mul.wide.{u16,u32,s16,s32} d, a, b",
       &bind_mul, semantics::kMultiply},
      {"mad",
       "mad.{lo,hi}.{u16,u32,u64,s16,s32,s64} d, a, b, c\n"
       "mad.hi.sat.s32 d, a, b, c\n"
       "mad.wide.{u16,u32,s16,s32} d, a, b, c",
       &bind_mad, semantics::kMultiplyAdd},
      {"mul24", "mul24.{lo,hi}.{u32,s32} d, a, b", &bind_mul24, semantics::kCompute},
      {"mad24",
       "mad24.{lo,hi}.{u32,s32} d, a, b, c\n"
       "mad24.hi.sat.s32 d, a, b, c",
       &bind_mad24, semantics::kCompute},
  };
  return kRows;
}

std::span<const NativeForm> int_mul_native() {
  static constexpr NativeForm kForms[] = {
      {&binary<MulLo, u32>, NativeOp::multiply, NativeType::u32},
      {&binary<MulLo, u64>, NativeOp::multiply, NativeType::u64},
      {&ternary<MadLo, u32>, NativeOp::multiply_add, NativeType::u32},
      {&ternary<MadLo, u64>, NativeOp::multiply_add, NativeType::u64},
      {&mul_wide<u32>, NativeOp::multiply_wide, NativeType::u32},
      {&mul_wide<s32>, NativeOp::multiply_wide, NativeType::s32},
      {&mad_wide<u32>, NativeOp::multiply_add_wide, NativeType::u32},
      {&mad_wide<s32>, NativeOp::multiply_add_wide, NativeType::s32},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
