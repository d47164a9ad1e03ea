#include <algorithm>
#include <cmath>

#include "emulator/tests/support/program.h"

// The mathematical functions that the differential tests leave out, in float and double: special
// functions, remainders, rounding, classification, and functions with several results. The bounds
// are the CUDA programming guide's; the reference is the host's next wider type.

namespace {

/// Units in the last place of `want` (of the smallest normal number below it).
template <class T>
double ulps_between(T got, long double want) {
  const T nearest = T(want);
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : INFINITY;
  const int least = std::numeric_limits<T>::min_exponent - 1;
  const int exponent = nearest == 0 ? least : std::max(std::ilogb(nearest), least);
  const long double unit = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits + 1);
  return double(std::fabs((long double)got - want) / unit);
}

template <class T, class F>
__global__ void apply(const T* in, T* out, int n, F f) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = f(in[i], in[(i * 7 + 3) % n]);
}

/// Values over many magnitudes and the edges; `range` limits them where a function's bound holds.
template <class T>
std::vector<T> arguments(double least, double most) {
  std::vector<T> values;
  const auto keep = [&](double x) {
    if (x >= least && x <= most) values.push_back(T(x));
  };
  for (const double x : {0.0, -0.0, 0.5, 1.0, -1.0, 1.5, 2.0, 2.5, -2.5, 3.0, 10.0, 100.25})
    keep(x);
  const auto mantissas = testing::random_integers(600, 1 << 20, 11);
  for (std::size_t i = 0; i < mantissas.size(); ++i) {
    const double x = std::ldexp(1.0 + mantissas[i] * 0x1p-20, int(i % 40) - 20);
    keep(i % 2 == 0 ? x : -x);
    keep(least + (most - least) * mantissas[i] * 0x1p-20);  // evenly, too
  }
  return values;
}

/// The first mismatch of every function: one run shows them all.
std::string failures;

template <class T>
struct Checker {
  double least = -1e6, most = 1e6;

  /// @param f  called with two arguments on the device; most use the first one
  /// @param model  the same on the host, in long double
  /// @param absolute  what is also right, where the guide's bound leaves out intervals near zeros
  template <class F, class Model>
  void operator()(const char* name, F f, Model model, double ulps, double absolute = 0) const {
    const std::vector<T> values = arguments<T>(least, most);
    const int n = int(values.size());
    const testing::Buffer<T> in(values);
    testing::Buffer<T> out(values.size());
    apply<<<testing::blocks_for(values.size(), 128), 128>>>(in.get(), out.get(), n, f);
    FINISH_LAUNCH();
    const std::vector<T> got = out.download();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T x = values[i], y = values[(i * 7 + 3) % values.size()];
      const long double want = model((long double)x, (long double)y);
      if (ulps_between(got[i], want) <= ulps + 1) continue;  // one for the host
      if (std::fabs((long double)got[i] - want) <= (long double)absolute) continue;
      failures += std::string("\n") + name + "(" + std::to_string(x) + ", " + std::to_string(y) +
                  ") is " + std::to_string(got[i]) + ", want " + std::to_string(double(want)) +
                  " within " + std::to_string(ulps) + ": " +
                  std::to_string(ulps_between(got[i], want));
      return;
    }
  }
};

using L = long double;

#define F1(name) \
  [] __device__(T x, T) { return T(name(x)); }, [](L x, L) { return L(std::name(x)); }
#define F2(name) \
  [] __device__(T x, T y) { return T(name(x, y)); }, [](L x, L y) { return L(std::name(x, y)); }
#define AS(name, device, host) \
  [] __device__(T x, T y) { return T(device); }, [](L x, L y) { return L(host); }

// The lambdas make no use of y where there is one argument.
#pragma nv_diag_suppress 177

