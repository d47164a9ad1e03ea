#include "harness/core/closest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace warpgrade {

namespace {

/// The Damerau-Levenshtein distance: insertions, deletions, substitutions and transpositions of
/// neighbours that turn `a` into `b`.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_up;
  std::vector<std::size_t> up(b.size() + 1);
  std::iota(up.begin(), up.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_up[j - 2] + 1);
      }
    }
    two_up = std::exchange(up, std::move(row));
  }
  return up[b.size()];
}

}  // namespace

std::string closest(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = edits_between(name, candidate);
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

}  // namespace warpgrade
