#include "harness/tolerance/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>

#include "harness/data/poison.h"
#include "harness/tolerance/compare_element.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One element's verdict; `error` is infinite if the class (NaN, infinity) is wrong.
struct Element {
  bool ok = false;
  double got = 0;
  double want = 0;
  double error = 0;
  double bound = 0;
};

template <class T>
Element examine_float(const Array& got, std::size_t i, double w, double bound) {
  const auto g = static_cast<double>(got.as<T>()[i]);
  Element element{.got = g, .want = w, .error = kInfinity, .bound = bound};
  if (const double error = std::abs(g - w); error <= element.bound && error < kInfinity) {
    element.error = error;  // the usual case: two numbers, and neither is the poison, a NaN
    element.ok = true;
    return element;
  }
  const bool unwritten = is_poison(got.bytes.data() + i * sizeof(T), got.type, sizeof(T));
  if (unwritten) return element;
  if (std::isnan(g) || std::isnan(w)) {
    element.ok = std::isnan(g) && std::isnan(w);
  } else if (std::isinf(g)) {
    // Overflow is right if the exact value, or one within the bound, overflows.
    element.ok = std::signbit(g) == std::signbit(w) &&
                 std::abs(w) + element.bound >= overflow_threshold(got.type);
  } else if (!std::isinf(w)) {
    element.error = std::abs(g - w);
    element.ok = element.error <= element.bound;
  }
  if (element.ok && element.error == kInfinity) element.error = 0;
  return element;
}

template <class T>
Element examine_integer(const Array& got, std::size_t i, std::int64_t exact) {
  const T g = got.as<T>()[i];
  const T w = static_cast<T>(exact);
  Element element{.ok = g == w, .got = static_cast<double>(g), .want = static_cast<double>(w)};
  element.error = std::abs(element.got - element.want);
  // Two 64-bit integers may be the same double.
  if (!element.ok && element.error == 0) element.error = 1;
  return element;
}

/// @param skip  tells of a floating-point type how many elements from an index on need no visit
template <class Visit, class Skip>
void for_each_element(const Array& got, const Expected& want, Visit visit, Skip skip) {
  const std::size_t count = want.count();
  if (got.count() != count) {
    throw std::invalid_argument(
        fmt::format("compared {} elements with {} expected ones", got.count(), count));
  }
  with_type(got.type, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (is_float_like<T>) {
        i += skip(i, zero);
        if (i == count) break;
        visit(i, examine_float<T>(got, i, want.want[i], want.bound[i]));
      } else {
        visit(i, examine_integer<T>(got, i, want.exact[i]));
      }
    }
  });
}

/// More than two roundings of a product can change: for comparisons of ratios without a division.
constexpr double kRounding = 1 - 0x1p-50;

/// The number of elements from `begin` on whose error, relative to its bound, is certainly at most
/// `ratio` and 1: nearly all of a right output, found without a division.
template <class T>
std::size_t count_inside(const Array& got, const Expected& want, std::size_t begin, double ratio) {
  const double limit = std::min(ratio, 1.0) * kRounding;
  const std::span<const T> values = got.as<T>();
  std::size_t i = begin;
  while (i < values.size() &&
         std::abs(static_cast<double>(values[i]) - want.want[i]) <= want.bound[i] * limit) {
    ++i;
  }
  return i - begin;
}

/// The number of elements from `begin` on that are numbers, as are those expected, and whose error,
/// relative to its bound, is certainly at most `ratio`: most of a wrong output, once the worst
/// element is known.
/// @param wrong  increased by the number of those that are wrong
template <class T>
std::size_t count_numbers(const Array& got, const Expected& want, std::size_t begin, double ratio,
                          std::uint64_t& wrong) {
  const std::span<const T> values = got.as<T>();
  const bool is_worst = ratio == kInfinity;
  std::size_t i = begin;
  for (; i < values.size(); ++i) {
    // A NaN or infinite if a value is; the poison is a NaN.
    const double error = std::abs(static_cast<double>(values[i]) - want.want[i]);
    if (!(error < kInfinity)) break;
    if (!is_worst && !(error <= want.bound[i] * ratio * kRounding)) break;
    wrong += error <= want.bound[i] ? 0 : 1;
  }
  return i - begin;
}

/// An element's error relative to its bound.
double ratio_of(const Element& element) {
  if (element.error == 0) return element.ok ? 0 : kInfinity;
  return element.bound > 0 ? element.error / element.bound : kInfinity;
}

}  // namespace

Comparison compare(const Array& got, const Expected& want, std::size_t limit) {
  Comparison result;
  result.count = want.count();
  bool first = true;
  const auto visit = [&](std::size_t i, const Element& element) {
    if (!element.ok) {
      ++result.mismatches;
      if (result.first.size() < limit) {
        result.first.push_back(
            {.index = i, .got = element.got, .want = element.want, .bound = element.bound});
      }
    }
    const double ratio = ratio_of(element);
    if (first || ratio > result.worst_ratio) {
      first = false;
      result.worst_ratio = ratio;
      result.max_error = element.error;
      result.bound = element.bound;
      result.worst_index = i;
    }
  };
  for_each_element(got, want, visit, [&]<class T>(std::size_t i, T) -> std::size_t {
    if (first) return 0;
    const std::size_t inside = count_inside<T>(got, want, i, result.worst_ratio);
    if (result.worst_ratio <= 1 || result.first.size() < limit) return inside;
    return inside + count_numbers<T>(got, want, i + inside, result.worst_ratio, result.mismatches);
  });
  return result;
}

bool matches_at(const Array& got, std::size_t i, const Expected& want, std::size_t j,
                double factor) {
  return with_type(got.type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (is_float_like<T>) {
      return examine_float<T>(got, i, want.want[j] * factor, want.bound[j] * std::abs(factor)).ok;
    } else {
      const double product = static_cast<double>(want.exact[j]) * factor;
      return examine_integer<T>(got, i,
                                factor == 1 ? want.exact[j] : static_cast<std::int64_t>(product))
          .ok;
    }
  });
}

std::vector<bool> matches(const Array& got, const Expected& want) {
  std::vector<bool> right(want.count(), true);
  const auto visit = [&](std::size_t i, const Element& element) {
    if (!element.ok) right[i] = false;
  };
  for_each_element(got, want, visit, [&]<class T>(std::size_t i, T) {
    std::size_t at = i + count_inside<T>(got, want, i, 1);
    // Numbers that are outside are wrong; the others are visited.
    for (; at < want.count(); ++at) {
      const double error = std::abs(static_cast<double>(got.as<T>()[at]) - want.want[at]);
      if (!(error < kInfinity)) break;
      if (!(error <= want.bound[at])) right[at] = false;
    }
    return at - i;
  });
  return right;
}

}  // namespace warpgrade
