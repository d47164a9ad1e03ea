#include "emulator/machine/math_builtins.h"

#if WARPGRADE_HAVE_MPFR
#include <fmt/format.h>
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

// Each built-in function against MPFR, with the maximum errors of include/warpgrade/math_names.h. A
// reference below is named as its function: one that is missing does not compile.

namespace warpsim {
namespace {

constexpr mpfr_prec_t kPrecision = 300;  // bits; of doubles' 53 enough for every rounding but ties

/// An MPFR number.
class Real {
 public:
  Real() { mpfr_init2(value_, kPrecision); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

template <class T>
using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

template <class T>
T nearest(mpfr_srcptr x) {
  return std::is_same_v<T, float> ? static_cast<T>(mpfr_get_flt(x, MPFR_RNDN))
                                  : static_cast<T>(mpfr_get_d(x, MPFR_RNDN));
}

/// Neighbouring numbers have neighbouring places.
template <class T>
std::int64_t place(T x) {
  const auto bits = std::bit_cast<Bits<T>>(x);
  const auto sign = Bits<T>{1} << (8 * sizeof(T) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & ~sign);
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

// --- References: result, arguments. -------------------------------------------------------------

#define MPFR_1(name, function)                     \
  struct name##_reference {                        \
    template <class T>                             \
    static void apply(mpfr_ptr r, mpfr_srcptr x) { \
      function(r, x, MPFR_RNDN);                   \
    }                                              \
  };
#define MPFR_2(name, function)                                    \
  struct name##_reference {                                       \
    template <class T>                                            \
    static void apply(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { \
      function(r, x, y, MPFR_RNDN);                               \
    }                                                             \
  };
MPFR_1(acos, mpfr_acos)
MPFR_1(acosh, mpfr_acosh)
MPFR_1(asin, mpfr_asin)
MPFR_1(asinh, mpfr_asinh)
MPFR_1(atan, mpfr_atan)
MPFR_1(atanh, mpfr_atanh)
MPFR_1(cbrt, mpfr_cbrt)
MPFR_1(cos, mpfr_cos)
MPFR_1(cosh, mpfr_cosh)
MPFR_1(cospi, mpfr_cospi)
MPFR_1(erf, mpfr_erf)
MPFR_1(erfc, mpfr_erfc)
MPFR_1(exp, mpfr_exp)
MPFR_1(exp10, mpfr_exp10)
MPFR_1(exp2, mpfr_exp2)
MPFR_1(expm1, mpfr_expm1)
MPFR_1(j0, mpfr_j0)
MPFR_1(log, mpfr_log)
MPFR_1(log10, mpfr_log10)
MPFR_1(log1p, mpfr_log1p)
MPFR_1(log2, mpfr_log2)
MPFR_1(sin, mpfr_sin)
MPFR_1(sinh, mpfr_sinh)
MPFR_1(sinpi, mpfr_sinpi)
MPFR_1(tan, mpfr_tan)
MPFR_1(tanh, mpfr_tanh)
MPFR_1(tgamma, mpfr_gamma)
MPFR_1(y0, mpfr_y0)
MPFR_1(y1, mpfr_y1)
MPFR_2(atan2, mpfr_atan2)
MPFR_2(fmod, mpfr_fmod)
MPFR_2(hypot, mpfr_hypot)
MPFR_2(pow, mpfr_pow)
MPFR_2(remainder, mpfr_remainder)
#undef MPFR_1
#undef MPFR_2

struct j1_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x) {
    mpfr_j1(r, x, MPFR_RNDN);
    if (mpfr_inf_p(x)) mpfr_set_zero(r, mpfr_sgn(x));  // CUDA keeps the sign
  }
};
struct lgamma_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x) {
    int sign = 0;
    mpfr_lgamma(r, &sign, x, MPFR_RNDN);
  }
};
struct logb_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x) {
    if (mpfr_zero_p(x)) {
      mpfr_set_inf(r, -1);
    } else if (!mpfr_number_p(x)) {
      mpfr_abs(r, x, MPFR_RNDN);
    } else {
      mpfr_set_si(r, mpfr_get_exp(x) - 1, MPFR_RNDN);
    }
  }
};
struct rcbrt_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x) {
    mpfr_cbrt(r, x, MPFR_RNDN);
    mpfr_ui_div(r, 1, r, MPFR_RNDN);
  }
};
struct rhypot_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) {
    mpfr_hypot(r, x, y, MPFR_RNDN);
    mpfr_ui_div(r, 1, r, MPFR_RNDN);
  }
};
struct norm3d_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z) {
    Real part;
    mpfr_hypot(part, x, y, MPFR_RNDN);
    mpfr_hypot(r, part, z, MPFR_RNDN);
  }
};
struct rnorm3d_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z) {
    norm3d_reference::apply<T>(r, x, y, z);
    mpfr_ui_div(r, 1, r, MPFR_RNDN);
  }
};
struct norm4d_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, mpfr_srcptr w) {
    Real part;
    norm3d_reference::apply<T>(part, x, y, z);
    mpfr_hypot(r, part, w, MPFR_RNDN);
  }
};
struct rnorm4d_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr z, mpfr_srcptr w) {
    norm4d_reference::apply<T>(r, x, y, z, w);
    mpfr_ui_div(r, 1, r, MPFR_RNDN);
  }
};
struct nextafter_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) {
    if (mpfr_nan_p(x) || mpfr_nan_p(y)) return mpfr_set_nan(r);
    const T from = nearest<T>(x), to = nearest<T>(y);
    if (from == to) {
      mpfr_set(r, y, MPFR_RNDN);
      return;
    }
    const std::int64_t next = place(from) + (from < to ? 1 : -1);
    const T magnitude = std::bit_cast<T>(static_cast<Bits<T>>(next < 0 ? -next : next));
    const bool negative = next < 0 || (next == 0 && from < 0);
    mpfr_set_d(r, static_cast<double>(negative ? -magnitude : magnitude), MPFR_RNDN);
  }
};
struct erfcx_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x) {
    if (mpfr_inf_p(x)) {
      if (mpfr_sgn(x) > 0) return mpfr_set_zero(r, 1);
      return mpfr_set_inf(r, 1);
    }
    // Beyond 1e5 the factors leave MPFR's range: 1 / (x sqrt(pi)), whose relative error is 1 / (2
    // x^2).
    Real square, factor;
    mpfr_sqr(square, x, MPFR_RNDN);
    if (mpfr_cmp_d(x, 1e5) > 0) {
      mpfr_const_pi(factor, MPFR_RNDN);
      mpfr_sqrt(factor, factor, MPFR_RNDN);
      mpfr_mul(factor, factor, x, MPFR_RNDN);
      mpfr_ui_div(r, 1, factor, MPFR_RNDN);
      mpfr_mul_2ui(square, square, 1, MPFR_RNDN);
      mpfr_ui_div(square, 1, square, MPFR_RNDN);
      mpfr_mul(square, square, r, MPFR_RNDN);
      mpfr_sub(r, r, square, MPFR_RNDN);
      return;
    }
    mpfr_exp(square, square, MPFR_RNDN);
    mpfr_erfc(factor, x, MPFR_RNDN);
    mpfr_mul(r, square, factor, MPFR_RNDN);
  }
};

