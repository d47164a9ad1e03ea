#include <limits>

#include "emulator/tests/differential/map.h"

// Operators on integers of every width. Small types are promoted as C++ says, on both sides.

namespace differential {
namespace {

// Wraps like the hardware instead of overflowing: the sum is taken in the unsigned type.
template <class T>
using Wrapping = std::make_unsigned_t<T>;

struct Add {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(Wrapping<T>(a) + Wrapping<T>(b));
  }
};

struct Subtract {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(Wrapping<T>(a) - Wrapping<T>(b));
  }
};

struct Multiply {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    // unsigned short would be promoted to a signed int that can overflow.
    return T(std::uint64_t(a) * std::uint64_t(b));
  }
};

struct MultiplyAdd {
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c) const {
    return T(std::uint64_t(a) * std::uint64_t(b) + std::uint64_t(c));
  }
};

template <class T>
bool can_divide(T a, T b) {
  return b != 0 && !(std::is_signed_v<T> && b == T(-1) && a == std::numeric_limits<T>::min());
}

struct Divide {
  template <class T>
  static bool valid(T a, T b) {
    return can_divide(a, b);
  }
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(a / b);
  }
};

struct Remainder {
  template <class T>
  static bool valid(T a, T b) {
    return can_divide(a, b);
  }
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T(a % b);
  }
};

// A divisor known at compile time becomes a multiplication by a reciprocal.
template <int Divisor>
struct DivideByConstant {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return T(a / T(Divisor) + a % T(Divisor));
  }
};

struct Negate {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return T(0u - Wrapping<T>(a));
  }
};

struct AbsoluteValue {
  template <class T>
  static bool valid(T a) {
    return a != std::numeric_limits<T>::min();
  }
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return T(a < 0 ? -a : a);
  }
};

struct Minimum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};

struct Maximum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};

struct Clamp {
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c) const {
    const T low = b < c ? b : c, high = b < c ? c : b;
    return a < low ? low : a > high ? high : a;
  }
};

struct Less {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a < b;
  }
};

struct LessOrEqual {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a <= b;
  }
};

struct Equal {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a == b;
  }
};

struct NotEqual {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a != b;
  }
};

/// All six comparisons and their negations as bits, so that none can stand in for another.
struct CompareBits {
  template <class T>
  __host__ __device__ int operator()(T a, T b) const {
    return (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4 | (a > b) << 5;
  }
};

struct ThreeWay {
  template <class T>
  __host__ __device__ int operator()(T a, T b) const {
    return (a > b) - (a < b);
  }
};

/// Average without overflow: a shift of a sum of halves, signed and unsigned alike.
struct Midpoint {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return T((a & b) + ((a ^ b) >> 1));
  }
};

struct SaturatingAdd {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    constexpr T kMax = std::numeric_limits<T>::max(), kMin = std::numeric_limits<T>::min();
    if constexpr (std::is_signed_v<T>) {
      if (b < 0) return a < kMin - b ? kMin : T(a + b);
    }
    return a > kMax - b ? kMax : T(a + b);
  }
};

struct GreatestCommonDivisor {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    while (b != 0) {
      const T rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
};

struct IntegerSquareRoot {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    T root = 0;
    for (T bit = T(T(1) << (sizeof(T) * 8 - 2)); bit != 0; bit >>= 2) {
      if (a >= T(root + bit)) {
        a = T(a - (root + bit));
        root = T((root >> 1) + bit);
      } else {
        root >>= 1;
      }
    }
    return root;
  }
};

struct WideProductHigh {
  __host__ __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    return std::uint64_t((unsigned __int128)(a)*b >> 64);
  }
};

struct WideProductSigned {
  __host__ __device__ std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return std::int64_t((__int128)(a)*b >> 64);
  }
};

struct Add128 {
  __host__ __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b,
                                               std::uint64_t c) const {
    const unsigned __int128 sum =
        ((unsigned __int128)(a) << 64 | b) + ((unsigned __int128)(b) << 64 | c);
    return std::uint64_t(sum >> 64) ^ std::uint64_t(sum);
  }
};

struct Divide128 {
  static bool valid(std::uint64_t, std::uint64_t, std::uint64_t c) { return c != 0; }
  __host__ __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b,
                                               std::uint64_t c) const {
    const unsigned __int128 dividend = (unsigned __int128)(a) << 64 | b;
    return std::uint64_t(dividend / c) + 3 * std::uint64_t(dividend % c);
  }
};

