#include "harness/data/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "harness/data/random.h"

namespace warpgrade {

namespace {

/// Converts to T; integers round down and saturate.
template <class T>
T to_element(double value) {
  if constexpr (is_float_like<T>) {
    return static_cast<T>(value);
  } else {
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = static_cast<double>(std::numeric_limits<T>::max());
    const double whole = std::floor(value);
    // The doubles nearest the 64-bit limits lie outside the type.
    if (!(whole > low)) return std::numeric_limits<T>::min();
    if (!(whole < high)) return std::numeric_limits<T>::max();
    return static_cast<T>(whole);
  }
}

double standard_normal(const Random& random, std::uint64_t index) {
  double sum = -6.0;
  for (std::uint64_t i = 0; i < 12; ++i) sum += random.uniform(12 * index + i);
  return sum;
}

/// Special values: the ends of the range, subnormals, both zeros, infinities.
template <class T>
T extreme(const Random& random, std::uint64_t index) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, Float16>) {
    // In the order of the other types' values below.
    constexpr std::array<std::uint16_t, 14> kBits = {0x7bff, 0xfbff, 0x0001, 0x8001, 0x0200,
                                                     0x8200, 0x0400, 0x1400, 0x0000, 0x8000,
                                                     0x3c00, 0xbc00, 0x77ff, 0x7c00};
    return Float16::from_bits(kBits[random.below(index, kBits.size())]);
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    constexpr std::array<std::uint16_t, 14> kBits = {0x7f7f, 0xff7f, 0x0001, 0x8001, 0x0040,
                                                     0x8040, 0x0080, 0x3c00, 0x0000, 0x8000,
                                                     0x3f80, 0xbf80, 0x7eff, 0x7f80};
    return BFloat16::from_bits(kBits[random.below(index, kBits.size())]);
  } else if constexpr (std::is_floating_point_v<T>) {
    const std::array values = {Limits::max(),
                               Limits::lowest(),
                               Limits::denorm_min(),
                               -Limits::denorm_min(),
                               Limits::min() / 2,
                               -Limits::min() / 2,
                               Limits::min(),
                               Limits::epsilon(),
                               T{0},
                               -T{0},
                               T{1},
                               -T{1},
                               Limits::max() / 2,
                               Limits::infinity()};
    return values[random.below(index, values.size())];
  } else {
    const std::array values = {Limits::max(), Limits::min(), T{0}, T{1}};
    return values[random.below(index, values.size())];
  }
}

/// Text of random words: a character occurs as often as in this sample, which has about the
/// frequencies of English letters.
constexpr std::string_view kLetters =
    "            "
    "eeeeeeeettttttaaaaaooooooiiiiinnnnnsssshhhhrrrrddddlllluuucccmmmwwffggyyppbbvkjxqz";

template <class T>
T element(const Fill& fill, const Random& random, std::uint64_t index) {
  const double width = fill.high - fill.low;
  switch (fill.distribution) {
    case Distribution::uniform:
    case Distribution::sorted:  // put in order by fill_array()
    case Distribution::descending:
    case Distribution::nearly_sorted:
      return to_element<T>(fill.low + width * random.uniform(index));
    case Distribution::normal:
      return to_element<T>(standard_normal(random, index));
    case Distribution::integers:
      return to_element<T>(fill.low + std::floor((width + 1) * random.uniform(index)));
    case Distribution::constant:
      return to_element<T>(fill.low);
    case Distribution::ramp:
      return to_element<T>(fill.low + static_cast<double>(index));
    case Distribution::signs:
      return to_element<T>((random.bits(index) >> 63U) == 0 ? fill.low : fill.high);
    case Distribution::extremes:
      return extreme<T>(random, index);
    case Distribution::skewed:
      // The choice and the value come from different halves of the stream.
      return random.uniform(2 * index + 1) < fill.share
                 ? to_element<T>(fill.value)
                 : to_element<T>(fill.low + std::floor((width + 1) * random.uniform(2 * index)));
    case Distribution::words:
      return to_element<T>(kLetters[random.below(index, kLetters.size())]);
    case Distribution::runs:
      return to_element<T>(fill.low +
                           std::floor((width + 1) * random.uniform(index / fill.length)));
    case Distribution::nans:
      break;
  }
  if constexpr (is_float_like<T>) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (random.below(2 * index + 1, 16)) {
      case 0:
        return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
      case 1:
        return static_cast<T>(kInfinity);
      case 2:
        return static_cast<T>(-kInfinity);
      default:
        break;
    }
  }
  return to_element<T>(fill.low + width * random.uniform(2 * index));
}

bool is_put_in_order(Distribution distribution) {
  return is_ordered(distribution) || distribution == Distribution::nearly_sorted;
}

/// Puts values that are not NaN into the order of a distribution.
template <class Values>
void put_in_order(Values values, Distribution distribution, std::uint64_t seed) {
  const auto below = []<class T>(T a, T b) {
    if constexpr (std::is_arithmetic_v<T>) {
      return a < b;
    } else {
      return static_cast<double>(a) < static_cast<double>(b);
    }
  };
  if (distribution == Distribution::descending) {
    std::stable_sort(values.begin(), values.end(), [&](auto a, auto b) { return below(b, a); });
    return;
  }
  std::stable_sort(values.begin(), values.end(), below);
  if (distribution != Distribution::nearly_sorted) return;
  constexpr std::uint32_t kOneIn = 20;  // an exchange displaces two
  constexpr std::uint32_t kFarthest = 8;
  const Random random(hash_fields({"nearly-sorted", std::to_string(seed)}));
  for (std::uint64_t i = 0; i < values.size(); ++i) {
    if (random.below(2 * i, kOneIn) != 0) continue;
    const std::uint64_t other = i + 1 + random.below(2 * i + 1, kFarthest);
    if (other < values.size()) std::swap(values[i], values[other]);
  }
}

}  // namespace

void fill_array(Array& array, const Fill& fill, std::uint64_t seed) {
  const Random random(seed);
  if (array.type == ElementType::boolean) {
    std::uint64_t index = 0;
    for (bool& value : array.as<bool>()) value = element<std::int64_t>(fill, random, index++) != 0;
    if (is_put_in_order(fill.distribution)) put_in_order(array.as<bool>(), fill.distribution, seed);
    return;
  }
  with_type(array.type, [&](auto zero) {
    using T = decltype(zero);
    std::uint64_t index = 0;
    if (fill.distribution == Distribution::uniform) {
      // As element() has it; most arrays are filled so, and large ones are.
      const double width = fill.high - fill.low;
      for (T& value : array.as<T>()) {
        value = to_element<T>(fill.low + width * random.uniform(index++));
      }
      return;
    }
    for (T& value : array.as<T>()) value = element<T>(fill, random, index++);
    if (is_put_in_order(fill.distribution)) put_in_order(array.as<T>(), fill.distribution, seed);
  });
}

}  // namespace warpgrade
