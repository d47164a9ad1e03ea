#include <type_traits>

#include "emulator/isa/handlers/approx_math.h"
#include "emulator/isa/handlers/families.h"

// The approximate instructions. PTX gives each an error bound and a table of special values; the
// results here are those of the exact function, correctly rounded but for a few last bits, except
// where the way the hardware works is what a program sees: sin and cos of large angles, div.approx
// by large divisors, and the f64 forms that only use the upper half of their operand.

namespace warpsim::WARPSIM_SIMD {
namespace {

struct Rcp {
  static constexpr int kArity = 1;
  static float apply(float a) { return 1.0f / a; }
};

struct Sqrt {
  static constexpr int kArity = 1;
  static float apply(float a) { return __builtin_sqrtf(a); }
};

struct Rsqrt {
  static constexpr int kArity = 1;
  static float apply(float a) {
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a)));
  }
  static double apply(double a) { return 1.0 / __builtin_sqrt(a); }
};

/// Right within two units in the last place everywhere.
struct DivFull {
  static constexpr int kArity = 2;
  static float apply(float a, float b) { return a / b; }
};

/// a times the reciprocal of b, which is zero when it is subnormal: |b| > 2^126.
struct DivApprox {
  static constexpr int kArity = 2;
  static float apply(float a, float b) {
    const double dividend = static_cast<double>(a);
    const double divisor = static_cast<double>(b);
    const double reciprocal = 1.0 / divisor;
    const double zero = divisor < 0 ? -0.0 : 0.0;
    const bool vanishes = divisor > 0x1p126 || divisor < -0x1p126;
    return static_cast<float>(dividend * (vanishes ? zero : reciprocal));
  }
};

/// An angle in turns, rounded as the hardware rounds its product with 1 / (2 pi): this is why sin
/// and cos lose accuracy as angles grow.
[[gnu::always_inline]] inline double turns_of(float angle) {
  constexpr double kTurnsPerRadian = 0x1.45f306p-3;  // 1 / (2 pi) as f32
  const double exact = static_cast<double>(angle) * kTurnsPerRadian;
  const u32 turns = narrow<F32, F64, Rounding::zero>(bits_of<F64>(exact));
  return static_cast<double>(value_of<F32>(turns));
}

struct Sin {
  static constexpr int kArity = 1;
  static float apply(float a) { return static_cast<float>(sin_of_turns(turns_of(a), 0)); }
};

struct Cos {
  static constexpr int kArity = 1;
  static float apply(float a) { return static_cast<float>(sin_of_turns(turns_of(a), 1)); }
};

struct Ex2 {
  static constexpr int kArity = 1;
  template <class F>
  static constexpr Rounding kHalfRounding = Rounding::nearest_even;
  static double exact(float a) { return exp2_of(static_cast<double>(a)); }
  static float apply(float a) { return static_cast<float>(exact(a)); }
};

struct Lg2 {
  static constexpr int kArity = 1;
  static float apply(float a) {
    const bool positive = a > 0.0f && a < __builtin_inff();
    const double result = log2_of(positive ? static_cast<double>(a) : 1.0);
    const float limit = a == 0.0f ? -__builtin_inff() : a;  // log2 of +inf is +inf
    const float special = a < 0.0f ? __builtin_nanf("") : limit;
    return positive ? static_cast<float>(result) : special;
  }
};

struct Tanh {
  static constexpr int kArity = 1;
  /// H200s cut an f32 off to get the bf16, which is beyond the bound that PTX states.
  template <class F>
  static constexpr Rounding kHalfRounding =
      std::is_same_v<F, BF16> ? Rounding::zero : Rounding::nearest_even;
  static double exact(float a) { return tanh_of(static_cast<double>(a)); }
  static float apply(float a) { return static_cast<float>(exact(a)); }
};

/// A function of a float, on the 16-bit format F.
template <class Op, class F, bool kFtz>
struct Half {
  static constexpr int kArity = 1;
  static u16 apply(u16 a) {
    const double exact = Op::exact(widen<F>(kFtz ? flush<F>(a) : a));
    constexpr Rounding kRounding = Op::template kHalfRounding<F>;
    u16 rounded;
    if constexpr (kRounding == Rounding::zero) {
      rounded = narrow<F, F32, kRounding>(bits_of<F32>(static_cast<float>(exact)));
    } else {
      rounded = narrow<F, F64, kRounding>(bits_of<F64>(exact));
    }
    return kFtz ? flush<F>(rounded) : rounded;
  }
};

/// rcp and rsqrt of the upper 32 bits of an f64, as if the lower were zero; so are the result's.
template <class Op>
struct UpperHalf {
  static constexpr int kArity = 1;
  static constexpr u64 kUpper = 0xffffffff00000000;
  static constexpr u64 kNan = 0x7fffffff00000000;
  static u64 apply(u64 a) {
    const u64 operand = flush<F64>(a & kUpper);
    const u64 result = bits_of<F64>(Op::apply(value_of<F64>(operand)));
    const u64 rounded = flush<F64>((result + 0x80000000) & kUpper);
    return is_nan<F64>(result) ? kNan : rounded;
  }
};

