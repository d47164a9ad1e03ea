#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "emulator/libraries/cublas/request.h"

// Functions of level 1 that OpenBLAS answers otherwise than cuBLAS does on a GPU where elements are
// NaN or infinite, and where a rotation is made of large, tiny or zero numbers.

namespace warpsim::cublas {

/// What iamax and iamin compare: |re| + |im| of a complex number.
template <class T>
[[nodiscard]] auto magnitude(const T& value) {
  if constexpr (kIsComplex<T>) {
    return std::abs(value.real()) + std::abs(value.imag());
  } else {
    return std::abs(value);
  }
}

/// The index, from 0, of the first element whose magnitude no other one exceeds, or with `kLeast`
/// undercuts. NaN counts only if there is nothing else.
template <bool kLeast, class T>
[[nodiscard]] std::int64_t extreme(std::int64_t count, const T* values, std::int64_t step) {
  std::int64_t best = -1;
  Real<T> reached = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const Real<T> here = magnitude(values[i * step]);
    if (std::isnan(here)) continue;
    if (best < 0 || (kLeast ? here < reached : here > reached)) {
      best = i;
      reached = here;
    }
  }
  return best < 0 ? 0 : best;
}

/// Complex numbers are multiplied by the formula, without the corrections of C for infinities.
template <class T, class A>
[[nodiscard]] T scaled(const A& factor, const T& value) {
  if constexpr (kIsComplex<A>) {
    return {factor.real() * value.real() - factor.imag() * value.imag(),
            factor.real() * value.imag() + factor.imag() * value.real()};
  } else {
    return factor * value;
  }
}

/// A rotation that makes (a, b) to (r, 0). r replaces a, and a number from which c and s can be
/// found again replaces b.
template <class T>
void make_givens(T& a, T& b, T& c, T& s) {
  const T scale = std::abs(a) + std::abs(b);
  if (scale == 0) {
    c = 1;
    s = a = b = 0;
    return;
  }
  const bool first_larger = std::abs(a) > std::abs(b);
  const T x = a / scale;
  const T y = b / scale;
  const T sign = std::copysign(T{1}, first_larger ? a : b);
  const T norm = sign * std::sqrt(x * x + y * y);
  a = sign * std::hypot(a, b);
  c = x / norm;
  s = y / norm;
  b = first_larger ? s : c != 0 ? 1 / c : T{1};
}

/// A modified rotation of (x1 sqrt(d1), y1 sqrt(d2)), by the method of the reference BLAS.
/// @param param  the flag, and those elements of H = (h11 h21 h12 h22) that it says are there
template <class T>
void make_modified_givens(T& d1, T& d2, T& x1, T y1, T* param) {
  constexpr T kScale = 4096;  // of d1 and d2 squared, and of elements of H
  constexpr T kLargest = kScale * kScale;
  T flag = -1, h11 = 0, h21 = 0, h12 = 0, h22 = 0;
  const bool negative = d1 < 0;
  const T p2 = d2 * y1;
  if (!negative && p2 == 0) {
    param[0] = -2;
    return;
  }
  const T p1 = d1 * x1;
  const T q1 = p1 * x1;
  const T q2 = p2 * y1;
  const T u = std::abs(q1) > std::abs(q2) ? 1 + (p2 / p1) * (y1 / x1) : 1 + (p1 / p2) * (x1 / y1);
  if (!negative && std::abs(q1) > std::abs(q2) && u > 0) {
    flag = 0;
    h21 = -y1 / x1;
    h12 = p2 / p1;
    d1 /= u;
    d2 /= u;
    x1 *= u;
  } else if (!negative && !(std::abs(q1) > std::abs(q2)) && !(q2 < 0)) {
    flag = 1;
    h11 = p1 / p2;
    h22 = x1 / y1;
    const T first = d1;
    d1 = d2 / u;
    d2 = first / u;
    x1 = y1 * u;
  } else {
    d1 = d2 = x1 = 0;
  }
  // H gets all four elements before it is scaled.
  const auto complete = [&] {
    if (flag == 0) h11 = h22 = 1;
    if (flag == 1) {
      h21 = -1;
      h12 = 1;
    }
    flag = -1;
  };
  while (d1 != 0 && std::isfinite(d1) && (d1 <= 1 / kLargest || d1 >= kLargest)) {
    complete();
    const T by = d1 <= 1 / kLargest ? kScale : 1 / kScale;
    d1 *= by * by;
    x1 /= by;
    h11 /= by;
    h12 /= by;
  }
  while (d2 != 0 && std::isfinite(d2) &&
         (std::abs(d2) <= 1 / kLargest || std::abs(d2) >= kLargest)) {
    complete();
    const T by = std::abs(d2) <= 1 / kLargest ? kScale : 1 / kScale;
    d2 *= by * by;
    h21 /= by;
    h22 /= by;
  }
  param[0] = flag;
  if (flag != 0) {
    param[1] = h11;
    param[4] = h22;
  }
  if (flag != 1) {
    param[2] = h21;
    param[3] = h12;
  }
}

}  // namespace warpsim::cublas