/// One of Newton's steps for y with function(y) = target; the slope is sign * 2 / sqrt(pi)
/// exp(-y^2).
template <class Function>
void newton_step(mpfr_ptr y, mpfr_srcptr target, Function function, int sign) {
  Real difference, slope, pi;
  function(difference, y);
  mpfr_sub(difference, difference, target, MPFR_RNDN);
  mpfr_sqr(slope, y, MPFR_RNDN);
  mpfr_exp(slope, slope, MPFR_RNDN);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_sqrt(pi, pi, MPFR_RNDN);
  mpfr_mul(difference, difference, slope, MPFR_RNDN);
  mpfr_mul(difference, difference, pi, MPFR_RNDN);
  mpfr_div_si(difference, difference, 2 * sign, MPFR_RNDN);
  mpfr_sub(y, y, difference, MPFR_RNDN);
}
/// The y with erf(y) = x, |x| <= 1/2.
void inverse_erf_near_zero(mpfr_ptr y, mpfr_srcptr x) {
  mpfr_mul_d(y, x, 0.886226925452758, MPFR_RNDN);
  for (int i = 0; i < 9; ++i) {
    newton_step(
        y, x, [](mpfr_ptr r, mpfr_srcptr at) { mpfr_erf(r, at, MPFR_RNDN); }, 1);
  }
}
/// The y with erfc(y) = z, 0 < z < 1/2: from long double's, by bisection.
void inverse_erfc_tail(mpfr_ptr y, mpfr_srcptr z) {
  const long double target = mpfr_get_ld(z, MPFR_RNDN);
  long double low = 0, high = 100;
  for (int i = 0; i < 75; ++i) {
    const long double middle = (low + high) / 2;
    (std::erfc(middle) > target ? low : high) = middle;
  }
  mpfr_set_ld(y, low, MPFR_RNDN);
  for (int i = 0; i < 4; ++i) {
    newton_step(
        y, z, [](mpfr_ptr r, mpfr_srcptr at) { mpfr_erfc(r, at, MPFR_RNDN); }, -1);
  }
}
struct erfcinv_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr z) {
    if (mpfr_nan_p(z) || mpfr_cmp_d(z, 0) < 0 || mpfr_cmp_d(z, 2) > 0) return mpfr_set_nan(r);
    if (mpfr_zero_p(z)) return mpfr_set_inf(r, 1);
    if (mpfr_cmp_d(z, 2) == 0) return mpfr_set_inf(r, -1);
    Real rest;
    if (mpfr_cmp_d(z, 0.5) < 0) return inverse_erfc_tail(r, z);
    if (mpfr_cmp_d(z, 1.5) > 0) {
      mpfr_ui_sub(rest, 2, z, MPFR_RNDN);
      inverse_erfc_tail(r, rest);
      mpfr_neg(r, r, MPFR_RNDN);
      return;
    }
    mpfr_ui_sub(rest, 1, z, MPFR_RNDN);
    inverse_erf_near_zero(r, rest);
  }
};
struct erfinv_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x) {
    if (mpfr_nan_p(x) || mpfr_cmpabs_ui(x, 1) > 0) return mpfr_set_nan(r);
    if (mpfr_zero_p(x)) {
      mpfr_set(r, x, MPFR_RNDN);
      return;
    }
    Real z;
    mpfr_ui_sub(z, 1, x, MPFR_RNDN);
    if (mpfr_cmp_d(z, 0.5) >= 0 && mpfr_cmp_d(z, 1.5) <= 0) return inverse_erf_near_zero(r, x);
    erfcinv_reference::apply<T>(r, z);
  }
};
struct normcdf_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x) {
    Real scaled;
    mpfr_sqrt_ui(scaled, 2, MPFR_RNDN);
    mpfr_div(scaled, x, scaled, MPFR_RNDN);
    mpfr_neg(scaled, scaled, MPFR_RNDN);
    mpfr_erfc(r, scaled, MPFR_RNDN);
    mpfr_div_2ui(r, r, 1, MPFR_RNDN);
  }
};
struct normcdfinv_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr p) {
    Real twice;
    mpfr_mul_2ui(twice, p, 1, MPFR_RNDN);
    erfcinv_reference::apply<T>(r, twice);
    mpfr_sqrt_ui(twice, 2, MPFR_RNDN);
    mpfr_mul(r, r, twice, MPFR_RNDN);
    mpfr_neg(r, r, MPFR_RNDN);
  }
};
struct ilogb_reference {
  static int apply(mpfr_srcptr x) {
    if (mpfr_inf_p(x)) return std::numeric_limits<int>::max();
    if (!mpfr_number_p(x) || mpfr_zero_p(x)) return std::numeric_limits<int>::min();
    return static_cast<int>(mpfr_get_exp(x) - 1);
  }
};
struct ldexp_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, int n) {
    mpfr_mul_2si(r, x, n, MPFR_RNDN);
  }
};
struct powi_reference {
  template <class T>
  static void apply(mpfr_ptr r, mpfr_srcptr x, int n) {
    mpfr_pow_si(r, x, n, MPFR_RNDN);
  }
};
// A negative order is not a number in CUDA.
struct jn_reference {
  template <class T>
  static void apply(mpfr_ptr r, int n, mpfr_srcptr x) {
    if (n < 0) return mpfr_set_nan(r);
    mpfr_jn(r, n, x, MPFR_RNDN);
    if (mpfr_inf_p(x) && n % 2 != 0) mpfr_set_zero(r, mpfr_sgn(x));
  }
};
struct yn_reference {
  template <class T>
  static void apply(mpfr_ptr r, int n, mpfr_srcptr x) {
    if (n < 0) return mpfr_set_nan(r);
    mpfr_yn(r, n, x, MPFR_RNDN);
  }
};

