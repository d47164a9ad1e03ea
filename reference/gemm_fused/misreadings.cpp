#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

struct Extents {
  std::size_t m, n, k;
};
using Index = std::function<std::size_t(std::size_t one, std::size_t other, const Extents& e)>;

/// An index of an element that is taken for 0.
constexpr std::size_t kZero = std::numeric_limits<std::size_t>::max();

std::size_t row_of_a(std::size_t i, std::size_t l, const Extents& e) {
  return i * e.k + l;
}
std::size_t column_of_b(std::size_t l, std::size_t j, const Extents& e) {
  return j * e.k + l;
}
std::size_t row_of_c(std::size_t i, std::size_t j, const Extents& e) {
  return i * e.n + j;
}

struct Reading {
  Index a = row_of_a;
  Index b = column_of_b;
  Index c = row_of_c;
  std::function<std::size_t(std::size_t k)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t k)> end = [](std::size_t k) { return k; };
  double factor_of_c = 1;
  double factor = 1;  // of the products
  std::size_t phase = 0;  // of the loop, after which C is added or the sum cut; 0: none
  bool adds_c_in_each = false;
  bool cuts_in_each = false;
  bool cuts_before_c = false;
  bool cuts = true;  // negative results
  bool magnitude = false;  // in place of 0 for negative results
  bool c_alone_if_negative = false;
  bool c_decides = false;  // whether a result is 0, and is not added
  std::size_t corner = 0;  // tiles in which only threads with a result load B; 0: all do
  int bits = 0;  // of factors; 0: they are not rounded
  /// Whether product l counts.
  std::function<bool(std::size_t l)> counts = {};
  std::size_t outputs = 1;  // of a thread, between which the sum is not set to 0 ...
  std::size_t step = 1;  // ... and which are so far apart ...
  bool in_column = false;  // ... in a column of `out`, or in a row
  bool positive_products = false;  // negative ones are left out
  /// In place of the larger one of 0 and the sum, with the product and the element of C.
  std::function<double(double sum, double summand)> end_of_sum = {};
};

/// Whether the thread that loads element (l, j) of B has a result itself: in a block of corner x
/// corner threads it is the one with the row l and the column j of the tile exchanged.
bool loads_b(std::size_t at, std::size_t l, std::size_t corner, const Extents& e) {
  const std::size_t row = at / e.n / corner * corner + at % e.n % corner;
  const std::size_t column = at % e.n / corner * corner + l % corner;
  return row < e.m && column < e.n;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<float>("a");
    const auto b = call.input<float>("b");
    const auto c = call.input<float>("c");
    const auto out = call.floats("out");
    const Extents e{.m = static_cast<std::size_t>(call.dim("m")),
                    .n = static_cast<std::size_t>(call.dim("n")),
                    .k = static_cast<std::size_t>(call.dim("k"))};
    const std::size_t end = std::min(how.end(e.k), e.k);
    for (std::size_t at = 0; at < out.want.size(); ++at) {
      const std::size_t from_c = how.c(at / e.n, at % e.n, e);
      const double summand = from_c < c.size() ? how.factor_of_c * c[from_c] : 0;
      double sum = 0;
      double size = std::abs(summand);
      bool outside = from_c >= c.size();
      const std::size_t place = (how.in_column ? at / e.n : at % e.n) / how.step % how.outputs;
      for (std::size_t before = place + 1; before-- > 0;) {
        const std::size_t i = at / e.n - (how.in_column ? before * how.step : 0);
        const std::size_t j = at % e.n - (how.in_column ? 0 : before * how.step);
        for (std::size_t l = std::min(how.first(e.k), end); l < end; ++l) {
          if (how.counts && !how.counts(l)) continue;
          const std::size_t from_a = how.a(i, l, e);
          const std::size_t from_b = how.b(l, j, e);
          if (from_a == kZero || from_b == kZero) continue;
          if (from_a >= a.size() || from_b >= b.size()) {
            outside = true;
            break;
          }
          if (how.corner > 0 && !loads_b(at, l, how.corner, e)) continue;
          double left = a[from_a];
          double right = b[from_b];
          if (how.bits > 0) {
            left = rounded_to(left, how.bits);
            right = rounded_to(right, how.bits);
          }
          if (how.positive_products && left * right < 0) continue;
          sum += how.factor * left * right;
          size += std::abs(how.factor * left * right);
          const bool phase_ends = how.phase > 0 && (l % how.phase == how.phase - 1 || l + 1 == end);
          if (phase_ends && how.adds_c_in_each && l + 1 < end) {
            sum += summand;
            size += std::abs(summand);
          }
          if (phase_ends && how.cuts_in_each) sum = std::max(sum, 0.0);
        }
      }
      double want = (how.cuts_before_c ? std::max(sum, 0.0) : sum) + summand;
      if (how.c_decides) want = want > 0 ? sum : 0;
      if (how.magnitude) want = std::abs(want);
      if (how.c_alone_if_negative && want < 0) want = summand;
      if (how.cuts && !how.c_decides && !how.cuts_before_c && !how.c_alone_if_negative)
        want = std::max(want, 0.0);
      if (how.end_of_sum) want = how.end_of_sum(sum, summand);
      out.want[at] = want;
      out.condition[at] = outside ? kAnything : std::isfinite(size) ? size : 0;
    }
  };
}

