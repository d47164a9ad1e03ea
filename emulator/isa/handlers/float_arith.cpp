#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/float_ops.h"

// add, sub, mul, fma, mad, div, rcp and sqrt on f32, f64 and f32x2, as IEEE 754 says, in the four
// rounding modes. The approximate forms of the last three are in approx.cpp.

namespace warpsim::WARPSIM_SIMD {
namespace {

struct Add {
  static constexpr int kArity = 2;
  /// Whether no result below the smallest normal number has to be rounded.
  static constexpr bool kTinyIsExact = true;
  template <class T>
  static T apply(T a, T b) {
    return a + b;
  }
};

struct Sub {
  static constexpr int kArity = 2;
  static constexpr bool kTinyIsExact = true;
  template <class T>
  static T apply(T a, T b) {
    return a - b;
  }
};

struct Mul {
  static constexpr int kArity = 2;
  static constexpr bool kTinyIsExact = false;
  template <class T>
  static T apply(T a, T b) {
    return a * b;
  }
};

struct Fma {
  static constexpr int kArity = 3;
  static constexpr bool kTinyIsExact = false;
  static float apply(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
};

struct Div {
  static constexpr int kArity = 2;
  static constexpr bool kTinyIsExact = false;
  template <class T>
  static T apply(T a, T b) {
    return a / b;
  }
  /// The dividend's NaN comes first.
  static double nan(double a, double b) { return nan_of(b, a); }
};

struct Rcp {
  static constexpr int kArity = 1;
  static constexpr bool kTinyIsExact = false;
  template <class T>
  static T apply(T a) {
    return T{1} / a;
  }
};

struct Sqrt {
  static constexpr int kArity = 1;
  static constexpr bool kTinyIsExact = true;
  static float apply(float a) { return __builtin_sqrtf(a); }
  static double apply(double a) { return __builtin_sqrt(a); }
};

template <class Op>
void bind_f32(Binder& b, Rounding rounding, bool may_saturate) {
  const bool ftz = b.take("ftz");
  const bool sat = may_saturate && b.take("sat");
  with_flag(ftz, [&]<bool kFtz>() {
    with_flag(sat, [&]<bool kSat>() {
      using Whole = Framed<Op, kFtz, kSat>;
      if constexpr (kFtz && !Op::kTinyIsExact) {
        set_rounded<each_flushed<Whole, 1>>(b, rounding);
      } else {
        set_rounded<each_f32<Whole>>(b, rounding);
      }
    });
  });
}

template <class Op>
void bind_f32x2(Binder& b, Rounding rounding) {
  with_flag(b.take("ftz"), [&]<bool kFtz>() {
    using Whole = Framed<Op, kFtz, false>;
    if constexpr (kFtz && !Op::kTinyIsExact) {
      set_rounded<each_flushed<Whole, 2>>(b, rounding);
    } else {
      set_rounded<each_lane<FloatPair<Whole>, u64>>(b, rounding);
    }
  });
}

template <class Op>
void bind_f64(Binder& b, Rounding rounding) {
  set_rounded<each_f64<Framed<Op, false, false>>>(b, rounding);
}

/// add, sub, mul, fma: f32 with .sat, f32x2, f64.
template <class Op>
void bind_full(Binder& b, Rounding rounding) {
  const Type type = b.take_type();
  switch (type) {
    case Type::f32:
      bind_f32<Op>(b, rounding, true);
      break;
    case Type::f32x2:
      bind_f32x2<Op>(b, rounding);
      break;
    case Type::f64:
      bind_f64<Op>(b, rounding);
      break;
    default:
      unsupported_type(b, type);
  }
  bind_float_operands<Op::kArity>(b, type);
}

template <class Op>
void bind_arith(Binder& b) {
  bind_full<Op>(b, take_rounding(b).rounding);
}

void bind_fma(Binder& b) {
  bind_full<Fma>(b, require_rounding(b));
}

/// As fma, but there is no f32x2.
void bind_mad(Binder& b) {
  const Rounding rounding = require_rounding(b);
  if (b.peek_type() == Type::f32x2) unsupported_type(b, Type::f32x2);
  bind_full<Fma>(b, rounding);
}

/// div, rcp, sqrt: f32 and f64.
template <class Op>
void bind_divide(Binder& b) {
  const Rounding rounding = require_rounding(b);
  const Type type = b.take_type();
  switch (type) {
    case Type::f32:
      bind_f32<Op>(b, rounding, false);
      break;
    case Type::f64:
      bind_f64<Op>(b, rounding);
      break;
    default:
      unsupported_type(b, type);
  }
  bind_float_operands<Op::kArity>(b, type);
}

}  // namespace

Family float_arith_family() {
  static constexpr Row rows[] = {
      {.name = "add",
       .forms = "add{.rn,.rz,.rm,.rp}{.ftz}{.sat}.f32 d, a, b\n"
                "add{.rn,.rz,.rm,.rp}{.ftz}.f32x2 d, a, b\n"
                "add{.rn,.rz,.rm,.rp}.f64 d, a, b",
       .bind = bind_arith<Add>,
       .does = semantics::kAdd},
      {.name = "sub",
       .forms = "sub{.rn,.rz,.rm,.rp}{.ftz}{.sat}.f32 d, a, b\n"
                "sub{.rn,.rz,.rm,.rp}{.ftz}.f32x2 d, a, b\n"
                "sub{.rn,.rz,.rm,.rp}.f64 d, a, b",
       .bind = bind_arith<Sub>,
       .does = semantics::kSubtract},
      {.name = "mul",
       .forms = "mul{.rn,.rz,.rm,.rp}{.ftz}{.sat}.f32 d, a, b\n"
                "mul{.rn,.rz,.rm,.rp}{.ftz}.f32x2 d, a, b\n"
                "mul{.rn,.rz,.rm,.rp}.f64 d, a, b",
       .bind = bind_arith<Mul>,
       .does = semantics::kMultiply},
      {.name = "fma",
       .forms = "fma.{rn,rz,rm,rp}{.ftz}{.sat}.f32 d, a, b, c\n"
                "fma.{rn,rz,rm,rp}{.ftz}.f32x2 d, a, b, c\n"
                "fma.{rn,rz,rm,rp}.f64 d, a, b, c",
       .bind = bind_fma,
       .does = semantics::kMultiplyAdd},
      {.name = "mad",
       .forms = "mad.{rn,rz,rm,rp}{.ftz}{.sat}.f32 d, a, b, c\n"
                "mad.{rn,rz,rm,rp}.f64 d, a, b, c",
       .bind = bind_mad,
       .does = semantics::kMultiplyAdd},
      {.name = "div",
       .forms = "div.{rn,rz,rm,rp}{.ftz}.f32 d, a, b\n"
                "div.{rn,rz,rm,rp}.f64 d, a, b",
       .bind = bind_divide<Div>,
       .does = semantics::kSpecial},
      {.name = "rcp",
       .forms = "rcp.{rn,rz,rm,rp}{.ftz}.f32 d, a\n"
                "rcp.{rn,rz,rm,rp}.f64 d, a",
       .bind = bind_divide<Rcp>,
       .does = semantics::kSpecial},
      {.name = "sqrt",
       .forms = "sqrt.{rn,rz,rm,rp}{.ftz}.f32 d, a\n"
                "sqrt.{rn,rz,rm,rp}.f64 d, a",
       .bind = bind_divide<Sqrt>,
       .does = semantics::kSpecial},
  };
  return rows;
}

std::span<const NativeForm> float_arith_native() {
  static constexpr NativeForm kForms[] = {
      {&each_f32<Framed<Add, false, false>>, NativeOp::add, NativeType::f32},
      {&each_f32<Framed<Sub, false, false>>, NativeOp::subtract, NativeType::f32},
      {&each_f32<Framed<Mul, false, false>>, NativeOp::multiply, NativeType::f32},
      {&each_f32<Framed<Fma, false, false>>, NativeOp::fused_multiply_add, NativeType::f32},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
