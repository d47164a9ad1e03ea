#include "emulator/machine/math_builtins.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpsim {
namespace {

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
template <class T>
using BitsOf = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

// The functions that the C library lacks, or has in another form; W is the wide format.
namespace wide {

template <class W>
constexpr W kInfinity = std::numeric_limits<W>::infinity();
template <class W>
constexpr W kNan = std::numeric_limits<W>::quiet_NaN();

template <class W>
W sine_of_pi_times(W x) {
  if (!std::isfinite(x)) return kNan<W>;
  W rest = x - 2 * std::nearbyint(x / 2);  // exact, in [-1, 1]
  if (std::abs(rest) > W(0.5)) rest = std::copysign(1 - std::abs(rest), rest);
  if (rest == 0) return std::copysign(W(0), x);
  const W part = std::abs(rest);
  return std::copysign(part > W(0.25) ? std::cos(std::numbers::pi_v<W> * (W(0.5) - part))
                                      : std::sin(std::numbers::pi_v<W> * part),
                       rest);
}

template <class W>
W cosine_of_pi_times(W x) {
  if (!std::isfinite(x)) return kNan<W>;
  W part = std::abs(x - 2 * std::nearbyint(x / 2));  // exact, in [0, 1]
  const bool negative = part > W(0.5);
  if (negative) part = 1 - part;
  const W value = part > W(0.25) ? std::sin(std::numbers::pi_v<W> * (W(0.5) - part))
                                 : std::cos(std::numbers::pi_v<W> * part);
  return negative ? -value : value;
}

/// exp(x^2) erfc(x). Beyond 25 by the asymptotic series, whose tenth term is below 1e-22 there.
template <class W>
W scaled_erfc(W x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  W term = 1, sum = 1;
  for (int k = 1; k <= 10; ++k) {
    term *= -(2 * k - 1) / (2 * x * x);
    sum += term;
  }
  return sum / (x * std::sqrt(std::numbers::pi_v<W>));
}

/// The y with erf(y) = x for |x| <= 1/2, by Newton's method: erf is nearly straight there.
template <class W>
W inverse_erf_near_zero(W x) {
  W y = x * std::sqrt(std::numbers::pi_v<W>) / 2;
  for (int i = 0; i < 12; ++i) {
    y -= (std::erf(y) - x) * std::exp(y * y) * std::sqrt(std::numbers::pi_v<W>) / 2;
  }
  return y;
}

/// The y with erfc(y) = z for 0 < z <= 1/2, by Newton's method on log erfc, which falls and is
/// concave: from the right, every step stays right of the solution. erfc(y) < exp(-y^2) gives the
/// start.
template <class W>
W inverse_erfc_tail(W z) {
  const W target = std::log(z);
  W y = std::sqrt(-target);
  for (int i = 0; i < 60; ++i) {
    const W value = std::erfc(y);
    const W slope = -2 * std::numbers::inv_sqrtpi_v<W> * std::exp(-y * y) / value;
    const W step = (std::log(value) - target) / slope;
    y -= step;
    if (std::abs(step) <= std::numeric_limits<W>::epsilon() * y) break;
  }
  return y;
}

template <class W>
W inverse_erf(W x) {
  if (!(std::abs(x) <= 1)) return kNan<W>;
  if (std::abs(x) == 1) return std::copysign(kInfinity<W>, x);
  if (std::abs(x) <= W(0.5)) return x == 0 ? x : inverse_erf_near_zero(x);
  return std::copysign(inverse_erfc_tail(1 - std::abs(x)), x);
}

template <class W>
W inverse_erfc(W z) {
  if (!(z >= 0 && z <= 2)) return kNan<W>;
  if (z == 0 || z == 2) return z == 0 ? kInfinity<W> : -kInfinity<W>;
  if (z >= W(0.5) && z <= W(1.5)) return z == 1 ? 0 : inverse_erf_near_zero(1 - z);
  return z < 1 ? inverse_erfc_tail(z) : -inverse_erfc_tail(2 - z);
}

/// The length of a vector; infinite if any part is, even beside a NaN. The wide format has room for
/// squares of the narrow one.
template <class W, class... Parts>
W length(Parts... parts) {
  if ((std::isinf(parts) || ...)) return kInfinity<W>;
  return std::sqrt(((parts * parts) + ...));
}

inline double lgamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}
inline long double lgamma(long double x) {
  int sign = 0;
  return ::lgammal_r(x, &sign);
}
inline double exp10(double x) {
  return ::exp10(x);
}
inline long double exp10(long double x) {
  return ::exp10l(x);
}
#define BESSEL(name)                       \
  inline double name(double x) {           \
    return ::name(x);                      \
  }                                        \
  inline long double name(long double x) { \
    return ::name##l(x);                   \
  }
BESSEL(j0)
BESSEL(j1)
BESSEL(y0)
BESSEL(y1)
#undef BESSEL
inline double jn(int n, double x) {
  return ::jn(n, x);
}
inline long double jn(int n, long double x) {
  return ::jnl(n, x);
}
inline double yn(int n, double x) {
  return ::yn(n, x);
}
inline long double yn(int n, long double x) {
  return ::ynl(n, x);
}

}  // namespace wide

