#include "harness/tolerance/compare.h"

#include <fmt/format.h>

#include <cmath>
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

/// The usual case: two numbers, neither of which is the poison, a NaN.
bool is_near(double got, double want, double bound) {
  const double error = std::abs(got - want);
  return error <= bound && error < kInfinity;
}

template <class T>
Element examine_float(const Array& got, std::size_t i, double w, double bound) {
  const auto g = static_cast<double>(got.as<T>()[i]);
  Element element{.got = g, .want = w, .error = kInfinity, .bound = bound};
  if (is_near(g, w, bound)) {
    element.error = std::abs(g - w);
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

/// @throws std::invalid_argument
void check_counts(const Array& got, const Expected& want) {
  if (got.count() == want.count()) return;
  throw std::invalid_argument(
      fmt::format("compared {} elements with {} expected ones", got.count(), want.count()));
}

template <class Visit>
void for_each_element(const Array& got, const Expected& want, Visit visit) {
  check_counts(got, want);
  const std::size_t count = want.count();
  with_type(got.type, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (is_float_like<T>) {
        visit(i, examine_float<T>(got, i, want.want[i], want.bound[i]));
      } else {
        visit(i, examine_integer<T>(got, i, want.exact[i]));
      }
    }
  });
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
  for_each_element(got, want, [&](std::size_t i, const Element& element) {
    if (!element.ok) {
      ++result.mismatches;
      if (result.first.size() < limit) {
        result.first.push_back(
            {.index = i, .got = element.got, .want = element.want, .bound = element.bound});
      }
    }
    // A division per element takes longer than everything else.
    constexpr double kSurely = 1 - 1e-12;
    if (!first && element.ok && element.error <= kSurely * result.worst_ratio * element.bound) {
      return;
    }
    const double ratio = ratio_of(element);
    if (first || ratio > result.worst_ratio) {
      first = false;
      result.worst_ratio = ratio;
      result.max_error = element.error;
      result.bound = element.bound;
      result.worst_index = i;
    }
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
  check_counts(got, want);
  std::vector<bool> right(want.count(), true);
  // Nearly all elements are right: only others are written.
  with_type(got.type, [&](auto zero) {
    using T = decltype(zero);
    const std::span<const T> values = got.as<T>();
    for (std::size_t i = 0; i < right.size(); ++i) {
      if constexpr (is_float_like<T>) {
        if (is_near(static_cast<double>(values[i]), want.want[i], want.bound[i])) continue;
        if (!examine_float<T>(got, i, want.want[i], want.bound[i]).ok) right[i] = false;
      } else if (values[i] != static_cast<T>(want.exact[i])) {
        right[i] = false;
      }
    }
  });
  return right;
}

}  // namespace warpgrade
