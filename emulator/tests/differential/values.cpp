#include "emulator/tests/differential/values.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

namespace differential {
namespace {

template <class T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// One unit in the last place of `value`, at least the smallest subnormal.
template <class T>
double ulp_of(T value) {
  const T magnitude = std::fabs(value);
  const T up = std::nextafter(magnitude, std::numeric_limits<T>::infinity());
  if (std::isinf(up)) return double(magnitude) - double(std::nextafter(magnitude, T(0)));
  return double(up) - double(magnitude);
}

template <class T>
bool agree(const void* got_bytes, const void* want_bytes, const Tolerance& tolerance) {
  if (std::memcmp(got_bytes, want_bytes, sizeof(T)) == 0) return true;
  if constexpr (std::is_floating_point_v<T>) {
    const T got = load<T>(got_bytes), want = load<T>(want_bytes);
    if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
    if (tolerance.ulps == 0 && tolerance.absolute == 0) return false;
    // Only one of the two may have crossed the overflow threshold: the largest finite value is
    // then within the tolerance of the infinity.
    constexpr T kMax = std::numeric_limits<T>::max();
    const T near_got = std::isinf(got) ? std::copysign(kMax, got) : got;
    const T near_want = std::isinf(want) ? std::copysign(kMax, want) : want;
    const double error = std::fabs(double(near_got) - double(near_want));
    return error <= tolerance.ulps * ulp_of(near_want) + tolerance.absolute;
  }
  return false;
}

/// A 16-bit float by its number of mantissa bits: equal bits, or both NaN.
template <int Mantissa>
bool agree_16(const void* got_bytes, const void* want_bytes, const Tolerance&) {
  const auto got = load<std::uint16_t>(got_bytes), want = load<std::uint16_t>(want_bytes);
  const auto is_nan = [](std::uint16_t bits) {
    return (bits & 0x7fff) > (0x7fff >> Mantissa << Mantissa);
  };
  return got == want || (is_nan(got) && is_nan(want));
}

template <class T>
std::string show(const void* value) {
  std::ostringstream out;
  out << show_bytes(value, sizeof(T)) << " (" << +load<T>(value) << ")";
  return out.str();
}

std::string show_16(const void* value) {
  return show_bytes(value, 2);
}

std::uint64_t random_bits(std::mt19937_64& generator) {
  return generator();
}

std::uint64_t random_integer(std::mt19937_64& generator) {
  const std::uint64_t value = generator() >> (generator() % 64);
  return generator() % 2 == 0 ? value : 0 - value;
}

template <class T>
std::uint64_t random_float(std::mt19937_64& generator) {
  const std::uint64_t bits = generator();
  if (generator() % 2 == 0) return bits;
  const T near_one = T(double(std::int64_t(bits)) * 0x1p-60);
  std::uint64_t out = 0;
  std::memcpy(&out, &near_one, sizeof(T));
  return out;
}

template <class T>
ValueType integer(const char* name) {
  using Limits = std::numeric_limits<T>;
  constexpr int kBits = int(sizeof(T)) * 8;
  std::vector<std::uint64_t> edges = {0, 1, 2, 3, 5, 7, 31, 32, 33};
  for (const int near_width : {kBits - 1, kBits, kBits + 1}) {
    edges.push_back(std::uint64_t(near_width));
  }
  for (const int negative : {-1, -2, -7}) edges.push_back(std::uint64_t(std::int64_t{negative}));
  for (const T limit : {Limits::min(), Limits::max()}) {
    edges.push_back(std::uint64_t(limit));
    edges.push_back(std::uint64_t(limit) ^ 1);
  }
  edges.push_back(std::uint64_t{1} << (kBits - 1));
  edges.push_back(std::uint64_t{1} << (kBits / 2));
  edges.push_back(0x5555'5555'5555'5555);
  edges.push_back(0xaaaa'aaaa'aaaa'aaaa);
  return {.name = name,
          .size = sizeof(T),
          .edges = std::move(edges),
          .random = random_integer,
          .show = show<T>,
          .agree = agree<T>};
}

/// Each magnitude with both signs.
std::vector<std::uint64_t> with_signs(std::initializer_list<std::uint64_t> magnitudes,
                                      std::size_t size) {
  std::vector<std::uint64_t> edges;
  for (const std::uint64_t bits : magnitudes) {
    edges.push_back(bits);
    edges.push_back(bits | std::uint64_t{1} << (size * 8 - 1));
  }
  return edges;
}

}  // namespace

std::string show_bytes(const void* value, std::size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "0x";
  for (std::size_t i = size; i-- > 0;) {
    const auto byte = static_cast<const unsigned char*>(value)[i];
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

template <>
const ValueType& value_type<bool>() {
  static const ValueType type{
      .name = "bool",
      .size = 1,
      .edges = {0, 1},
      .random = [](std::mt19937_64& generator) { return std::uint64_t(generator() % 2); },
      .show = show<std::uint8_t>,
      .agree = agree<std::uint8_t>};
  return type;
}

#define DEFINE_INTEGER(T, name)                     \
  template <>                                       \
  const ValueType& value_type<T>() {                \
    static const ValueType type = integer<T>(name); \
    return type;                                    \
  }
DEFINE_INTEGER(std::int8_t, "s8")
DEFINE_INTEGER(std::uint8_t, "u8")
DEFINE_INTEGER(std::int16_t, "s16")
DEFINE_INTEGER(std::uint16_t, "u16")
DEFINE_INTEGER(std::int32_t, "s32")
DEFINE_INTEGER(std::uint32_t, "u32")
DEFINE_INTEGER(std::int64_t, "s64")
DEFINE_INTEGER(std::uint64_t, "u64")
DEFINE_INTEGER(long long, "s64")
DEFINE_INTEGER(unsigned long long, "u64")
#undef DEFINE_INTEGER

template <>
const ValueType& value_type<float>() {
  static const ValueType type{
      .name = "f32",
      .size = 4,
      .edges = with_signs(
          {0x00000000, 0x00000001, 0x007fffff, 0x00800000, 0x00800001, 0x33800000, 0x3effffff,
           0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40490fdb,
           0x4b000000, 0x4b800001, 0x4f000000, 0x5f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000},
          4),
      .random = random_float<float>,
      .show = show<float>,
      .agree = agree<float>};
  return type;
}

template <>
const ValueType& value_type<double>() {
  static const ValueType type{
      .name = "f64",
      .size = 8,
      .edges = with_signs(
          {0x0000000000000000, 0x0000000000000001, 0x000fffffffffffff, 0x0010000000000000,
           0x0010000000000001, 0x3ca0000000000000, 0x3fdfffffffffffff, 0x3fe0000000000000,
           0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001, 0x3ff8000000000000,
           0x400921fb54442d18, 0x4330000000000001, 0x41e0000000000000, 0x43e0000000000000,
           0x47efffffe0000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000},
          8),
      .random = random_float<double>,
      .show = show<double>,
      .agree = agree<double>};
  return type;
}

template <>
const ValueType& value_type<F16Tag>() {
  static const ValueType type{
      .name = "f16",
      .size = 2,
      .edges = with_signs(
          {0x0000, 0x0001, 0x03ff, 0x0400, 0x0401, 0x1400, 0x37ff, 0x3800, 0x3bff, 0x3c00, 0x3c01,
           0x3e00, 0x4000, 0x4248, 0x6400, 0x6801, 0x7bff, 0x7c00, 0x7e00},
          2),
      .random = random_bits,
      .show = show_16,
      .agree = agree_16<10>};
  return type;
}

template <>
const ValueType& value_type<Bf16Tag>() {
  static const ValueType type{
      .name = "bf16",
      .size = 2,
      .edges = with_signs(
          {0x0000, 0x0001, 0x007f, 0x0080, 0x0081, 0x3380, 0x3eff, 0x3f00, 0x3f7f, 0x3f80, 0x3f81,
           0x3fc0, 0x4000, 0x4049, 0x4b00, 0x4b81, 0x7f7f, 0x7f80, 0x7fc0},
          2),
      .random = random_bits,
      .show = show_16,
      .agree = agree_16<7>};
  return type;
}

}  // namespace differential
