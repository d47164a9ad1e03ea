#include "harness/tolerance/align.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <type_traits>

#include "harness/data/elements.h"

namespace warpgrade {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Expected units, by position, for those of `got` in one group.
using Pairing = std::vector<std::size_t>;

std::int64_t integer_of(const Array& got, std::size_t at) {
  return with_type(
      got.type, [&](auto zero) { return static_cast<std::int64_t>(got.as<decltype(zero)>()[at]); });
}

/// An element of an integer output as it is stored, to compare it with an expected one: those of
/// narrow types wrap like the submission's.
std::int64_t stored(const Array& got, std::int64_t exact) {
  return with_type(got.type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) return static_cast<std::int64_t>(static_cast<T>(exact));
    return exact;
  });
}

/// Pairs what is left over in order.
void pair_the_rest(Pairing& pairing) {
  std::vector<bool> taken(pairing.size());
  for (const std::size_t to : pairing) {
    if (to != kNone) taken[to] = true;
  }
  std::size_t next = 0;
  for (std::size_t& to : pairing) {
    if (to != kNone) continue;
    while (taken[next]) ++next;
    to = next++;
  }
}

std::vector<std::size_t> positions(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Integers, and rows of them: equal ones are paired by sorting both sides.
Pairing pair_exact(const Array& got, const Expected& want, std::size_t first, std::size_t units,
                   std::size_t length) {
  const auto mine = [&](std::size_t unit, std::size_t i) {
    return integer_of(got, (first + unit) * length + i);
  };
  const auto theirs = [&](std::size_t unit, std::size_t i) {
    return stored(got, want.exact[(first + unit) * length + i]);
  };
  const auto compare = [length](const auto& left, std::size_t a, const auto& right, std::size_t b) {
    for (std::size_t i = 0; i < length; ++i) {
      if (left(a, i) != right(b, i)) return left(a, i) < right(b, i) ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::size_t> a = positions(units);
  std::vector<std::size_t> b = a;
  std::stable_sort(a.begin(), a.end(),
                   [&](std::size_t x, std::size_t y) { return compare(mine, x, mine, y) < 0; });
  std::stable_sort(b.begin(), b.end(),
                   [&](std::size_t x, std::size_t y) { return compare(theirs, x, theirs, y) < 0; });
  Pairing pairing(units, kNone);
  for (std::size_t i = 0, j = 0; i < units && j < units;) {
    const int order = compare(mine, a[i], theirs, b[j]);
    if (order == 0) pairing[a[i]] = b[j];
    i += order <= 0 ? 1 : 0;
    j += order >= 0 ? 1 : 0;
  }
  return pairing;
}

/// Whether an element of a float output matches an expected one; the same rule as compare() has.
bool is_match(double got, double want, double bound) {
  if (std::isnan(got) || std::isnan(want)) return std::isnan(got) && std::isnan(want);
  if (std::isinf(got) || std::isinf(want)) return got == want;
  return std::abs(got - want) <= bound;
}

/// Single floats: a value takes, of the intervals that contain it, the one that ends first.
Pairing pair_intervals(const Array& got, const Expected& want, std::size_t first,
                       std::size_t units) {
  const auto begin = [&](std::size_t unit) {
    return want.want[first + unit] - want.bound[first + unit];
  };
  const auto end = [&](std::size_t unit) {
    return want.want[first + unit] + want.bound[first + unit];
  };
  Pairing pairing(units, kNone);
  std::vector<std::size_t> values;
  std::vector<std::size_t> mine_nan;
  for (std::size_t i = 0; i < units; ++i) {
    const std::size_t at = first + i;
    if (is_unwritten(got, at)) continue;
    (std::isnan(number_at(got, at)) ? mine_nan : values).push_back(i);
  }
  std::vector<std::size_t> intervals;
  std::vector<std::size_t> their_nan;
  for (std::size_t i = 0; i < units; ++i) {
    (std::isnan(want.want[first + i]) ? their_nan : intervals).push_back(i);
  }
  for (std::size_t i = 0; i < std::min(mine_nan.size(), their_nan.size()); ++i) {
    pairing[mine_nan[i]] = their_nan[i];
  }
  std::sort(values.begin(), values.end(), [&](std::size_t a, std::size_t b) {
    return number_at(got, first + a) < number_at(got, first + b);
  });
  std::sort(intervals.begin(), intervals.end(),
            [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
  const auto ends_later = [&](std::size_t a, std::size_t b) { return end(a) > end(b); };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(ends_later)> open(ends_later);
  std::size_t next = 0;
  for (const std::size_t i : values) {
    const double value = number_at(got, first + i);
    while (next < intervals.size() && begin(intervals[next]) <= value) open.push(intervals[next++]);
    while (!open.empty() && end(open.top()) < value) open.pop();
    if (!open.empty()) {
      pairing[i] = open.top();
      open.pop();
    }
  }
  return pairing;
}

/// Rows of floats: each takes the first free one that it matches, of those in ascending order of
/// their first values.
Pairing pair_rows(const Array& got, const Expected& want, std::size_t first, std::size_t units,
                  std::size_t length) {
  const auto matches_row = [&](std::size_t mine, std::size_t theirs) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t at = (first + theirs) * length + i;
      if (!is_match(number_at(got, (first + mine) * length + i), want.want[at], want.bound[at])) {
        return false;
      }
    }
    return true;
  };
  const auto lead = [&](std::size_t theirs) { return want.want[(first + theirs) * length]; };
  double widest = 0;
  for (std::size_t i = 0; i < units; ++i) {
    widest = std::max(widest, want.bound[(first + i) * length]);
  }
  std::vector<std::size_t> order;
  std::vector<std::size_t> with_nan;
  for (std::size_t i = 0; i < units; ++i) {
    (std::isnan(lead(i)) ? with_nan : order).push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return lead(a) < lead(b); });
  std::vector<bool> taken(units);
  // The next candidate that may be free, from each one: equal rows are not tried again and again.
  std::vector<std::size_t> skip(order.size() + 1);
  std::iota(skip.begin(), skip.end(), std::size_t{0});
  const auto next_free = [&](std::size_t at) {
    while (skip[at] != at) at = skip[at] = skip[skip[at]];
    return at;
  };
  Pairing pairing(units, kNone);
  for (std::size_t i = 0; i < units; ++i) {
    const double value = number_at(got, (first + i) * length);
    if (std::isnan(value)) {
      const auto found = std::find_if(with_nan.begin(), with_nan.end(), [&](std::size_t theirs) {
        return !taken[theirs] && matches_row(i, theirs);
      });
      if (found != with_nan.end()) {
        pairing[i] = *found;
        taken[*found] = true;
      }
      continue;
    }
    const auto from =
        std::lower_bound(order.begin(), order.end(), value - widest,
                         [&](std::size_t theirs, double least) { return lead(theirs) < least; });
    for (auto at = next_free(static_cast<std::size_t>(from - order.begin())); at < order.size();
         at = next_free(at + 1)) {
      if (lead(order[at]) > value + widest) break;
      if (matches_row(i, order[at])) {
        pairing[i] = order[at];
        taken[order[at]] = true;
        skip[at] = at + 1;
        break;
      }
    }
  }
  return pairing;
}

}  // namespace

Expected align(const Array& got, const Expected& want, std::uint64_t length,
               const std::vector<std::uint64_t>& groups) {
  Expected aligned = want;
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    const std::size_t first = groups[g];
    const std::size_t units = groups[g + 1] - first;
    if (units < 2) continue;
    Pairing pairing = !is_float(want.type) ? pair_exact(got, want, first, units, length)
                      : length == 1        ? pair_intervals(got, want, first, units)
                                           : pair_rows(got, want, first, units, length);
    pair_the_rest(pairing);
    for (std::size_t unit = 0; unit < units; ++unit) {
      const std::size_t to = (first + unit) * length;
      const std::size_t from = (first + pairing[unit]) * length;
      for (std::size_t i = 0; i < length; ++i) {
        if (is_float(want.type)) {
          aligned.want[to + i] = want.want[from + i];
          aligned.bound[to + i] = want.bound[from + i];
        } else {
          aligned.exact[to + i] = want.exact[from + i];
        }
      }
    }
  }
  return aligned;
}

}  // namespace warpgrade