// --- Arguments ----------------------------------------------------------------------------------

template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  for (const T magnitude : {T(0),
                            Limits::denorm_min(),
                            Limits::min(),
                            Limits::epsilon() / 2,
                            T(0.25),
                            T(0.5),
                            T(0.75),
                            std::nextafter(T(1), T(0)),
                            T(1),
                            std::nextafter(T(1), T(2)),
                            T(1.5),
                            T(2),
                            T(2.5),
                            T(3),
                            T(3.14159265358979),
                            T(10),
                            T(24.75),
                            T(25),
                            T(171),
                            T(1e10),
                            Limits::max(),
                            Limits::infinity()}) {
    values.push_back(magnitude);
    values.push_back(-magnitude);
  }
  values.push_back(Limits::quiet_NaN());
  return values;
}

/// Where arguments come from: all bit patterns, or a range.
enum class Range { everywhere, bessel };

template <class T>
class Arguments {
 public:
  explicit Arguments(Range range) : range_(range) {}
  T next() {
    const auto bits = static_cast<Bits<T>>(random_());
    const T any = std::bit_cast<T>(bits);
    const T fraction = static_cast<T>(static_cast<double>(random_() >> 11) * 0x1p-53);
    if (range_ == Range::bessel) return (fraction - T(0.3)) * (bits % 4 == 0 ? T(300) : T(12));
    switch (random_() % 5) {
      case 0:
        return any;
      case 1:
        return (fraction - T(0.5)) * 4;
      case 2:
        return (fraction - T(0.5)) * 60;
      case 3:
        return (fraction - T(0.5)) * 1000;
      default:
        return 1 + (fraction - T(0.5)) * std::ldexp(T(1), -static_cast<int>(random_() % 30));
    }
  }
  int next_integer() {
    static constexpr std::array edges = {0, 1, -1, 127, -150, 1024, -1074, 5000, -5000};
    if (range_ == Range::bessel) return static_cast<int>(random_() % 12) - 2;
    const auto choice = random_();
    return choice % 4 == 0 ? edges[choice / 4 % edges.size()]
                           : static_cast<int>(choice / 4 % 200) - 100;
  }