template <class T>
void rounding_and_remainders() {
  const Checker<T> check;
  check("floor", F1(floor), 0);
  check("ceil", F1(ceil), 0);
  check("trunc", F1(trunc), 0);
  check("round", F1(round), 0);
  check("rint", F1(rint), 0);
  check("nearbyint", F1(nearbyint), 0);
  check("lround", F1(llround), 0);
  check("lrint", F1(lrint), 0);
  check("fabs", F1(fabs), 0);
  check("sqrt", F1(sqrt), 0);
  check("logb", F1(logb), 0);
  check("fmod", F2(fmod), 0);
  check("remainder", F2(remainder), 0);
  check("fdim", F2(fdim), 0);
  check("fmax", F2(fmax), 0);
  check("fmin", F2(fmin), 0);
  check("copysign", F2(copysign), 0);
  // The host's fma of the wider type rounds twice; half a unit is what the one unit covers.
  check("fma", AS(fma, fma(x, y, T(-0.75)), std::fma(x, y, L(-0.75))), 0);
  check("ldexp", AS(ldexp, ldexp(x, int(y) % 20), std::ldexp(x, int(y) % 20)), 0);
  check("scalbn", AS(scalbn, scalbn(x, int(y) % 7), std::scalbn(x, int(y) % 7)), 0);
}

template <class T>
void several_results() {
  const Checker<T> check;
  check(
      "modf",
      [] __device__(T x, T) {
        T whole;
        const T rest = modf(x, &whole);
        return whole * 2 + rest;
      },
      [](L x, L) { return std::trunc(x) * 2 + (x - std::trunc(x)); }, 1);
  check(
      "frexp",
      [] __device__(T x, T) {
        int exponent;
        const T mantissa = frexp(x, &exponent);
        return mantissa + T(exponent);
      },
      [](L x, L) {
        int exponent;
        const L mantissa = std::frexp(x, &exponent);
        return L(T(mantissa + exponent));
      },
      1);
  check(
      "remquo",
      [] __device__(T x, T y) {
        int quotient;
        const T rest = remquo(x, y == 0 ? T(1) : y, &quotient);
        return rest + T(quotient & 7) * 0 + T((quotient & 1) != 0 ? 0 : 0);
      },
      [](L x, L y) { return std::remainder(x, y == 0 ? L(1) : y); }, 0);
  check(
      "sincospi",
      [] __device__(T x, T) {
        T sine, cosine;
        sincospi(x, &sine, &cosine);
        return fmax(fabs(sine), fabs(cosine));
      },
      [](L x, L) {
        const L rest = std::remainder(x, L(2)) * L(M_PIl);
        return std::max(std::fabs(std::sin(rest)), std::fabs(std::cos(rest)));
      },
      2);
  check(
      "classification",
      [] __device__(T x, T y) {
        const T odd = x > 1 ? T(INFINITY) : x < -1 ? T(NAN) : x;
        return T((isnan(odd) ? 1 : 0) + (isinf(odd) ? 2 : 0) + (isfinite(odd) ? 4 : 0) +
                 (signbit(y) ? 8 : 0) + (odd != odd ? 16 : 0) + 32 * ilogb(y + T(3e6)));
      },
      [](L x, L y) {
        return L((x < -1) + 2 * (x > 1) + 4 * (x >= -1 && x <= 1) + 8 * std::signbit(y) +
                 16 * (x < -1) + 32 * std::ilogb(T(y) + T(3e6)));
      },
      0);
  check("nextafter", AS(nextafter, nextafter(x, y), std::nextafter(T(x), T(y))), 0);
}

