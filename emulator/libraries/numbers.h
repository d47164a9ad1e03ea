#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

// The numbers of the libraries' arrays: cudaDataType_t, and f16 and bf16 as bits.

namespace warpsim::libraries {

/// cudaDataType_t. A program may pass any number.
enum class DataType : int { f32 = 0, f64 = 1, f16 = 2, c32 = 4, c64 = 5, bf16 = 14 };

/// Whether it is one of the above.
[[nodiscard]] bool is_known(DataType type);
[[nodiscard]] std::size_t bytes_of(DataType type);
/// "CUDA_R_32F"
[[nodiscard]] std::string in_words(DataType type);
[[nodiscard]] constexpr bool is_complex(DataType type) {
  return type == DataType::c32 || type == DataType::c64;
}
[[nodiscard]] constexpr bool is_double(DataType type) {
  return type == DataType::f64 || type == DataType::c64;
}
/// Of two bytes: f16 or bf16.
[[nodiscard]] constexpr bool is_half(DataType type) {
  return type == DataType::f16 || type == DataType::bf16;
}

[[nodiscard]] float from_half(std::uint16_t bits);
/// To nearest, ties to even.
[[nodiscard]] std::uint16_t to_half(float value);
[[nodiscard]] float from_bfloat(std::uint16_t bits);
[[nodiscard]] std::uint16_t to_bfloat(float value);

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
/// float of std::complex<float>
template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;

/// The element at an index of an array of `type`, as T, which holds it. A complex element needs a
/// complex T.
template <class T>
[[nodiscard]] T load(DataType type, const std::byte* array, std::size_t index = 0) {
  const std::byte* const at = array + index * bytes_of(type);
  const auto bits = [&] { return *reinterpret_cast<const std::uint16_t*>(at); };
  using R = Real<T>;
  switch (type) {
    case DataType::f64:
      return T(static_cast<R>(*reinterpret_cast<const double*>(at)));
    case DataType::f16:
      return T(static_cast<R>(from_half(bits())));
    case DataType::bf16:
      return T(static_cast<R>(from_bfloat(bits())));
    case DataType::c32:
      if constexpr (kIsComplex<T>) return T(*reinterpret_cast<const std::complex<float>*>(at));
      break;
    case DataType::c64:
      if constexpr (kIsComplex<T>) return T(*reinterpret_cast<const std::complex<double>*>(at));
      break;
    case DataType::f32:
      break;
  }
  return T(static_cast<R>(*reinterpret_cast<const float*>(at)));
}

/// Puts a value there, rounded to the type.
template <class T>
void store(DataType type, std::byte* array, std::size_t index, const T& value) {
  std::byte* const at = array + index * bytes_of(type);
  if constexpr (kIsComplex<T>) {
    if (type == DataType::c64) {
      *reinterpret_cast<std::complex<double>*>(at) = std::complex<double>(value);
    } else {
      *reinterpret_cast<std::complex<float>*>(at) = std::complex<float>(value);
    }
  } else {
    if (type == DataType::f64) {
      *reinterpret_cast<double*>(at) = value;
    } else if (type == DataType::f32) {
      *reinterpret_cast<float*>(at) = static_cast<float>(value);
    } else {
      const auto narrow = static_cast<float>(value);
      *reinterpret_cast<std::uint16_t*>(at) =
          type == DataType::f16 ? to_half(narrow) : to_bfloat(narrow);
    }
  }
}

/// The conjugate; of a real number, the number.
template <class T>
[[nodiscard]] T conjugate(const T& value) {
  if constexpr (kIsComplex<T>) {
    return std::conj(value);
  } else {
    return value;
  }
}

}  // namespace warpsim::libraries