 private:
  Range range_;
  std::mt19937_64 random_{1};
};

// --- Comparison ---------------------------------------------------------------------------------

struct Worst {
  std::int64_t ulps = 0;
  std::string where;
  std::size_t compared = 0;
};

template <class T>
std::string arguments_text(const std::vector<std::string>& arguments, T got, T want) {
  std::string text;
  for (const std::string& argument : arguments) text += (text.empty() ? "" : ", ") + argument;
  return fmt::format("({}): got {:a}, want {:a}", text, got, want);
}

template <class T>
void compare(Worst& worst, T got, mpfr_srcptr exact, const std::vector<std::string>& arguments,
             T bessel_argument) {
  constexpr std::int64_t kWrong = std::numeric_limits<std::int64_t>::max();
  // The Programming Guide's absolute errors of the Bessel functions.
  constexpr T kBessel = std::is_same_v<T, float> ? T(2.2e-6) : T(5e-12);
  const T want = nearest<T>(exact);
  ++worst.compared;
  std::int64_t ulps = 0;
  if (std::isnan(want) || std::isnan(got)) {
    ulps = std::isnan(want) && std::isnan(got) ? 0 : kWrong;
  } else if (want == 0 && got == 0) {
    ulps = std::signbit(want) == std::signbit(got) ? 0 : kWrong;
  } else if (std::abs(bessel_argument) >= 8 && std::abs(want - got) <= kBessel) {
    ulps = 0;
  } else {
    const std::int64_t distance = place(got) - place(want);
    ulps = distance < 0 ? -distance : distance;
  }
  if (ulps > worst.ulps) {
    worst.ulps = ulps;
    worst.where = arguments_text(arguments, got, want);
  }
}

