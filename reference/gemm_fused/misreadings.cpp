#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

struct Extents {
  std::size_t m, n, k;
};
using Index = std::size_t (*)(std::size_t one, std::size_t other, const Extents& e);

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
      for (std::size_t l = std::min(how.first(e.k), end); l < end; ++l) {
        const std::size_t from_a = how.a(at / e.n, l, e);
        const std::size_t from_b = how.b(l, at % e.n, e);
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
        sum += how.factor * left * right;
        size += std::abs(how.factor * left * right);
        const bool phase_ends = how.phase > 0 && (l % how.phase == how.phase - 1 || l + 1 == end);
        if (phase_ends && how.adds_c_in_each && l + 1 < end) {
          sum += summand;
          size += std::abs(summand);
        }
        if (phase_ends && how.cuts_in_each) sum = std::max(sum, 0.0);
      }
      double want = (how.cuts_before_c ? std::max(sum, 0.0) : sum) + summand;
      if (how.c_decides) want = want > 0 ? sum : 0;
      if (how.magnitude) want = std::abs(want);
      if (how.c_alone_if_negative && want < 0) want = summand;
      if (how.cuts && !how.c_decides && !how.cuts_before_c && !how.c_alone_if_negative)
        want = std::max(want, 0.0);
      out.want[at] = want;
      out.condition[at] = outside ? kAnything : std::isfinite(size) ? size : 0;
    }
  };
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
    list.add("first-tile-of-" + size, "for the first " + size + " products of each sum only",
             reading({.end = [tile](std::size_t) { return tile; }}));
  }
  list.add("halves", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
}