// One function object a name; T is float or double. Most compute in the wide format.
#define WIDE_1(name, expression)         \
  struct name##_of {                     \
    template <class T>                   \
    static T apply(T narrow) {           \
      using W = Wide<T>;                 \
      const W x = narrow;                \
      return static_cast<T>(expression); \
    }                                    \
  };
#define WIDE_2(name, expression)                \
  struct name##_of {                            \
    template <class T>                          \
    static T apply(T narrow_x, T narrow_y) {    \
      const Wide<T> x = narrow_x, y = narrow_y; \
      return static_cast<T>(expression);        \
    }                                           \
  };
WIDE_1(acos, std::acos(x))
WIDE_1(acosh, std::acosh(x))
WIDE_1(asin, std::asin(x))
WIDE_1(asinh, std::asinh(x))
WIDE_1(atan, std::atan(x))
WIDE_1(atanh, std::atanh(x))
WIDE_1(cbrt, std::cbrt(x))
WIDE_1(cos, std::cos(x))
WIDE_1(cosh, std::cosh(x))
WIDE_1(erf, std::erf(x))
WIDE_1(erfc, std::erfc(x))
WIDE_1(exp, std::exp(x))
WIDE_1(exp2, std::exp2(x))
WIDE_1(expm1, std::expm1(x))
WIDE_1(lgamma, wide::lgamma(x))
WIDE_1(log, std::log(x))
WIDE_1(log10, std::log10(x))
WIDE_1(log1p, std::log1p(x))
WIDE_1(log2, std::log2(x))
WIDE_1(logb, std::logb(x))
WIDE_1(sin, std::sin(x))
WIDE_1(sinh, std::sinh(x))
WIDE_1(tan, std::tan(x))
WIDE_1(tanh, std::tanh(x))
WIDE_1(tgamma, std::tgamma(x))
WIDE_2(atan2, std::atan2(x, y))
WIDE_2(fmod, std::fmod(x, y))
WIDE_2(hypot, std::hypot(x, y))
WIDE_2(pow, std::pow(x, y))
WIDE_2(remainder, std::remainder(x, y))
WIDE_1(cospi, wide::cosine_of_pi_times(x))
WIDE_1(erfcinv, wide::inverse_erfc(x))
WIDE_1(erfcx, wide::scaled_erfc(x))
WIDE_1(erfinv, wide::inverse_erf(x))
WIDE_1(exp10, wide::exp10(x))
WIDE_1(j0, wide::j0(x))
WIDE_1(j1, std::isinf(x) ? std::copysign(W(0), x) : wide::j1(x))
WIDE_1(normcdf, std::erfc(-x / std::numbers::sqrt2_v<W>) / 2)
WIDE_1(normcdfinv, -std::numbers::sqrt2_v<W>* wide::inverse_erfc(2 * x))
WIDE_1(rcbrt, 1 / std::cbrt(x))
WIDE_1(sinpi, wide::sine_of_pi_times(x))
WIDE_1(y0, wide::y0(x))
WIDE_1(y1, wide::y1(x))
WIDE_2(rhypot, 1 / std::hypot(x, y))
#undef WIDE_1
#undef WIDE_2

