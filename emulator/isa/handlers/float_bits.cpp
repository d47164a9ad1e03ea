#include "emulator/isa/handlers/families.h"
#include "emulator/isa/handlers/float_ops.h"

// abs, neg, min, max, copysign and testp for every float type: what needs no arithmetic, done on
// bit patterns.

namespace warpsim::WARPSIM_SIMD {
namespace {

template <class F, bool kFtz>
[[gnu::always_inline]] inline typename F::Bits flush_if(typename F::Bits bits) {
  return kFtz ? flush<F>(bits) : bits;
}

template <class F, bool kFtz>
struct Abs {
  static constexpr int kArity = 1;
  static typename F::Bits apply(typename F::Bits a) {
    return is_nan<F>(a) ? returned_nan<F>(a) : flush_if<F, kFtz>(magnitude<F>(a));
  }
};

template <class F, bool kFtz>
struct Neg {
  static constexpr int kArity = 1;
  static typename F::Bits apply(typename F::Bits a) {
    const auto negative = static_cast<typename F::Bits>(a ^ F::kSign);
    return is_nan<F>(a) ? returned_nan<F>(a) : flush_if<F, kFtz>(negative);
  }
};

/// Copies the sign of `a` to `b`.
template <class F>
struct CopySign {
  static constexpr int kArity = 2;
  static typename F::Bits apply(typename F::Bits a, typename F::Bits b) {
    return (a & F::kSign) | magnitude<F>(b);
  }
};

/// What min and max do with signs: `abs` compares and returns magnitudes, `xorsign_abs` also gives
/// the result the product's sign.
enum class Signs : u8 { keep, abs, xorsign_abs };

/// The lesser or greater number, where -0 < +0. A NaN loses against a number unless `kNanWins`.
template <class F, bool kMax, bool kFtz, bool kNanWins, Signs kSigns>
struct MinMax {
  using Bits = typename F::Bits;

