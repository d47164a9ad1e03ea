#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// add, sub, neg, abs, min, max and sad on integers. Everything wraps unless it saturates, so the
// arithmetic is done on unsigned types.

namespace warpsim::WARPSIM_SIMD {
namespace {

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  }
};

struct Sub {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  }
};

/// Most negative for a negative first operand, else most positive: where a signed add or sub that
/// overflowed saturates to.
inline s32 saturation_of(s32 a) {
  return static_cast<s32>((static_cast<u32>(a) >> 31) + 0x7fffffffu);
}

struct AddSat {
  static s32 apply(s32 a, s32 b) {
    const s32 sum = Add::apply(a, b);
    return ((a ^ sum) & (b ^ sum)) < 0 ? saturation_of(a) : sum;
  }
};

struct SubSat {
  static s32 apply(s32 a, s32 b) {
    const s32 difference = Sub::apply(a, b);
    return ((a ^ b) & (a ^ difference)) < 0 ? saturation_of(a) : difference;
  }
};

struct Neg {
  template <class T>
  static T apply(T a) {
    return Sub::apply(T{0}, a);
  }
};

struct Abs {
  template <class T>
  static T apply(T a) {
    return a < 0 ? Neg::apply(a) : a;
  }
};

struct Min {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};

struct Max {
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};

/// A signed result that is cut off below at zero.
template <class Op>
struct Relu {
  template <class T>
  static T apply(T a, T b) {
    return Max::apply(Op::apply(a, b), T{0});
  }
};

/// d = c + |a - b|
struct Sad {
  template <class T>
  static T apply(T a, T b, T c) {
    return Add::apply(c, a < b ? Sub::apply(b, a) : Sub::apply(a, b));
  }
};

/// Op on each 16-bit half of 32-bit registers.
template <class Op, class Half>
struct Halves {
  static u32 apply(u32 a, u32 b) {
    const auto low = Op::apply(static_cast<Half>(a), static_cast<Half>(b));
    const auto high = Op::apply(static_cast<Half>(a >> 16), static_cast<Half>(b >> 16));
    return static_cast<u16>(low) | static_cast<u32>(static_cast<u16>(high)) << 16;
  }
};

template <class Op, class Saturating>
void bind_add_sub(Binder& b) {
  const bool saturate = b.take("sat");
  const Type type = b.take_type();
  if (saturate && type != Type::s32) unsupported_type(b, type);
  if (type == Type::u16x2 || type == Type::s16x2) {
    b.inst.run = &binary<Halves<Op, u16>, u32>;
  } else if (saturate) {
    b.inst.run = &binary<Saturating, s32>;
  } else {
    with_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
        b, type, [&]<class T>() { b.inst.run = &binary<Op, Unsigned<T>>; });
  }
  bind_operands(b, type, type);
}

template <class Op>
void bind_signed_unary(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::s16, Type::s32, Type::s64>(b, type,
                                             [&]<class T>() { b.inst.run = &unary<Op, T>; });
  bind_operands(b, type);
}

template <class Op>
void bind_min_max(Binder& b) {
  const bool relu = b.take("relu");
  const Type type = b.take_type();
  if (type == Type::s16x2) {
    b.inst.run = relu ? &binary<Halves<Relu<Op>, s16>, u32> : &binary<Halves<Op, s16>, u32>;
  } else if (relu) {
    with_type<Type::s32>(b, type, [&]<class T>() { b.inst.run = &binary<Relu<Op>, T>; });
  } else if (type == Type::u16x2) {
    b.inst.run = &binary<Halves<Op, u16>, u32>;
  } else {
    with_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
        b, type, [&]<class T>() { b.inst.run = &binary<Op, T>; });
  }
  bind_operands(b, type, type);
}

void bind_sad(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
      b, type, [&]<class T>() { b.inst.run = &ternary<Sad, T>; });
  bind_operands(b, type, type, type);
}

}  // namespace

Family int_arith_family() {
  static constexpr Row kRows[] = {
      {"add",
       "add.{u16,u32,u64,s16,s32,s64,u16x2,s16x2} d, a, b\n"
       "add.sat.s32 d, a, b",
       &bind_add_sub<Add, AddSat>, semantics::kAdd},
      {"sub",
       "sub.{u16,u32,u64,s16,s32,s64} d, a, b\n"
       "sub.sat.s32 d, a, b",
       &bind_add_sub<Sub, SubSat>, semantics::kSubtract},
      {"neg", "neg.{s16,s32,s64} d, a", &bind_signed_unary<Neg>, semantics::kCompute},
      {"abs", "abs.{s16,s32,s64} d, a", &bind_signed_unary<Abs>, semantics::kCompute},
      {"min",
       "min.{u16,u32,u64,s16,s32,s64,u16x2,s16x2} d, a, b\n"
       "min.relu.{s32,s16x2} d, a, b",
       &bind_min_max<Min>, semantics::kOtherArithmetic},
      {"max",
       "max.{u16,u32,u64,s16,s32,s64,u16x2,s16x2} d, a, b\n"
       "max.relu.{s32,s16x2} d, a, b",
       &bind_min_max<Max>, semantics::kOtherArithmetic},
      {"sad", "sad.{u16,u32,u64,s16,s32,s64} d, a, b, c", &bind_sad, semantics::kCompute},
  };
  return kRows;
}

std::span<const NativeForm> int_arith_native() {
  static constexpr NativeForm kForms[] = {
      {&binary<Add, u32>, NativeOp::add, NativeType::u32},
      {&binary<Add, u64>, NativeOp::add, NativeType::u64},
      {&binary<Sub, u32>, NativeOp::subtract, NativeType::u32},
      {&binary<Sub, u64>, NativeOp::subtract, NativeType::u64},
      {&binary<Min, u32>, NativeOp::minimum, NativeType::u32},
      {&binary<Min, s32>, NativeOp::minimum, NativeType::s32},
      {&binary<Min, u64>, NativeOp::minimum, NativeType::u64},
      {&binary<Min, s64>, NativeOp::minimum, NativeType::s64},
      {&binary<Max, u32>, NativeOp::maximum, NativeType::u32},
      {&binary<Max, s32>, NativeOp::maximum, NativeType::s32},
      {&binary<Max, u64>, NativeOp::maximum, NativeType::u64},
      {&binary<Max, s64>, NativeOp::maximum, NativeType::s64},
  };
  return kForms;
}

}  // namespace warpsim::WARPSIM_SIMD