template <class T>
std::uint64_t bits_of(T x) {
  return std::bit_cast<Bits<T>>(x);
}
std::uint64_t bits_of(int n) {
  return static_cast<std::uint32_t>(n);
}

const MathFunction& function_of(const std::string& name) {
  const MathFunction* const function = find_math_function(name);
  INFO(name);
  REQUIRE(function != nullptr);
  return *function;
}

/// A function of `count` floating-point arguments.
template <class Reference, class T, std::size_t count>
Worst check_reals(const std::string& name, std::size_t samples, Range range) {
  const MathFunction& function = function_of(name);
  REQUIRE(function.arguments == count);
  Worst worst;
  Real exact;
  std::array<Real, count> wide;
  const auto one = [&](const std::array<T, count>& x) {
    std::array<std::uint64_t, kMaxMathArguments> bits{};
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
      bits[i] = bits_of(x[i]);
      mpfr_set_d(wide[i], static_cast<double>(x[i]), MPFR_RNDN);
      texts.push_back(fmt::format("{:a}", x[i]));
    }
    if constexpr (count == 1) Reference::template apply<T>(exact, wide[0]);
    if constexpr (count == 2) Reference::template apply<T>(exact, wide[0], wide[1]);
    if constexpr (count == 3) Reference::template apply<T>(exact, wide[0], wide[1], wide[2]);
    if constexpr (count == 4) {
      Reference::template apply<T>(exact, wide[0], wide[1], wide[2], wide[3]);
    }
    const T got = std::bit_cast<T>(static_cast<Bits<T>>(function.evaluate(bits)));
    compare(worst, got, exact, texts, range == Range::bessel ? x[0] : T(0));
  };
  const std::vector<T> special = special_values<T>();
  std::array<T, count> x{};
  for (const T first : special) {
    // MPFR evaluates Bessel functions of huge numbers by a series as long.
    if (range == Range::bessel && std::isfinite(first) && std::abs(first) > 1000) continue;
    for (const T second : special) {
      x.fill(second);
      x[0] = first;
      one(x);
      if (count == 1) break;
    }
  }
  Arguments<T> random(range);
  for (std::size_t i = 0; i < samples; ++i) {
    for (T& argument : x) argument = random.next();
    one(x);
  }
  return worst;
}

/// A function of an integer and a floating-point argument, in the order that `integer_first` says.
template <class Reference, class T, bool integer_first>
Worst check_with_integer(const std::string& name, std::size_t samples, Range range) {
  const MathFunction& function = function_of(name);
  REQUIRE(function.arguments == 2);
  Worst worst;
  Real exact, wide;
  const auto one = [&](int n, T x) {
    mpfr_set_d(wide, static_cast<double>(x), MPFR_RNDN);
    if constexpr (integer_first) {
      Reference::template apply<T>(exact, n, wide);
    } else {
      Reference::template apply<T>(exact, wide, n);
    }
    const std::uint64_t bits = integer_first ? function.evaluate({bits_of(n), bits_of(x), 0, 0})
                                             : function.evaluate({bits_of(x), bits_of(n), 0, 0});
    compare(worst, std::bit_cast<T>(static_cast<Bits<T>>(bits)), exact,
            {fmt::format("{}", n), fmt::format("{:a}", x)}, range == Range::bessel ? x : T(0));
  };
  Arguments<T> random(range);
  for (const T x : special_values<T>()) {
    if (range == Range::bessel && std::isfinite(x) && std::abs(x) > 1000) continue;
    for (int i = 0; i < 12; ++i) one(random.next_integer(), x);
  }
  for (std::size_t i = 0; i < samples; ++i) one(random.next_integer(), random.next());
  return worst;
}

