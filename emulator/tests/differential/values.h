#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

// The types that kernels take and return, described at run time: the code that makes inputs and
// compares results is compiled once and not for each of hundreds of kernels.

namespace differential {

/// How far a floating-point result may be from the host's, beyond which it is a mismatch. Zero is
/// bit equality, except that any NaN equals any NaN (PTX leaves the payload open).
struct Tolerance {
  double ulps = 0;
  double absolute = 0;
};
inline constexpr Tolerance kExact{};

/// A scalar type of at most eight bytes. Values travel as their bits.
struct ValueType {
  const char* name;  // "s8", "f16"
  std::size_t size;  // bytes
  /// The values where implementations go wrong: limits and their neighbours, powers of two,
  /// widths; zeros, subnormals, ties, infinities and NaN.
  std::vector<std::uint64_t> edges;
  /// Integers of every magnitude; floating-point numbers of every exponent, half of them near 1.
  std::uint64_t (*random)(std::mt19937_64&);
  std::string (*show)(const void* value);
  bool (*agree)(const void* got, const void* want, const Tolerance& tolerance);
};

struct F16Tag;
struct Bf16Tag;

/// Defined for bool, the fixed-width integers, float, double and the two tags.
template <class T>
const ValueType& value_type();

template <>
const ValueType& value_type<bool>();
template <>
const ValueType& value_type<std::int8_t>();
template <>
const ValueType& value_type<std::uint8_t>();
template <>
const ValueType& value_type<std::int16_t>();
template <>
const ValueType& value_type<std::uint16_t>();
template <>
const ValueType& value_type<std::int32_t>();
template <>
const ValueType& value_type<std::uint32_t>();
template <>
const ValueType& value_type<std::int64_t>();
template <>
const ValueType& value_type<std::uint64_t>();
// CUDA's 64-bit atomics take these, which are not std::int64_t on Linux.
template <>
const ValueType& value_type<long long>();
template <>
const ValueType& value_type<unsigned long long>();
template <>
const ValueType& value_type<float>();
template <>
const ValueType& value_type<double>();
template <>
const ValueType& value_type<F16Tag>();
template <>
const ValueType& value_type<Bf16Tag>();

/// `count` pseudo-random values, the same on every run.
template <class T>
std::vector<T> random_values(std::size_t count, std::uint64_t seed = 1) {
  const ValueType& type = value_type<T>();
  std::mt19937_64 generator(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const std::uint64_t bits = type.random(generator);
    __builtin_memcpy(&value, &bits, sizeof(T));
  }
  return values;
}

/// Hex digits of any value, most significant byte first.
std::string show_bytes(const void* value, std::size_t size);

template <class... T>
struct Types {};

using SignedTypes = Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t>;
using UnsignedTypes = Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
using IntegerTypes = Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                           std::uint32_t, std::int64_t, std::uint64_t>;
using FloatTypes = Types<float, double>;

/// Calls `f.operator()<T>()` for each type of the list.
template <class... T, class F>
void for_each_type(Types<T...>, F f) {
  (f.template operator()<T>(), ...);
}

}  // namespace differential
