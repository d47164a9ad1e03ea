#include <cmath>
#include <limits>
#include <numbers>

#include "emulator/tests/differential/map.h"

// The CUDA math library in single and double precision, within the maximum errors that the CUDA
// programming guide's appendix on mathematical functions lists. float is compared with the host's
// double; double against the host's, whose own error is below one unit in the last place.

namespace differential {
namespace {

/// A function of one argument: `device_f` on the device, the host's function of the wider type.
#define MATH1(Name, device_f, host_f)                                       \
  struct Name##F32 {                                                        \
    __host__ __device__ float operator()(float x) const {                   \
      return DEVICE_OR_HOST(device_f(x), float(host_f(double(x))));         \
    }                                                                       \
  };                                                                        \
  struct Name##F64 {                                                        \
    __host__ __device__ double operator()(double x) const {                 \
      return DEVICE_OR_HOST(device_f(x), double(host_f((long double)(x)))); \
    }                                                                       \
  };

#define MATH2(Name, device_f, host_f)                                                            \
  struct Name##F32 {                                                                             \
    __host__ __device__ float operator()(float x, float y) const {                               \
      return DEVICE_OR_HOST(device_f(x, y), float(host_f(double(x), double(y))));                \
    }                                                                                            \
  };                                                                                             \
  struct Name##F64 {                                                                             \
    __host__ __device__ double operator()(double x, double y) const {                            \
      return DEVICE_OR_HOST(device_f(x, y), double(host_f((long double)(x), (long double)(y)))); \
    }                                                                                            \
  };

template <class T>
T exp10_model(T x) {
  return std::pow(T(10), x);
}

/// In double: the x87 routine of glibc is wrong for infinite bases and huge exponents.
template <class T>
T pow_model(T x, T y) {
  return std::pow(double(x), double(y));
}

template <class T>
T rsqrt_model(T x) {
  return 1 / std::sqrt(x);
}

template <class T>
T rcbrt_model(T x) {
  return 1 / std::cbrt(x);
}

/// sin(pi x), with the reduction done exactly.
template <class T>
T sinpi_model(T x) {
  if (!std::isfinite(x)) return x - x;
  const T rest = std::remainder(x, T(2));
  if (rest == std::trunc(rest)) return std::copysign(T(0), x);
  const T pi = std::numbers::pi_v<T>;
  if (std::fabs(rest) > T(0.5)) return std::sin((std::copysign(T(1), rest) - rest) * pi);
  return std::sin(rest * pi);
}

template <class T>
T cospi_model(T x) {
  if (!std::isfinite(x)) return x - x;
  const T rest = std::fabs(std::remainder(x, T(2)));
  return std::sin((T(0.5) - rest) * std::numbers::pi_v<T>);
}

template <class T>
T normcdf_model(T x) {
  return std::erfc(-x / std::sqrt(T(2))) / 2;
}

template <class T>
T erfcx_model(T x) {
  // erfc underflows before exp(x*x) matters: the continued fraction's first terms take over.
  if (x > 8) {
    T fraction = 0;
    for (int k = 60; k > 0; --k) fraction = T(k) / 2 / (x + fraction);
    return 1 / (x + fraction) / std::sqrt(std::numbers::pi_v<T>);
  }
  return std::exp(x * x) * std::erfc(x);
}

MATH1(Sin, sin, std::sin)
MATH1(Cos, cos, std::cos)
MATH1(Tan, tan, std::tan)
MATH1(SinPi, sinpi, sinpi_model)
MATH1(CosPi, cospi, cospi_model)
MATH1(Asin, asin, std::asin)
MATH1(Acos, acos, std::acos)
MATH1(Atan, atan, std::atan)
MATH1(Sinh, sinh, std::sinh)
MATH1(Cosh, cosh, std::cosh)
MATH1(Tanh, tanh, std::tanh)
MATH1(Asinh, asinh, std::asinh)
MATH1(Acosh, acosh, std::acosh)
MATH1(Atanh, atanh, std::atanh)
MATH1(Exp, exp, std::exp)
MATH1(Exp2, exp2, std::exp2)
MATH1(Exp10, exp10, exp10_model)
MATH1(Expm1, expm1, std::expm1)
MATH1(Log, log, std::log)
MATH1(Log2, log2, std::log2)
MATH1(Log10, log10, std::log10)
MATH1(Log1p, log1p, std::log1p)
MATH1(Cbrt, cbrt, std::cbrt)
MATH1(Rsqrt, rsqrt, rsqrt_model)
MATH1(Rcbrt, rcbrt, rcbrt_model)
MATH1(Erf, erf, std::erf)
MATH1(Erfc, erfc, std::erfc)
MATH1(Erfcx, erfcx, erfcx_model)
MATH1(Normcdf, normcdf, normcdf_model)
MATH1(Tgamma, tgamma, std::tgamma)
MATH2(Pow, pow, pow_model)
MATH2(Atan2, atan2, std::atan2)
MATH2(Hypot, hypot, std::hypot)

struct SinCos {
  template <class T>
  __host__ __device__ T operator()(T x) const {
#ifdef __CUDA_ARCH__
    T sine, cosine;
    sincos(x, &sine, &cosine);
    return fabs(sine) > fabs(cosine) ? sine : cosine;
#else
    const T sine = std::sin(x), cosine = std::cos(x);
    return std::fabs(sine) > std::fabs(cosine) ? sine : cosine;
#endif
  }
};

struct IntegerPower {
  __host__ __device__ float operator()(float x, std::int8_t n) const {
    return DEVICE_OR_HOST(powf(x, float(n % 8)), float(std::pow(double(x), n % 8)));
  }
};