/// Mistakes in loops over tiles of `tile` x `tile` elements in shared memory.
void add_for_tile(warpgrade::MisreadingList& list, std::size_t tile) {
  const std::string size = std::to_string(tile);
  list.add(
      "last-tile-of-" + size,
      "for the last tile of " + size + " products only: each tile replaces the sum",
      reading({.first = [tile](std::size_t k) { return k == 0 ? 0 : (k - 1) / tile * tile; }}));
  list.add("no-first-tile-of-" + size, "without the first " + size + " products of each sum",
           reading({.first = [tile](std::size_t) { return tile; }}));
  list.add("no-last-of-tiles-of-" + size,
           "without the last product of each tile of " + size + ": the inner loop ends too early",
           reading({.counts = [tile](std::size_t l) { return l % tile != tile - 1; }}));
  list.add("no-first-of-tiles-of-" + size,
           "without the first product of each tile of " + size + ": the inner loop begins at 1",
           reading({.counts = [tile](std::size_t l) { return l % tile != 0; }}));
  list.add("half-of-tiles-of-" + size, "for the first half of the products of each tile of " + size,
           reading({.counts = [tile](std::size_t l) { return l % tile < tile / 2; }}));
  list.add("same-tile-of-a-" + size,
           "for the first tile of A, " + size + " columns wide, in place of all tiles of a row",
           reading({.a = [tile](std::size_t i, std::size_t l, const Extents& e) {
             return i * e.k + l % tile;
           }}));
  list.add("same-tile-of-b-" + size,
           "for the first tile of B, " + size + " rows high, in place of all tiles of a column",
           reading({.b = [tile](std::size_t l, std::size_t j, const Extents& e) {
             return j * e.k + l % tile;
           }}));
  // Their elements beyond the edges are 0, and a tile's loop also multiplies what is beyond k.
  const auto whole = [tile](std::size_t k) { return (k + tile - 1) / tile * tile; };
  list.add("a-tiles-transposed-" + size,
           "for tiles of A, " + size + " x " + size + ", that are read as if transposed",
           reading({.a =
                        [tile](std::size_t i, std::size_t l, const Extents& e) {
                          const std::size_t row = i / tile * tile + l % tile;
                          const std::size_t column = l / tile * tile + i % tile;
                          return row < e.m && column < e.k ? row * e.k + column : kZero;
                        },
                    .end = whole}),
           "P5");
  list.add("b-tiles-transposed-" + size,
           "for tiles of B, " + size + " x " + size + ", that are read as if transposed",
           reading({.b =
                        [tile](std::size_t l, std::size_t j, const Extents& e) {
                          const std::size_t row = l / tile * tile + j % tile;
                          const std::size_t column = j / tile * tile + l % tile;
                          return row < e.k && column < e.n ? column * e.k + row : kZero;
                        },
                    .end = whole}),
           "P5");
  for (const bool in_column : {false, true}) {
    for (const std::size_t outputs : {2U, 4U}) {
      list.add("not-reset-" + std::to_string(outputs) + (in_column ? "-rows-" : "-columns-") + size,
               "if the sum were not set to 0 again between a thread's " + std::to_string(outputs) +
                   (in_column ? " rows, which are " : " columns, which are ") + size + " apart",
               reading({.outputs = outputs, .step = tile, .in_column = in_column}));
    }
  }
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("cut-before-c", "for max(0, A * B) + C: C is added after negative sums became 0",
           reading({.cuts_before_c = true}));
  list.add("not-cut", "for A * B + C, with its negative results", reading({.cuts = false}));
  list.add("magnitude", "for the absolute value of A * B + C", reading({.magnitude = true}));
  list.add("c-if-negative", "for C alone where A * B + C is negative",
           reading({.c_alone_if_negative = true}));
  list.add("no-c", "for max(0, A * B), without C", reading({.factor_of_c = 0}));
  list.add("c-decides", "if C decided only which results are 0, and were not added",
           reading({.c_decides = true}));
  list.add("c-subtracted", "for max(0, A * B - C)", reading({.factor_of_c = -1}));
  list.add("c-twice", "if C were added twice", reading({.factor_of_c = 2}));
  list.add("c-alone", "for max(0, C), without A * B", reading({.factor = 0}));
  list.add(
      "c-transposed", "for C read by columns; it is stored by rows",
      reading({.c = [](std::size_t i, std::size_t j, const Extents& e) { return j * e.m + i; }}),
      "P5");
  list.add("c-of-column", "for C[0][j] in place of C[i][j], as a bias of each column",
           reading({.c = [](std::size_t, std::size_t j, const Extents&) { return j; }}));
  list.add(
      "b-by-rows", "for B read by rows; it is stored by columns",
      reading({.b = [](std::size_t l, std::size_t j, const Extents& e) { return l * e.n + j; }}),
      "P5");
  list.add(
      "b-rows-of-n", "for columns of B that are n elements apart; they have k",
      reading({.b = [](std::size_t l, std::size_t j, const Extents& e) { return j * e.n + l; }}),
      "P5");
  list.add(
      "a-by-columns", "for A read by columns; it is stored by rows",
      reading({.a = [](std::size_t i, std::size_t l, const Extents& e) { return l * e.m + i; }}),
      "P5");
  list.add(
      "both-transposed", "for A read by columns and B by rows; it is the other way round",
      reading({.a = [](std::size_t i, std::size_t l, const Extents& e) { return l * e.m + i; },
               .b = [](std::size_t l, std::size_t j, const Extents& e) { return l * e.n + j; }}),
      "P5");
  list.add(
      "a-rows-of-n", "for rows of A that are n elements long; they have k",
      reading({.a = [](std::size_t i, std::size_t l, const Extents& e) { return i * e.n + l; }}),
      "P5");
  list.add("no-last-product", "for sums without the last product: the loop ends at k - 1",
           reading({.end = [](std::size_t k) { return k == 0 ? 0 : k - 1; }}));
  list.add("no-first-product", "for sums without the first product: the loop begins at 1",
           reading({.first = [](std::size_t) { return 1; }}));
  for (const std::size_t tile : {8U, 16U, 32U}) {
    const std::string size = std::to_string(tile);
    list.add(
        "whole-tiles-of-" + size,
        "for sums of whole tiles of " + size + " along k: the rest of the division is left out",
        reading({.end = [tile](std::size_t k) { return k / tile * tile; }}), "P6");
    list.add("c-in-each-tile-of-" + size,
             "if C were added once for every " + size + " products, and not once in all",
             reading({.phase = tile, .adds_c_in_each = true}));
    list.add("cut-in-each-tile-of-" + size,
             "if negative sums became 0 after every " + size + " products, and not only at the end",
             reading({.phase = tile, .cuts_in_each = true}));
    list.add(
        "b-guarded-" + size,
        "if only threads with a result of their own loaded B, in tiles of " + size + " x " + size,
        reading({.corner = tile}), "P7");
    add_for_tile(list, tile);
    list.add("first-tile-of-" + size, "for the first " + size + " products of each sum only",
             reading({.end = [tile](std::size_t) { return tile; }}));
  }
  list.add("halves", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
  list.add("last-product", "for the last product alone: each product replaces the sum",
           reading({.first = [](std::size_t k) { return k == 0 ? 0 : k - 1; }}));
  list.add("first-half", "for the products of the first half of k only",
           reading({.end = [](std::size_t k) { return k / 2; }}));
  list.add("fours", "for groups of four products: the rest of the division of k is left out",
           reading({.end = [](std::size_t k) { return k / 4 * 4; }}), "P13");
  list.add("both-cut", "for max(0, A * B) + max(0, C)",
           reading({.end_of_sum = [](double sum, double c) {
             return std::max(sum, 0.0) + std::max(c, 0.0);
           }}));
  list.add("c-cut", "for A * B + max(0, C)",
           reading({.end_of_sum = [](double sum, double c) { return sum + std::max(c, 0.0); }}));
  list.add("larger-of-c", "for the larger one of A * B and C, in place of 0",
           reading({.end_of_sum = [](double sum, double c) { return std::max(sum, c); }}));
  list.add("negative-kept", "for the smaller one of 0 and A * B + C",
           reading({.end_of_sum = [](double sum, double c) { return std::min(sum + c, 0.0); }}));
  list.add("step", "for 1 where A * B + C is positive, and 0 elsewhere",
           reading({.end_of_sum = [](double sum, double c) { return sum + c > 0 ? 1.0 : 0.0; }}));
  list.add(
      "limited", "for results limited to 1",
      reading({.end_of_sum = [](double sum, double c) { return std::clamp(sum + c, 0.0, 1.0); }}));
  list.add("times-c", "for max(0, A * B * C), with C as a factor",
           reading({.end_of_sum = [](double sum, double c) { return std::max(sum * c, 0.0); }}));
  list.add("positive-products", "if negative products were left out, and not negative sums",
           reading({.positive_products = true}));
  list.add("c-of-row", "for C[i] in place of C[i][j], as a bias of each row",
           reading({.c = [](std::size_t i, std::size_t, const Extents&) { return i; }}));
  list.add(
      "c-rows-of-m", "for rows of C that are m elements long; they have n",
      reading({.c = [](std::size_t i, std::size_t j, const Extents& e) { return i * e.m + j; }}),
      "P5");
  list.add("next-column-of-b", "for the columns of B after the right ones",
           reading({.b = [](std::size_t l, std::size_t j, const Extents& e) {
             return (j + 1) * e.k + l;
           }}));
  list.add("column-0-of-b", "for column 0 of B in place of column j",
           reading({.b = [](std::size_t l, std::size_t, const Extents&) { return l; }}));
  list.add("row-0-of-a", "for row 0 of A in place of row i",
           reading({.a = [](std::size_t, std::size_t l, const Extents&) { return l; }}));
  for (const std::size_t tile : {8U, 16U, 32U}) {
    const std::string size = std::to_string(tile);
    if (tile < 32)  // a rest of 32 is the last tile in the visible cases
      list.add(
          "no-last-tile-" + size,
          "without the last tile of each sum, tiles being " + size + " wide, whole or not",
          reading({.end = [tile](std::size_t k) { return k == 0 ? 0 : (k - 1) / tile * tile; }}));
    list.add("b-one-tile-behind-" + size,
             "if each tile of " + size +
                 " products took the tile of B before: A and B are one tile apart",
             reading({.b = [tile](std::size_t l, std::size_t j, const Extents& e) {
               return column_of_b(l < tile ? l : l - tile, j, e);
             }}));
  }
}
