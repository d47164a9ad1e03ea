#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// Extended precision: add.cc, addc, sub.cc, subc, mad.cc, madc. The condition code register has one
// bit per lane; Binder::carry_slot is its mask. Rows here take only forms with the carry, so that
// the plain ones stay with int_arith and int_mul.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// A result and its carry (or borrow) out.
template <class T>
struct Sum {
  T value;
  bool carry;
};

struct AddCarry {
  template <class T>
  static constexpr T kNoInput = 0;

  template <class T>
  static Sum<T> apply(T a, T b, T carry) {
    const T first = static_cast<T>(a + b);
    const T second = static_cast<T>(first + carry);
    return {second, first < a || second < first};
  }
};

/// A card subtracts by adding the complement, and the flag is the carry of that addition: set when
/// nothing was borrowed. Chains of sub.cc and subc could not tell, but code that reads the flag
/// with addc after sub.cc can (the compiler's 128-bit division does).
struct SubBorrow {
  template <class T>
  static constexpr T kNoInput = 1;

  template <class T>
  static Sum<T> apply(T a, T b, T carry) {
    return AddCarry::apply(a, static_cast<T>(~b), carry);
  }
};

/// The half of a * b that mad.lo or mad.hi adds.
template <class T, bool kHigh>
T product_half(T a, T b) {
  const Wide<T> product = static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
  // The signed high half is needed too, the carry out is that of the unsigned addition.
  return static_cast<T>(kHigh ? product >> kBits<T> : product);
}

enum CarryUse { kCarryOut = 1, kCarryIn = 2 };

/// Runs f(lane, carry in) in every lane (`no_input` where the form reads no flag) and keeps value
/// and carry out of the active ones.
template <class T, int kUse, class F>
[[gnu::always_inline]] inline const Inst* with_carry(Warp& w, const Inst& in, T no_input, F f) {
  T* d = w.reg<T>(in.d);
  const u32 carry_in = w.pred(static_cast<s32>(in.imm));
  u32 carry_out = 0;
  for_each_lane(w.active, [&](int i) {
    const T carry = kUse & kCarryIn ? static_cast<T>((carry_in >> i) & 1) : no_input;
    const Sum<T> sum = f(i, carry);
    d[i] = sum.value;
    carry_out |= static_cast<u32>(sum.carry) << i;
  });
  if (kUse & kCarryOut) set_pred(w, static_cast<s32>(in.imm), carry_out);
  return &in + 1;
}

template <class Op, class T, int kUse>
const Inst* add_sub(Warp& w, const Inst& in) {
  const T* a = w.reg<T>(in.a);
  const T* b = w.reg<T>(in.b);
  return with_carry<T, kUse>(w, in, Op::template kNoInput<T>,
                             [=](int i, T carry) { return Op::apply(a[i], b[i], carry); });
}

template <class T, int kUse, bool kHigh>
const Inst* mad(Warp& w, const Inst& in) {
  const T* a = w.reg<T>(in.a);
  const T* b = w.reg<T>(in.b);
  const Unsigned<T>* c = w.reg<Unsigned<T>>(in.c);
  return with_carry<Unsigned<T>, kUse>(w, in, Unsigned<T>{0}, [=](int i, Unsigned<T> carry) {
    const auto product = static_cast<Unsigned<T>>(product_half<T, kHigh>(a[i], b[i]));
    return AddCarry::apply(product, c[i], carry);
  });
}

void bind_carry_slot(Binder& b) {
  b.inst.imm = static_cast<u64>(b.carry_slot());
}

template <class Op, bool kCarryInput>
void bind_add_sub_carry(Binder& b) {
  const bool carry_out = b.take("cc");
  if (!kCarryInput && !carry_out) b.unsupported();  // plain add and sub: int_arith
  const Type type = b.take_type();
  with_type<Type::u32, Type::s32, Type::u64, Type::s64>(b, type, [&]<class T>() {
    using U = Unsigned<T>;
    constexpr int kIn = kCarryInput ? kCarryIn : 0;
    b.inst.run = carry_out ? &add_sub<Op, U, kIn | kCarryOut> : &add_sub<Op, U, kIn>;
  });
  bind_operands(b, type, type);
  bind_carry_slot(b);
}

template <bool kCarryInput>
void bind_mad_carry(Binder& b) {
  const bool carry_out = b.take("cc");
  if (!kCarryInput && !carry_out) b.unsupported();  // plain mad: int_mul
  const int half = b.take_one_of({"lo", "hi"});
  if (half < 0) b.unsupported("neither .lo nor .hi");
  const Type type = b.take_type();
  with_type<Type::u32, Type::s32, Type::u64, Type::s64>(b, type, [&]<class T>() {
    constexpr int kIn = kCarryInput ? kCarryIn : 0;
    constexpr int kBoth = kIn | kCarryOut;
    if (half == 0) {
      b.inst.run = carry_out ? &mad<Unsigned<T>, kBoth, false> : &mad<Unsigned<T>, kIn, false>;
    } else {
      b.inst.run = carry_out ? &mad<T, kBoth, true> : &mad<T, kIn, true>;
    }
  });
  bind_operands(b, type, type, type);
  bind_carry_slot(b);
}

}  // namespace

Family int_carry_family() {
  static constexpr Row kRows[] = {
      {"add", "add.cc.{u32,s32,u64,s64} d, a, b", &bind_add_sub_carry<AddCarry, false>,
       semantics::kAdd},
      {"addc", "addc{.cc}.{u32,s32,u64,s64} d, a, b", &bind_add_sub_carry<AddCarry, true>,
       semantics::kImpure},
      {"sub", "sub.cc.{u32,s32,u64,s64} d, a, b", &bind_add_sub_carry<SubBorrow, false>,
       semantics::kSubtract},
      {"subc", "subc{.cc}.{u32,s32,u64,s64} d, a, b", &bind_add_sub_carry<SubBorrow, true>,
       semantics::kImpure},
      {"mad", "mad.{lo,hi}.cc.{u32,s32,u64,s64} d, a, b, c", &bind_mad_carry<false>,
       semantics::kMultiplyAdd},
      {"madc", "madc.{lo,hi}{.cc}.{u32,s32,u64,s64} d, a, b, c", &bind_mad_carry<true>,
       semantics::kImpure},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