// The fast intrinsics, where their error is stated: __sinf and __cosf in [-pi, pi] absolutely, the
// others in units of the last place.
struct FastSin {
  static bool valid(float x) { return std::fabs(x) <= 3.14159f; }
  __host__ __device__ float operator()(float x) const {
    return DEVICE_OR_HOST(__sinf(x), float(std::sin(double(x))));
  }
};

struct FastCos {
  static bool valid(float x) { return std::fabs(x) <= 3.14159f; }
  __host__ __device__ float operator()(float x) const {
    return DEVICE_OR_HOST(__cosf(x), float(std::cos(double(x))));
  }
};

// 2 + floor(|1.173 x|) units; four for |x| <= 2.
struct FastExp {
  static bool valid(float x) { return std::fabs(x) <= 2; }
  __host__ __device__ float operator()(float x) const {
    return DEVICE_OR_HOST(__expf(x), float(std::exp(double(x))));
  }
};

// 3 units, outside of [0.5, 2] where the bound is absolute.
struct FastLog {
  static bool valid(float x) {
    return x >= std::numeric_limits<float>::min() && std::isfinite(x) && (x < 0.5f || x > 2.0f);
  }
  __host__ __device__ float operator()(float x) const {
    return DEVICE_OR_HOST(__logf(x), float(std::log(double(x))));
  }
};

struct FastDivide {
  static bool valid(float x, float y) {
    const float quotient = std::fabs(x / y), divisor = std::fabs(y);
    return divisor >= 0x1p-126f && divisor <= 0x1p126f && quotient >= 0x1p-126f &&
           std::fabs(x) >= 0x1p-126f && quotient < 0x1p127f && std::isfinite(x);
  }
  __host__ __device__ float operator()(float x, float y) const {
    return DEVICE_OR_HOST(__fdividef(x, y), float(double(x) / double(y)));
  }
};

struct FastRsqrt {
  static bool valid(float x) { return x >= std::numeric_limits<float>::min(); }
  __host__ __device__ float operator()(float x) const {
    return DEVICE_OR_HOST(__frsqrt_rn(x), float(1 / std::sqrt(double(x))));
  }
};

}  // namespace

void register_cases(Suite& suite) {
  // The guide's maximum error in units of the last place, and one for the host's own rounding.
#define ADD1(Name, text, ulps32, ulps64)                               \
  add_map<Name##F32, float>(suite, text " f32", {.ulps = ulps32 + 1}); \
  add_map<Name##F64, double>(suite, text " f64", {.ulps = ulps64 + 1})
#define ADD2(Name, text, ulps32, ulps64)                                      \
  add_map<Name##F32, float, float>(suite, text " f32", {.ulps = ulps32 + 1}); \
  add_map<Name##F64, double, double>(suite, text " f64", {.ulps = ulps64 + 1})

  ADD1(Sin, "sin", 2, 2);
  ADD1(Cos, "cos", 2, 2);
  ADD1(Tan, "tan", 4, 2);
  ADD1(SinPi, "sinpi", 1, 2);
  ADD1(CosPi, "cospi", 1, 2);
  ADD1(Asin, "asin", 2, 2);
  ADD1(Acos, "acos", 2, 2);
  ADD1(Atan, "atan", 2, 2);
  ADD1(Sinh, "sinh", 3, 2);
  ADD1(Cosh, "cosh", 2, 1);
  ADD1(Tanh, "tanh", 2, 1);
  ADD1(Asinh, "asinh", 3, 3);
  ADD1(Acosh, "acosh", 4, 3);
  ADD1(Atanh, "atanh", 3, 2);
  ADD1(Exp, "exp", 2, 1);
  ADD1(Exp2, "exp2", 2, 1);
  ADD1(Exp10, "exp10", 2, 1);
  ADD1(Expm1, "expm1", 1, 1);
  ADD1(Log, "log", 1, 1);
  ADD1(Log2, "log2", 1, 1);
  ADD1(Log10, "log10", 2, 1);
  ADD1(Log1p, "log1p", 1, 1);
  ADD1(Cbrt, "cbrt", 1, 1);
  ADD1(Rsqrt, "rsqrt", 2, 1);
  ADD1(Rcbrt, "rcbrt", 1, 1);
  ADD1(Erf, "erf", 2, 2);
  ADD1(Erfc, "erfc", 4, 5);
  ADD1(Erfcx, "erfcx", 4, 4);
  ADD1(Normcdf, "normcdf", 5, 5);
  ADD1(Tgamma, "tgamma", 5, 10);
  ADD2(Pow, "pow", 4, 2);
  ADD2(Atan2, "atan2", 3, 2);
  ADD2(Hypot, "hypot", 3, 2);
#undef ADD1
#undef ADD2

  add_maps<1, SinCos>(suite, "sincos", FloatTypes{}, {.ulps = 3});
  add_map<IntegerPower, float, std::int8_t>(suite, "pow with an integer", {.ulps = 5});
  add_map<FastSin, float>(suite, "__sinf", {.absolute = 0x1p-21});
  add_map<FastCos, float>(suite, "__cosf", {.absolute = 0x1p-21});
  add_map<FastExp, float>(suite, "__expf", {.ulps = 5});
  add_map<FastLog, float>(suite, "__logf", {.ulps = 4});
  add_map<FastDivide, float, float>(suite, "__fdividef", {.ulps = 3});
  add_map<FastRsqrt, float>(suite, "__frsqrt_rn", {.ulps = 1});
}

}  // namespace differential
