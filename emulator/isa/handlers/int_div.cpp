#include "emulator/isa/handlers/bind.h"
#include "emulator/isa/handlers/families.h"

// div and rem on integers. The host's division traps where the device's does not: a division by
// zero gives all ones, and the most negative number divided by -1 wraps.

namespace warpsim::WARPSIM_SIMD {
namespace {

struct Div {
  template <class T>
  static T apply(T a, T b) {
    using U = Unsigned<T>;
    if (b == 0) return static_cast<T>(static_cast<U>(~U{0}));
    if constexpr (kIsSigned<T>) {
      if (b == -1) return static_cast<T>(static_cast<U>(0 - static_cast<U>(a)));
    }
    return static_cast<T>(a / b);
  }
};

struct Rem {
  template <class T>
  static T apply(T a, T b) {
    using U = Unsigned<T>;
    if (b == 0) return static_cast<T>(static_cast<U>(~U{0}));
    if constexpr (kIsSigned<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};

/// Only active lanes: a division costs far more than the test.
template <class Op, class T>
const Inst* divide_lanes(Warp& w, const Inst& in) {
  T* d = w.reg<T>(in.d);
  const T* a = w.reg<T>(in.a);
  const T* b = w.reg<T>(in.b);
  for_each_lane(w.active, [=](int i) { d[i] = Op::apply(a[i], b[i]); });
  return &in + 1;
}

/// The quotient of 32-bit numbers by way of double, which vectorises. It is exact: a quotient
/// that is not an integer is at least 1/b away from the next one, and below 2^32 double's rounding
/// error is less than that. A divisor of zero counts as one; the caller replaces the result.
template <class T>
inline s64 quotient32(T a, T b) {
  const double divisor = b == 0 ? 1.0 : static_cast<double>(b);
  return static_cast<s64>(static_cast<double>(a) / divisor);
}

struct Div32 {
  template <class T>
  static T apply(T a, T b) {
    const T quotient = static_cast<T>(quotient32(a, b));
    return b == 0 ? static_cast<T>(~0u) : quotient;
  }
};

struct Rem32 {
  template <class T>
  static T apply(T a, T b) {
    const u32 product = static_cast<u32>(quotient32(a, b)) * static_cast<u32>(b);
    const T remainder = static_cast<T>(static_cast<u32>(a) - product);
    return b == 0 ? static_cast<T>(~0u) : remainder;
  }
};

template <class Op, class Op32>
void bind_divide(Binder& b) {
  const Type type = b.take_type();
  with_type<Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
      b, type, [&]<class T>() {
        if constexpr (sizeof(T) == 4) {
          b.inst.run = &binary<Op32, T>;
        } else {
          b.inst.run = &divide_lanes<Op, T>;
        }
      });
  bind_operands(b, type, type);
}

}  // namespace

Family int_div_family() {
  static constexpr Row kRows[] = {
      {"div", "div.{u16,u32,u64,s16,s32,s64} d, a, b", &bind_divide<Div, Div32>,
       semantics::kSpecial},
      {"rem", "rem.{u16,u32,u64,s16,s32,s64} d, a, b", &bind_divide<Rem, Rem32>,
       semantics::kCompute},
  };
  return kRows;
}

}  // namespace warpsim::WARPSIM_SIMD