struct WideMultiplySigned {
  __host__ __device__ std::int64_t operator()(std::int32_t a, std::int32_t b) const {
    return std::int64_t(a) * b;
  }
};

struct WideMultiplyUnsigned {
  __host__ __device__ std::uint64_t operator()(std::uint32_t a, std::uint32_t b) const {
    return std::uint64_t(a) * b;
  }
};

struct WideMultiply16 {
  __host__ __device__ std::int32_t operator()(std::int16_t a, std::int16_t b) const {
    return std::int32_t(a) * b;
  }
};

/// Operands of different width and sign: the usual arithmetic conversions.
struct MixedSum {
  __host__ __device__ std::int64_t operator()(std::int8_t a, std::uint16_t b,
                                              std::int32_t c) const {
    return a + std::int64_t(b) * 3 - c % 1000;
  }
};

struct MixedCompare {
  __host__ __device__ int operator()(std::int32_t a, std::int64_t b) const {
    return (a < b) + 2 * (std::uint64_t(std::int64_t(a)) < std::uint64_t(b)) + 4 * (a == b);
  }
};

}  // namespace

void register_cases(Suite& suite) {
  add_maps<2, Add>(suite, "add", IntegerTypes{});
  add_maps<2, Subtract>(suite, "subtract", IntegerTypes{});
  add_maps<2, Multiply>(suite, "multiply", IntegerTypes{});
  add_maps<3, MultiplyAdd>(suite, "multiply-add", IntegerTypes{});
  add_maps<2, Divide>(suite, "divide", IntegerTypes{});
  add_maps<2, Remainder>(suite, "remainder", IntegerTypes{});
  add_maps<1, DivideByConstant<10>>(suite, "divide by 10", IntegerTypes{});
  add_maps<1, DivideByConstant<16>>(suite, "divide by 16", IntegerTypes{});
  add_maps<1, DivideByConstant<-7>>(suite, "divide by -7", SignedTypes{});
  add_maps<1, Negate>(suite, "negate", IntegerTypes{});
  add_maps<1, AbsoluteValue>(suite, "absolute value", SignedTypes{});
  add_maps<2, Minimum>(suite, "minimum", IntegerTypes{});
  add_maps<2, Maximum>(suite, "maximum", IntegerTypes{});
  add_maps<3, Clamp>(suite, "clamp", IntegerTypes{});
  add_maps<2, Less>(suite, "less", IntegerTypes{});
  add_maps<2, LessOrEqual>(suite, "less or equal", IntegerTypes{});
  add_maps<2, Equal>(suite, "equal", IntegerTypes{});
  add_maps<2, NotEqual>(suite, "not equal", IntegerTypes{});
  add_maps<2, CompareBits>(suite, "all comparisons", IntegerTypes{});
  add_maps<2, ThreeWay>(suite, "three-way comparison", IntegerTypes{});
  add_maps<2, Midpoint>(suite, "midpoint", IntegerTypes{});
  add_maps<2, SaturatingAdd>(suite, "saturating add", IntegerTypes{});
  add_maps<2, GreatestCommonDivisor>(suite, "greatest common divisor", UnsignedTypes{});
  add_maps<1, IntegerSquareRoot>(suite, "integer square root", UnsignedTypes{});

  add_map<WideProductHigh, std::uint64_t, std::uint64_t>(suite, "128-bit product, high half");
  add_map<WideProductSigned, std::int64_t, std::int64_t>(suite, "128-bit signed product");
  add_map<Add128, std::uint64_t, std::uint64_t, std::uint64_t>(suite, "128-bit sum");
  add_map<Divide128, std::uint64_t, std::uint64_t, std::uint64_t>(suite, "128-bit quotient");
  add_map<WideMultiplySigned, std::int32_t, std::int32_t>(suite, "wide product s32");
  add_map<WideMultiplyUnsigned, std::uint32_t, std::uint32_t>(suite, "wide product u32");
  add_map<WideMultiply16, std::int16_t, std::int16_t>(suite, "wide product s16");
  add_map<MixedSum, std::int8_t, std::uint16_t, std::int32_t>(suite, "mixed sum");
  add_map<MixedCompare, std::int32_t, std::int64_t>(suite, "mixed comparison");
}

}  // namespace differential
