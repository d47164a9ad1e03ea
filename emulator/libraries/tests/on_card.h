#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

// Lines of calls on standard output for scripts/gpu_libraries: the name, the status, the results,
// and how far each may be from another right one.

namespace on_card {

template <class T>
inline constexpr bool kIsComplexNumber = false;
template <class T>
inline constexpr bool kIsComplexNumber<std::complex<T>> = true;

/// In [-1, 1], the same in every run.
inline double random_number() {
  static std::uint64_t state = 1;
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<double>(state >> 40) / (1 << 23) - 1;
}
template <class T>
T random_value() {
  if constexpr (kIsComplexNumber<T>) {
    const double real = random_number();
    return T(static_cast<typename T::value_type>(real),
             static_cast<typename T::value_type>(random_number()));
  } else {
    return static_cast<T>(static_cast<float>(random_number()));
  }
}

/// Half the distance from 1 to the next number.
template <class T>
constexpr double kRoundoff = 0x1p-24;
template <>
constexpr double kRoundoff<double> = 0x1p-53;
template <>
constexpr double kRoundoff<std::complex<double>> = 0x1p-53;
template <>
constexpr double kRoundoff<__half> = 0x1p-11;
template <>
constexpr double kRoundoff<__nv_bfloat16> = 0x1p-8;

template <class T>
double modulus(const T& value) {
  if constexpr (kIsComplexNumber<T>) {
    return std::abs(std::complex<double>(value));
  } else {
    return std::abs(static_cast<double>(static_cast<float>(value)));
  }
}

/// @param moduli  the sum of the moduli of all that was added up, of each result or of all
/// @param operations  of the longest sum; 0: results have to be equal
/// @tparam S  of sums
template <class S, class T>
void line(const std::string& name, int status, const std::vector<T>& results,
          const std::vector<double>& moduli, double operations) {
  std::printf("%s|-|%d|", name.c_str(), status);
  for (const T& value : results) {
    if constexpr (kIsComplexNumber<T>) {
      std::printf("%a %a ", static_cast<double>(value.real()), static_cast<double>(value.imag()));
    } else if constexpr (std::is_same_v<T, double>) {
      std::printf("%a ", value);
    } else if constexpr (std::is_integral_v<T>) {
      std::printf("%a ", static_cast<double>(value));
    } else {
      std::printf("%a ", static_cast<double>(static_cast<float>(value)));
    }
  }
  std::printf("|");
  const double gamma = operations * kRoundoff<S> / (1 - operations * kRoundoff<S>);
  const double rounding = std::is_same_v<S, T> || std::is_integral_v<T> ? 0 : kRoundoff<T>;
  const double factor = operations == 0       ? 0
                        : kIsComplexNumber<T> ? 2 * gamma * std::sqrt(8.0)
                                              : 2 * (gamma + rounding);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const double bound = factor * moduli[moduli.size() == 1 ? 0 : i];
    std::printf("%.3g ", bound);
    if constexpr (kIsComplexNumber<T>) std::printf("%.3g ", bound);
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// Of a status without results.
inline void line(const std::string& name, int status) {
  std::printf("%s|-|%d||\n", name.c_str(), status);
  std::fflush(stdout);
}

}  // namespace on_card