template <class Reference, class T>
Worst check_integer_of(const std::string& name, std::size_t samples) {
  const MathFunction& function = function_of(name);
  Worst worst;
  Real wide;
  const auto one = [&](T x) {
    mpfr_set_d(wide, static_cast<double>(x), MPFR_RNDN);
    const auto got =
        static_cast<int>(static_cast<std::uint32_t>(function.evaluate({bits_of(x), 0, 0, 0})));
    ++worst.compared;
    if (got != Reference::apply(wide)) {
      worst.ulps = 1;
      worst.where = fmt::format("({:a}): got {}, want {}", x, got, Reference::apply(wide));
    }
  };
  Arguments<T> random(Range::everywhere);
  for (const T x : special_values<T>()) one(x);
  for (std::size_t i = 0; i < samples; ++i) one(random.next());
  return worst;
}

void report(const std::string& name, std::int64_t bound, const Worst& worst) {
  UNSCOPED_INFO(fmt::format("{}: {} of {} ulps, {} compared {}", name, worst.ulps, bound,
                            worst.compared, worst.where));
  CHECK(worst.ulps <= bound);
}

constexpr std::size_t kSamples = 1500, kBesselSamples = 150;

}  // namespace

TEST_CASE("each mathematical function is within the Programming Guide's maximum error",
          "[machine][unit]") {
  const std::string nv = "__nv_";
  const auto range = [](std::string_view name) {
    return name == "j0" || name == "j1" || name == "y0" || name == "y1" ? Range::bessel
                                                                        : Range::everywhere;
  };
  const auto samples = [&](std::string_view name) {
    return range(name) == Range::bessel ? kBesselSamples : kSamples;
  };
#define REALS(name, count, f, d)                                                                  \
  report(                                                                                         \
      #name "f", f,                                                                               \
      check_reals<name##_reference, float, count>(nv + #name "f", samples(#name), range(#name))); \
  report(#name, d,                                                                                \
         check_reals<name##_reference, double, count>(nv + #name, samples(#name), range(#name)));
#define WITH_INTEGER(name, first, samples, range, f, d)                                       \
  report(#name "f", f,                                                                        \
         check_with_integer<name##_reference, float, first>(nv + #name "f", samples, range)); \
  report(#name, d, check_with_integer<name##_reference, double, first>(nv + #name, samples, range));
#define WARPGRADE_MATH_1(name, f, d) REALS(name, 1, f, d)
#define WARPGRADE_MATH_2(name, f, d) REALS(name, 2, f, d)
#define WARPGRADE_MATH_3(name, f, d) REALS(name, 3, f, d)
#define WARPGRADE_MATH_4(name, f, d) REALS(name, 4, f, d)
#define WARPGRADE_MATH_STD_1 WARPGRADE_MATH_1
#define WARPGRADE_MATH_STD_2 WARPGRADE_MATH_2
#define WARPGRADE_MATH_INT(name, f, d)                                                       \
  report(#name "f", f, check_integer_of<name##_reference, float>(nv + #name "f", kSamples)); \
  report(#name, d, check_integer_of<name##_reference, double>(nv + #name, kSamples));
#define WARPGRADE_MATH_OF_INT(name, f, d) \
  WITH_INTEGER(name, false, kSamples, Range::everywhere, f, d)
#define WARPGRADE_MATH_INT_OF(name, f, d) \
  WITH_INTEGER(name, true, kBesselSamples, Range::bessel, f, d)
#include "emulator/include/warpgrade/math_names.h"
}

TEST_CASE("a name of no mathematical function is not found", "[machine][unit]") {
  CHECK(find_math_function("__nv_sinf") != nullptr);
  CHECK(find_math_function("__nv_sinff") == nullptr);
  CHECK(find_math_function("sinf") == nullptr);
}

}  // namespace warpsim
#endif
