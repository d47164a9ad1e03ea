#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/float_ops.h"

// add, sub, mul and fma on f16, bf16 and their pairs, each rounded once to nearest even. They are
// computed in a wider format in which the result is exact, rounded to odd, or (sums, whose error
// the format's many more bits make harmless) correctly rounded.

namespace warpsim::WARPSIM_SIMD {
namespace {

struct Add {
  static constexpr int kArity = 2;
  /// A format that has room for the result; f32 has more than twice the bits of either format and
  /// two sums' subnormals are exact, so rounding twice cannot be noticed.
  template <class F>
  using Wide = F32;
  template <class W>
  static W apply(W a, W b) {
    return a + b;
  }
};

struct Sub {
  static constexpr int kArity = 2;
  template <class F>
  using Wide = F32;
  template <class W>
  static W apply(W a, W b) {
    return a - b;
  }
};

template <class F>
struct ProductOf {
  using type = F32;  // f16: the exponents of all products are in range
};
template <>
struct ProductOf<BF16> {
  using type = F64;
};

struct Mul {
  static constexpr int kArity = 2;
  template <class F>
  using Wide = typename ProductOf<F>::type;
  template <class W>
  static W apply(W a, W b) {
    return a * b;  // exact
  }
};

struct Fma {
  static constexpr int kArity = 3;
  template <class F>
  using Wide = typename ProductOf<F>::type;
  template <class W>
  static W apply(W a, W b, W c) {
    return add_to_odd<typename FormatOf<W>::type>(a * b, c);
  }
};

/// What becomes of a result before it is rounded.
enum class Clamp : u8 { none, saturate, relu };

/// `Op` on u16 patterns of the format F.
template <class Op, class F, bool kFtz, Clamp kClamp>
struct Half {
  static constexpr int kArity = Op::kArity;
  using Wide = typename Op::template Wide<F>;

  [[gnu::always_inline]] static typename Wide::Value input(u16 bits) {
    return widen<F>(kFtz ? flush<F>(bits) : bits);
  }
  template <class... Args>
  [[gnu::always_inline]] static u16 apply(Args... args) {
    const auto exact = Op::apply(input(args)...);
    const auto kept = kClamp == Clamp::saturate ? saturate(exact)
                      : kClamp == Clamp::relu   ? relu(exact)
                                                : exact;
    const typename Wide::Bits bits = bits_of<Wide>(kept);
    const bool tiny = kFtz && is_tiny<F>(Rounding::nearest_even, kept);
    return narrow<F, Wide, Rounding::nearest_even>(tiny ? bits & Wide::kSign : bits);
  }
};

template <class Op, class F, bool kFtz, Clamp kClamp>
Handler half_handler(bool packed) {
  using Halves = Half<Op, F, kFtz, kClamp>;
  return packed ? each_lane<HalfPair<Halves>, u32> : each_lane<Halves, u16>;
}

template <class Op, class F, bool kFtz>
Handler half_handler(bool packed, Clamp clamp) {
  switch (clamp) {
    case Clamp::saturate:
      return half_handler<Op, F, kFtz, Clamp::saturate>(packed);
    case Clamp::relu:
      return half_handler<Op, F, kFtz, Clamp::relu>(packed);
    case Clamp::none:
      break;
  }
  return half_handler<Op, F, kFtz, Clamp::none>(packed);
}

template <class Op>
void bind_half(Binder& b) {
  const bool rn = b.take("rn");
  if (Op::kArity == 3 && !rn) b.unsupported("no rounding mode");
  const Type type = b.take_type();
  const bool packed = type == Type::f16x2 || type == Type::bf16x2;
  const bool relu = Op::kArity == 3 && b.take("relu");
  if (type == Type::f16 || type == Type::f16x2) {
    const bool ftz = b.take("ftz");
    const bool sat = !relu && b.take("sat");
    const Clamp clamp = sat ? Clamp::saturate : relu ? Clamp::relu : Clamp::none;
    b.inst.run = ftz ? half_handler<Op, F16, true>(packed, clamp)
                     : half_handler<Op, F16, false>(packed, clamp);
  } else if (type == Type::bf16 || type == Type::bf16x2) {
    b.inst.run = relu ? half_handler<Op, BF16, false, Clamp::relu>(packed)
                      : half_handler<Op, BF16, false, Clamp::none>(packed);
  } else {
    unsupported_type(b, type);
  }
  bind_float_operands<Op::kArity>(b, type);
}

}  // namespace

Family half_arith_family() {
  static constexpr Row rows[] = {
      {.name = "add",
       .forms = "add{.rn}{.ftz}{.sat}.{f16,f16x2} d, a, b\n"
                "add{.rn}.{bf16,bf16x2} d, a, b",
       .bind = bind_half<Add>,
       .does = semantics::kAdd},
      {.name = "sub",
       .forms = "sub{.rn}{.ftz}{.sat}.{f16,f16x2} d, a, b\n"
                "sub{.rn}.{bf16,bf16x2} d, a, b",
       .bind = bind_half<Sub>,
       .does = semantics::kSubtract},
      {.name = "mul",
       .forms = "mul{.rn}{.ftz}{.sat}.{f16,f16x2} d, a, b\n"
                "mul{.rn}.{bf16,bf16x2} d, a, b",
       .bind = bind_half<Mul>,
       .does = semantics::kMultiply},
      {.name = "fma",
       .forms = "fma.rn{.ftz}{.sat,.relu}.{f16,f16x2} d, a, b, c\n"
                "fma.rn{.relu}.{bf16,bf16x2} d, a, b, c",
       .bind = bind_half<Fma>,
       .does = semantics::kMultiplyAdd},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