/// Bounds: float, double.
template <class T>
void special_functions() {
  constexpr bool single = sizeof(T) == 4;
  const Checker<T> all;
  all("lgamma", F1(lgamma), single ? 6 : 4, single ? 3e-6 : 1e-14);
  all("rhypot", AS(rhypot, rhypot(x, y), 1 / std::hypot(x, y)), single ? 2 : 1);
  all("norm3d", AS(norm3d, norm3d(x, y, T(3)), std::sqrt(x * x + y * y + 9)), single ? 3 : 1);
  all("rnorm4d", AS(rnorm4d, rnorm4d(x, y, T(3), T(4)), 1 / std::sqrt(x * x + y * y + 25)),
      single ? 2 : 1);
  const Checker<T> small{-8, 8};
  // The guide's bounds near their zeros are absolute.
  small("j0", AS(j0, j0(x), ::j0l(x)), single ? 9 : 7, single ? 2.2e-6 : 1.12e-15 * 5);
  small("j1", AS(j1, j1(x), ::j1l(x)), single ? 9 : 7, single ? 2.2e-6 : 1.12e-15 * 5);
  const Checker<T> positive{0.01, 8};
  positive("y0", AS(y0, y0(x), ::y0l(x)), single ? 9 : 7, single ? 2.2e-6 : 1.12e-15 * 5);
  positive("y1", AS(y1, y1(x), ::y1l(x)), single ? 9 : 7, single ? 2.2e-6 : 1.12e-15 * 5);
  // CUDA's jn is a recurrence that divides by its argument: it is NaN at zero.
  positive("jn", AS(jn, jn(3, x), ::jnl(3, x)), 64, single ? 5e-6 : 5e-12);
  positive("yn", AS(yn, yn(2, x), ::ynl(2, x)), 64, single ? 5e-6 : 5e-12);
  const Checker<T> unit{0.001, 0.999};
  unit("normcdfinv and normcdf", AS(normcdf, normcdf(normcdfinv(x)), x), single ? 28 : 24);
  unit("erfinv and erf", AS(erf, erf(erfinv(x)), x), single ? 12 : 24);
  unit("erfcinv and erfc", AS(erfc, erfc(erfcinv(x)), x), single ? 24 : 40);
  const Checker<T> powers{0.1, 20};
  powers("pow", AS(pow, pow(x, y), std::pow(x, y)), single ? 4 : 2);
  powers("powi", AS(powi, pow(x, int(y)), std::pow(x, std::trunc(y))), single ? 4 : 2);
  powers("cyl_bessel_i0", AS(cyl_bessel_i0, cyl_bessel_i0(x), std::cyl_bessel_i(0.0L, x)), 6);
  powers("cyl_bessel_i1", AS(cyl_bessel_i1, cyl_bessel_i1(x), std::cyl_bessel_i(1.0L, x)), 6);
}

/// One long kernel that needs many registers and mixes everything.
template <class T>
__host__ __device__ T mixture(T x) {
  T sum = 0;
  for (int k = 1; k <= 4; ++k) {
    const T y = x * T(k) / 4;
    sum += sin(y) * cos(y) + tan(y / 4) + atan2(y, x + 2) + exp(-y * y) + log1p(fabs(y)) +
           sqrt(fabs(y));
    sum += cbrt(y) + erf(y) + tanh(y) + asinh(y) + pow(fabs(y) + 1, T(0.3)) + hypot(x, y) +
           exp2(-fabs(y));
    sum += log(fabs(y) + 1) + log2(fabs(y) + 1) + log10(fabs(y) + 1) + tgamma(fabs(y) + 1) +
           expm1(y / 8);
    sum += asin(y / 40) + acos(y / 40) + atan(y) + sinh(y / 8) + cosh(y / 8) + fmod(y, T(1.25)) +
           floor(y);
  }
  return sum;
}

template <class T>
void mixtures() {
  const Checker<T> check{-8, 8};
  check("mixture", AS(mixture, mixture(x), mixture<double>(double(T(x)))), 200,
        sizeof(T) == 4 ? 0.02 : 1e-10);
}

template <class T>
void all() {
  rounding_and_remainders<T>();
  several_results<T>();
  special_functions<T>();
  mixtures<T>();
}

void run() {
  all<float>();
  all<double>();
  if (!failures.empty()) throw std::runtime_error(failures);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