struct RcpUpper {
  static double apply(double a) { return 1.0 / a; }
};

template <class Op>
void set_f32(Binder& b, bool ftz) {
  with_flag(ftz, [&]<bool kFtz>() { b.inst.run = each_f32<Framed<Op, kFtz, false>>; });
}

/// The rest of an f32 instruction whose `.approx` has been taken.
template <class Op>
void bind_f32(Binder& b) {
  const Type type = b.take_type();
  if (type != Type::f32) unsupported_type(b, type);
  set_f32<Op>(b, b.take("ftz"));
  bind_float_operands<Op::kArity>(b, type);
}

void require_approx(Binder& b) {
  if (!b.take("approx")) b.unsupported("no '.approx'");
}

template <class Op>
void bind_unary(Binder& b) {
  require_approx(b);
  bind_f32<Op>(b);
}

void bind_div(Binder& b) {
  if (b.take("full")) return bind_f32<DivFull>(b);
  require_approx(b);
  bind_f32<DivApprox>(b);
}

/// rcp.approx.ftz.f64 or as rcp.approx.f32.
void bind_rcp(Binder& b) {
  if (b.peek_type() != Type::f64) return bind_unary<Rcp>(b);
  const Type type = b.take_type();
  if (!b.take("approx") || !b.take("ftz")) b.unsupported("no '.approx.ftz'");
  b.inst.run = each_lane<UpperHalf<RcpUpper>, u64>;
  bind_operands(b, type);
}

void bind_rsqrt(Binder& b) {
  if (b.peek_type() != Type::f64) return bind_unary<Rsqrt>(b);
  const Type type = b.take_type();
  require_approx(b);
  b.inst.run =
      b.take("ftz") ? each_lane<UpperHalf<Rsqrt>, u64> : each_f64<Framed<Rsqrt, false, false>>;
  bind_operands(b, type);
}

template <class Op, class F, bool kFtz>
void set_half(Binder& b, bool packed) {
  b.inst.run =
      packed ? each_lane<HalfPair<Half<Op, F, kFtz>>, u32> : each_lane<Half<Op, F, kFtz>, u16>;
}

/// ex2 and tanh: f32 and the 16-bit types. Of those only ex2 on bf16 has, and must have, .ftz.
template <class Op, bool kFtzAllowed>
void bind_with_halves(Binder& b) {
  require_approx(b);
  const Type type = b.take_type();
  const bool packed = type == Type::f16x2 || type == Type::bf16x2;
  switch (type) {
    case Type::f32:
      set_f32<Op>(b, kFtzAllowed && b.take("ftz"));
      break;
    case Type::f16:
    case Type::f16x2:
      set_half<Op, F16, false>(b, packed);
      break;
    case Type::bf16:
    case Type::bf16x2:
      if (kFtzAllowed && !b.take("ftz")) b.unsupported("no '.ftz'");
      set_half<Op, BF16, kFtzAllowed>(b, packed);
      break;
    default:
      unsupported_type(b, type);
  }
  bind_operands(b, type);
}

}  // namespace

Family approx_family() {
  static constexpr Row rows[] = {
      {.name = "div",
       .forms = "div.{approx,full}{.ftz}.f32 d, a, b",
       .bind = bind_div,
       .does = semantics::kSpecial},
      {.name = "rcp",
       .forms = "rcp.approx{.ftz}.f32 d, a\n"
                "rcp.approx.ftz.f64 d, a",
       .bind = bind_rcp,
       .does = semantics::kSpecial},
      {.name = "sqrt",
       .forms = "sqrt.approx{.ftz}.f32 d, a",
       .bind = bind_unary<Sqrt>,
       .does = semantics::kSpecial},
      {.name = "rsqrt",
       .forms = "rsqrt.approx{.ftz}.{f32,f64} d, a",
       .bind = bind_rsqrt,
       .does = semantics::kSpecial},
      {.name = "sin",
       .forms = "sin.approx{.ftz}.f32 d, a",
       .bind = bind_unary<Sin>,
       .does = semantics::kSpecial},
      {.name = "cos",
       .forms = "cos.approx{.ftz}.f32 d, a",
       .bind = bind_unary<Cos>,
       .does = semantics::kSpecial},
      {.name = "lg2",
       .forms = "lg2.approx{.ftz}.f32 d, a",
       .bind = bind_unary<Lg2>,
       .does = semantics::kSpecial},
      {.name = "ex2",
       .forms = "ex2.approx{.ftz}.f32 d, a\n"
                "ex2.approx.{f16,f16x2} d, a\n"
                "ex2.approx.ftz.{bf16,bf16x2} d, a",
       .bind = bind_with_halves<Ex2, true>,
       .does = semantics::kSpecial},
      {.name = "tanh",
       .forms = "tanh.approx.{f32,f16,f16x2,bf16,bf16x2} d, a",
       .bind = bind_with_halves<Tanh, false>,
       .does = semantics::kSpecial},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