  /// Signed integers in the order of the numbers.
  [[gnu::always_inline]] static Signed<Bits> key(Bits bits) {
    const auto value = static_cast<Signed<Bits>>(bits);
    const auto flip = static_cast<Bits>((value >> (kBits<Bits> - 1)) & F::kMagnitude);
    return static_cast<Signed<Bits>>(bits ^ flip);
  }
  [[gnu::always_inline]] static Bits input(Bits bits) {
    const Bits kept = flush_if<F, kFtz>(bits);
    return kSigns == Signs::keep ? kept : magnitude<F>(kept);
  }
  [[gnu::always_inline]] static Bits choose(Bits a, Bits b) {
    const bool first = kMax ? key(a) > key(b) : key(a) < key(b);
    const Bits number = first ? a : b;
    if constexpr (kNanWins) return is_nan<F>(a) || is_nan<F>(b) ? F::kNan : number;
    return canonical<F>(is_nan<F>(a) ? b : is_nan<F>(b) ? a : number);
  }
  [[gnu::always_inline]] static Bits apply(Bits a, Bits b) {
    const Bits result = choose(input(a), input(b));
    if constexpr (kSigns != Signs::xorsign_abs) return result;
    return is_nan<F>(result) ? result : static_cast<Bits>(result | ((a ^ b) & F::kSign));
  }
  [[gnu::always_inline]] static Bits apply(Bits a, Bits b, Bits c) {
    return choose(choose(input(a), input(b)), input(c));
  }
};

/// MinMax with its number of sources.
template <class Op, int kSources>
struct WithArity : Op {
  static constexpr int kArity = kSources;
};

/// Calls f.operator()<F, kPacked>() for the format of `type`.
template <class Callback>
void with_format(Binder& b, Type type, Callback f) {
  switch (type) {
    case Type::f32:
      return f.template operator()<F32, false>();
    case Type::f64:
      return f.template operator()<F64, false>();
    case Type::f16:
      return f.template operator()<F16, false>();
    case Type::bf16:
      return f.template operator()<BF16, false>();
    case Type::f16x2:
      return f.template operator()<F16, true>();
    case Type::bf16x2:
      return f.template operator()<BF16, true>();
    default:
      unsupported_type(b, type);
  }
}

/// `Op` on F's bits: once per lane, or on both halves of a packed register.
template <class Op, class F, bool kPacked>
constexpr Handler bits_handler() {
  if constexpr (kPacked) {
    return each_lane<HalfPair<Op>, u32>;
  } else {
    return each_lane<Op, typename F::Bits>;
  }
}

/// Only f32, f16 and f16x2 have .ftz; on the others it is left for the binder to refuse.
bool take_ftz(Binder& b, Type type) {
  return (type == Type::f32 || type == Type::f16 || type == Type::f16x2) && b.take("ftz");
}

template <template <class, bool> class Op>
void bind_sign(Binder& b) {
  const Type type = b.take_type();
  const bool ftz = take_ftz(b, type);
  with_format(b, type, [&]<class F, bool kPacked>() {
    with_flag(ftz, [&]<bool kFtz>() { b.inst.run = bits_handler<Op<F, kFtz>, F, kPacked>(); });
  });
  bind_operands(b, type);
}

template <bool kMax, class F, Signs kSigns, bool kPacked, int kSources>
void set_min_max(Binder& b, bool ftz, bool nan_wins) {
  with_flag(ftz, [&]<bool kFtz>() {
    with_flag(nan_wins, [&]<bool kNanWins>() {
      using Op = WithArity<MinMax<F, kMax, kFtz, kNanWins, kSigns>, kSources>;
      b.inst.run = bits_handler<Op, F, kPacked>();
    });
  });
}

template <bool kMax>
void bind_min_max_of_three(Binder& b) {
  const Type type = b.take_type();
  if (type != Type::f32) unsupported_type(b, type);
  const bool ftz = b.take("ftz");
  const bool nan_wins = b.take("NaN");
  if (b.take("abs")) {
    set_min_max<kMax, F32, Signs::abs, false, 3>(b, ftz, nan_wins);
  } else {
    set_min_max<kMax, F32, Signs::keep, false, 3>(b, ftz, nan_wins);
  }
  bind_operands(b, type, type, type);
}

template <bool kMax>
void bind_min_max(Binder& b) {
  if (b.operand_count() == 4) return bind_min_max_of_three<kMax>(b);
  const Type type = b.take_type();
  const bool ftz = take_ftz(b, type);
  const bool nan_wins = type != Type::f64 && b.take("NaN");
  const bool xorsign = type != Type::f64 && b.take("xorsign");
  if (xorsign && !b.take("abs")) b.unsupported("'.xorsign' without '.abs'");
  with_format(b, type, [&]<class F, bool kPacked>() {
    if (xorsign) {
      set_min_max<kMax, F, Signs::xorsign_abs, kPacked, 2>(b, ftz, nan_wins);
    } else {
      set_min_max<kMax, F, Signs::keep, kPacked, 2>(b, ftz, nan_wins);
    }
  });
  bind_operands(b, type, type);
}

void bind_copysign(Binder& b) {
  const Type type = b.take_type();
  switch (type) {
    case Type::f32:
      b.inst.run = each_lane<CopySign<F32>, u32>;
      break;
    case Type::f64:
      b.inst.run = each_lane<CopySign<F64>, u64>;
      break;
    default:
      unsupported_type(b, type);
  }
  bind_operands(b, type, type);
}

enum class Property : u8 { finite, infinite, number, notanumber, normal, subnormal };

/// Zeros count as normal.
template <class F, Property kProperty>
[[gnu::always_inline]] inline bool has_property(typename F::Bits bits) {
  const auto size = magnitude<F>(bits);
  switch (kProperty) {
    case Property::finite:
      return size < F::kInfinity;
    case Property::infinite:
      return size == F::kInfinity;
    case Property::number:
      return size <= F::kInfinity;
    case Property::notanumber:
      return size > F::kInfinity;
    case Property::normal:
      return (size >= F::kSmallestNormal && size < F::kInfinity) || size == 0;
    case Property::subnormal:
      return size < F::kSmallestNormal && size != 0;
  }
  return false;
}

template <class F, Property kProperty>
const Inst* test_property(Warp& w, const Inst& in) {
  const auto* a = w.reg<typename F::Bits>(in.a);
  set_pred(w, in.d,
           compare(a, a, [](auto value, auto) { return has_property<F, kProperty>(value); }));
  return &in + 1;
}

template <class F>
Handler property_handler(int property) {
  static constexpr Handler handlers[] = {
      test_property<F, Property::finite>, test_property<F, Property::infinite>,
      test_property<F, Property::number>, test_property<F, Property::notanumber>,
      test_property<F, Property::normal>, test_property<F, Property::subnormal>,
  };
  return handlers[property];
}

void bind_testp(Binder& b) {
  const int property =
      b.take_one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  if (property < 0) b.unsupported("no property to test");
  const Type type = b.take_type();
  switch (type) {
    case Type::f32:
      b.inst.run = property_handler<F32>(property);
      break;
    case Type::f64:
      b.inst.run = property_handler<F64>(property);
      break;
    default:
      unsupported_type(b, type);
  }
  require_operands(b, 2);
  b.inst.d = b.dst_pred(0);
  b.inst.a = b.src(1, type);
}

}  // namespace

Family float_bits_family() {
  static constexpr Row rows[] = {
      {.name = "abs",
       .forms = "abs{.ftz}.{f32,f16,f16x2} d, a\n"
                "abs.{f64,bf16,bf16x2} d, a",
       .bind = bind_sign<Abs>,
       .does = semantics::kCompute},
      {.name = "neg",
       .forms = "neg{.ftz}.{f32,f16,f16x2} d, a\n"
                "neg.{f64,bf16,bf16x2} d, a",
       .bind = bind_sign<Neg>,
       .does = semantics::kCompute},
      {.name = "min",
       .forms = "min{.ftz}{.NaN}{.xorsign.abs}.{f32,f16,f16x2} d, a, b\n"
                "min{.NaN}{.xorsign.abs}.{bf16,bf16x2} d, a, b\n"
                "min.f64 d, a, b\n"
                "min{.ftz}{.NaN}{.abs}.f32 d, a, b, c",
       .bind = bind_min_max<false>,
       .does = semantics::kOtherArithmetic},
      {.name = "max",
       .forms = "max{.ftz}{.NaN}{.xorsign.abs}.{f32,f16,f16x2} d, a, b\n"
                "max{.NaN}{.xorsign.abs}.{bf16,bf16x2} d, a, b\n"
                "max.f64 d, a, b\n"
                "max{.ftz}{.NaN}{.abs}.f32 d, a, b, c",
       .bind = bind_min_max<true>,
       .does = semantics::kOtherArithmetic},
      {.name = "copysign",
       .forms = "copysign.{f32,f64} d, a, b",
       .bind = bind_copysign,
       .does = semantics::kCompute},
      {.name = "testp",
       .forms = "testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64} p, a",
       .bind = bind_testp,
       .does = semantics::kCompute},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD
