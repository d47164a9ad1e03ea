#include <cfenv>
#include <cmath>
#include <limits>

#include "emulator/tests/differential/half_model.h"
#include "emulator/tests/differential/map.h"
#include "emulator/tests/differential/rounding.h"

// IEEE arithmetic: bit for bit what the host's hardware computes, in every rounding mode. One
// operation a kernel, so that nothing can be fused.

namespace differential {
namespace {

// clang-format off
struct Sum { template <class T> T operator()(T a, T b) const { return a + b; } };
struct Difference { template <class T> T operator()(T a, T b) const { return a - b; } };
struct Product { template <class T> T operator()(T a, T b) const { return a * b; } };
struct Quotient { template <class T> T operator()(T a, T b) const { return a / b; } };
struct Reciprocal { template <class T> T operator()(T a) const { return 1 / a; } };
struct SquareRoot { template <class T> T operator()(T a) const { return std::sqrt(a); } };
struct Fused { template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); } };
// clang-format on

/// An intrinsic with a rounding mode, compared with the host's operation in that mode.
#define ROUNDED(Name, T, Model, mode, intrinsic)                                       \
  struct Name {                                                                        \
    template <class... A>                                                              \
    __host__ __device__ T operator()(A... a) const {                                   \
      return DEVICE_OR_HOST(intrinsic(a...), (with_rounding<mode, T>(Model{}, a...))); \
    }                                                                                  \
  };

#define ROUNDED_ALL_MODES(Name, T, Model, intrinsic)             \
  ROUNDED(Name##Nearest, T, Model, FE_TONEAREST, intrinsic##_rn) \
  ROUNDED(Name##Zero, T, Model, FE_TOWARDZERO, intrinsic##_rz)   \
  ROUNDED(Name##Down, T, Model, FE_DOWNWARD, intrinsic##_rd)     \
  ROUNDED(Name##Up, T, Model, FE_UPWARD, intrinsic##_ru)

ROUNDED_ALL_MODES(AddF32, float, Sum, __fadd)
ROUNDED_ALL_MODES(SubF32, float, Difference, __fsub)
ROUNDED_ALL_MODES(MulF32, float, Product, __fmul)
ROUNDED_ALL_MODES(DivF32, float, Quotient, __fdiv)
ROUNDED_ALL_MODES(RcpF32, float, Reciprocal, __frcp)
ROUNDED_ALL_MODES(SqrtF32, float, SquareRoot, __fsqrt)
ROUNDED_ALL_MODES(FmaF32, float, Fused, __fmaf)
ROUNDED_ALL_MODES(AddF64, double, Sum, __dadd)
ROUNDED_ALL_MODES(SubF64, double, Difference, __dsub)
ROUNDED_ALL_MODES(MulF64, double, Product, __dmul)
ROUNDED_ALL_MODES(DivF64, double, Quotient, __ddiv)
ROUNDED_ALL_MODES(RcpF64, double, Reciprocal, __drcp)
ROUNDED_ALL_MODES(SqrtF64, double, SquareRoot, __dsqrt)
ROUNDED_ALL_MODES(FmaF64, double, Fused, __fma)

struct OperatorAdd {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct OperatorSubtract {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a - b;
  }
};

struct OperatorMultiply {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a * b;
  }
};

struct OperatorDivide {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a / b;
  }
};

struct StandardFma {
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c) const {
    return fma(a, b, c);
  }
};

struct StandardSqrt {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return sqrt(a);
  }
};

struct Negate {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return -a;
  }
};

struct AbsoluteValue {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return fabs(a);
  }
};

struct CopySign {
  template <class T>
  static bool valid(T a, T b) {
    return a == a && b == b;
  }
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return copysign(a, b);
  }
};

struct Minimum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return DEVICE_OR_HOST(fmin(a, b), minimum(a, b));
  }
};

struct Maximum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return DEVICE_OR_HOST(fmax(a, b), maximum(a, b));
  }
};

struct PositiveDifference {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return fdim(a, b);
  }
};

/// All comparisons and their negations: with a NaN, !(a < b) is not a >= b.
struct CompareBits {
  template <class T>
  __host__ __device__ int operator()(T a, T b) const {
    return (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4 | (a > b) << 5 |
           !(a < b) << 6 | !(a <= b) << 7 | !(a >= b) << 8 | !(a > b) << 9;
  }
};

struct Less {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return a < b;
  }
};

struct NotLess {
  template <class T>
  __host__ __device__ bool operator()(T a, T b) const {
    return !(a < b);
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

struct Classify {
  template <class T>
  __host__ __device__ int operator()(T a) const {
    return int(bool(std::isnan(a))) | int(bool(std::isinf(a))) << 1 |
           int(bool(std::isfinite(a))) << 2 | (a == a ? int(bool(std::signbit(a))) << 3 : 0);
  }
};

struct SelectByComparison {
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c) const {
    return a < b ? c : a == b ? a : b;
  }
};

#define ROUND_TO_WHOLE(Name, function)            \
  struct Name {                                   \
    template <class T>                            \
    __host__ __device__ T operator()(T a) const { \
      return function(a);                         \
    }                                             \
  };
ROUND_TO_WHOLE(Floor, floor)
ROUND_TO_WHOLE(Ceiling, ceil)
ROUND_TO_WHOLE(Truncate, trunc)
ROUND_TO_WHOLE(RoundHalfAway, round)
ROUND_TO_WHOLE(NearbyInteger, nearbyint)
ROUND_TO_WHOLE(RoundToEven, rint)

struct Saturate {
  __host__ __device__ float operator()(float a) const {
    return DEVICE_OR_HOST(__saturatef(a), a > 0 ? (a < 1 ? a : 1.0f) : 0.0f);
  }
};

struct FloatRemainder {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return fmod(a, b);
  }
};

struct IeeeRemainder {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return remainder(a, b);
  }
};

struct Neighbour {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return nextafter(a, b);
  }
};

struct Scale {
  template <class T>
  __host__ __device__ T operator()(T a, std::int16_t b) const {
    return ldexp(a, b % 400);
  }
};

struct Exponent {
  template <class T>
  static bool valid(T a) {
    return std::isfinite(a);
  }
  template <class T>
  __host__ __device__ T operator()(T a) const {
    int exponent = 0;
    const T mantissa = frexp(a, &exponent);
    return mantissa + T(exponent);
  }
};

struct Logb {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    return logb(a);
  }
};

struct IntegerAndFraction {
  template <class T>
  __host__ __device__ T operator()(T a) const {
    T whole = 0;
    const T fraction = modf(a, &whole);
    return whole != 0 ? whole : fraction;
  }
};

/// Horner with explicit fused steps: the same chain on both sides.
struct Polynomial {
  template <class T>
  __host__ __device__ T operator()(T x) const {
    T sum = T(0.008333);
    for (const T c : {T(-0.1666), T(0.5), T(-1), T(2.5)}) sum = fma(sum, x, c);
    return sum;
  }
};

/// Error of a sum, exact by Knuth's algorithm: breaks if anything is reassociated.
struct TwoSumError {
  template <class T>
  static bool valid(T a, T b) {
    return std::isfinite(a) && std::isfinite(b) && std::isfinite(a + b);
  }
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    const T sum = a + b, part = sum - a;
    return (a - (sum - part)) + (b - part);
  }
};

}  // namespace

void register_cases(Suite& suite) {
#define ADD_ALL_MODES(Name, text, ...)                            \
  add_map<Name##Nearest, __VA_ARGS__>(suite, text " to nearest"); \
  add_map<Name##Zero, __VA_ARGS__>(suite, text " toward zero");   \
  add_map<Name##Down, __VA_ARGS__>(suite, text " down");          \
  add_map<Name##Up, __VA_ARGS__>(suite, text " up")

  ADD_ALL_MODES(AddF32, "add f32", float, float);
  ADD_ALL_MODES(SubF32, "subtract f32", float, float);
  ADD_ALL_MODES(MulF32, "multiply f32", float, float);
  ADD_ALL_MODES(DivF32, "divide f32", float, float);
  ADD_ALL_MODES(RcpF32, "reciprocal f32", float);
  ADD_ALL_MODES(SqrtF32, "square root f32", float);
  ADD_ALL_MODES(FmaF32, "fused multiply-add f32", float, float, float);
  ADD_ALL_MODES(AddF64, "add f64", double, double);
  ADD_ALL_MODES(SubF64, "subtract f64", double, double);
  ADD_ALL_MODES(MulF64, "multiply f64", double, double);
  ADD_ALL_MODES(DivF64, "divide f64", double, double);
  ADD_ALL_MODES(RcpF64, "reciprocal f64", double);
  ADD_ALL_MODES(SqrtF64, "square root f64", double);
  ADD_ALL_MODES(FmaF64, "fused multiply-add f64", double, double, double);
#undef ADD_ALL_MODES

  add_maps<2, OperatorAdd>(suite, "operator +", FloatTypes{});
  add_maps<2, OperatorSubtract>(suite, "operator -", FloatTypes{});
  add_maps<2, OperatorMultiply>(suite, "operator *", FloatTypes{});
  add_maps<2, OperatorDivide>(suite, "operator /", FloatTypes{});
  add_maps<3, StandardFma>(suite, "fma", FloatTypes{});
  add_maps<1, StandardSqrt>(suite, "sqrt", FloatTypes{});
  add_maps<1, Negate>(suite, "negate", FloatTypes{});
  add_maps<1, AbsoluteValue>(suite, "fabs", FloatTypes{});
  add_maps<2, CopySign>(suite, "copysign", FloatTypes{});
  add_maps<2, Minimum>(suite, "fmin", FloatTypes{});
  add_maps<2, Maximum>(suite, "fmax", FloatTypes{});
  add_maps<2, PositiveDifference>(suite, "fdim", FloatTypes{});
  add_maps<2, CompareBits>(suite, "all comparisons", FloatTypes{});
  add_maps<2, Less>(suite, "less", FloatTypes{});
  add_maps<2, NotLess>(suite, "not less", FloatTypes{});
  add_maps<2, Equal>(suite, "equal", FloatTypes{});
  add_maps<2, NotEqual>(suite, "not equal", FloatTypes{});
  add_maps<1, Classify>(suite, "classify", FloatTypes{});
  add_maps<3, SelectByComparison>(suite, "select", FloatTypes{});
  add_maps<1, Floor>(suite, "floor", FloatTypes{});
  add_maps<1, Ceiling>(suite, "ceil", FloatTypes{});
  add_maps<1, Truncate>(suite, "trunc", FloatTypes{});
  add_maps<1, RoundHalfAway>(suite, "round", FloatTypes{});
  add_maps<1, NearbyInteger>(suite, "nearbyint", FloatTypes{});
  add_maps<1, RoundToEven>(suite, "rint", FloatTypes{});
  add_map<Saturate, float>(suite, "saturate f32");
  add_maps<2, FloatRemainder>(suite, "fmod", FloatTypes{});
  add_maps<2, IeeeRemainder>(suite, "remainder", FloatTypes{});
  add_maps<2, Neighbour>(suite, "nextafter", FloatTypes{});
  add_map<Scale, float, std::int16_t>(suite, "ldexp f32");
  add_map<Scale, double, std::int16_t>(suite, "ldexp f64");
  add_maps<1, Exponent>(suite, "frexp", FloatTypes{});
  add_maps<1, Logb>(suite, "logb", FloatTypes{});
  add_maps<1, IntegerAndFraction>(suite, "modf", FloatTypes{});
  add_maps<1, Polynomial>(suite, "polynomial", FloatTypes{});
  add_maps<2, TwoSumError>(suite, "two-sum error", FloatTypes{});
}

}  // namespace differential