struct nextafter_of {
  template <class T>
  static T apply(T x, T y) {
    return std::nextafter(x, y);
  }
};
struct norm3d_of {
  template <class T>
  static T apply(T x, T y, T z) {
    return static_cast<T>(wide::length<Wide<T>>(Wide<T>(x), Wide<T>(y), Wide<T>(z)));
  }
};
struct rnorm3d_of {
  template <class T>
  static T apply(T x, T y, T z) {
    return static_cast<T>(1 / wide::length<Wide<T>>(Wide<T>(x), Wide<T>(y), Wide<T>(z)));
  }
};
struct norm4d_of {
  template <class T>
  static T apply(T x, T y, T z, T w) {
    using W = Wide<T>;
    return static_cast<T>(wide::length<W>(W(x), W(y), W(z), W(w)));
  }
};
struct rnorm4d_of {
  template <class T>
  static T apply(T x, T y, T z, T w) {
    using W = Wide<T>;
    return static_cast<T>(1 / wide::length<W>(W(x), W(y), W(z), W(w)));
  }
};
struct ilogb_of {
  template <class T>
  static int apply(T x) {
    // As the CUDA Math API says; C leaves the values of the special cases to the library.
    if (x == 0 || std::isnan(x)) return std::numeric_limits<int>::min();
    return std::isinf(x) ? std::numeric_limits<int>::max() : std::ilogb(x);
  }
};
struct ldexp_of {
  template <class T>
  static T apply(T x, int n) {
    return std::ldexp(x, n);
  }
};
struct powi_of {
  template <class T>
  static T apply(T x, int n) {
    return static_cast<T>(std::pow(static_cast<Wide<T>>(x), static_cast<Wide<T>>(n)));
  }
};
struct jn_of {
  template <class T>
  static T apply(int n, T x) {
    // As the CUDA Math API says; in C they are defined.
    if (n < 0) return std::numeric_limits<T>::quiet_NaN();
    // The C library of 64-bit Arm gives another zero for odd functions.
    if (std::isinf(x)) return n % 2 == 0 ? T(0) : std::copysign(T(0), x);
    return static_cast<T>(wide::jn(n, static_cast<Wide<T>>(x)));
  }
};
struct yn_of {
  template <class T>
  static T apply(int n, T x) {
    // As the CUDA Math API says; in C they are defined.
    if (n < 0) return std::numeric_limits<T>::quiet_NaN();
    return static_cast<T>(wide::yn(n, static_cast<Wide<T>>(x)));
  }
};

template <class T>
T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, int>) {
    return static_cast<int>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
  }
}

template <class R>
std::uint64_t to_bits(R value) {
  if constexpr (std::is_same_v<R, int>) {
    return static_cast<std::uint32_t>(value);
  } else if (std::isnan(value)) {
    return std::is_same_v<R, float> ? 0x7fffffffu : 0x7ff8000000000000u;
  } else {
    return std::bit_cast<BitsOf<R>>(value);
  }
}

template <class F, class... A>
std::uint64_t evaluate(const std::array<std::uint64_t, kMaxMathArguments>& bits) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return to_bits(F::apply(from_bits<A>(bits[I])...));
  }
  (std::index_sequence_for<A...>{});
}

std::vector<MathFunction> make_table() {
  std::vector<MathFunction> table;
#define WARPGRADE_MATH_1(name, ...)                                    \
  table.push_back({"__nv_" #name "f", 1, evaluate<name##_of, float>}); \
  table.push_back({"__nv_" #name, 1, evaluate<name##_of, double>});
#define WARPGRADE_MATH_2(name, ...)                                           \
  table.push_back({"__nv_" #name "f", 2, evaluate<name##_of, float, float>}); \
  table.push_back({"__nv_" #name, 2, evaluate<name##_of, double, double>});
#define WARPGRADE_MATH_3(name, ...)                                                  \
  table.push_back({"__nv_" #name "f", 3, evaluate<name##_of, float, float, float>}); \
  table.push_back({"__nv_" #name, 3, evaluate<name##_of, double, double, double>});
#define WARPGRADE_MATH_4(name, ...)                                                         \
  table.push_back({"__nv_" #name "f", 4, evaluate<name##_of, float, float, float, float>}); \
  table.push_back({"__nv_" #name, 4, evaluate<name##_of, double, double, double, double>});
#define WARPGRADE_MATH_OF_INT(name, ...)                                    \
  table.push_back({"__nv_" #name "f", 2, evaluate<name##_of, float, int>}); \
  table.push_back({"__nv_" #name, 2, evaluate<name##_of, double, int>});
#define WARPGRADE_MATH_INT_OF(name, ...)                                    \
  table.push_back({"__nv_" #name "f", 2, evaluate<name##_of, int, float>}); \
  table.push_back({"__nv_" #name, 2, evaluate<name##_of, int, double>});
#define WARPGRADE_MATH_STD_1 WARPGRADE_MATH_1
#define WARPGRADE_MATH_STD_2 WARPGRADE_MATH_2
#define WARPGRADE_MATH_INT WARPGRADE_MATH_1
#include "emulator/include/warpgrade/math_names.h"
  std::ranges::sort(table, {}, &MathFunction::name);
  return table;
}

}  // namespace

const MathFunction* find_math_function(std::string_view name) {
  static const std::vector<MathFunction> table = make_table();
  const auto found = std::ranges::lower_bound(table, name, {}, &MathFunction::name);
  return found != table.end() && found->name == name ? &*found : nullptr;
}

}  // namespace warpsim
