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
using Index = std::function<std::size_t(std::size_t row, std::size_t column, const Extents& e)>;
/// Whether product l counts in element (i, j).
using Counts = std::function<bool(std::size_t i, std::size_t j, std::size_t l, const Extents& e)>;

/// An index of an element that is taken for 0.
constexpr std::size_t kZero = std::numeric_limits<std::size_t>::max();

/// Outputs that a thread computes one after the other, `step` apart along an axis.
struct Chain {
  bool rows = false;
  std::size_t outputs = 1;
  std::size_t step = 1;
};

std::size_t row_of_a(std::size_t i, std::size_t l, const Extents& e) {
  return i * e.k + l;
}
std::size_t row_of_b(std::size_t l, std::size_t j, const Extents& e) {
  return l * e.n + j;
}

/// The products from `first` to `end` of the inner index, with elements of A and B at other places.
struct Reading {
  Index a = row_of_a;  // of row i and inner index l
  Index b = row_of_b;  // of inner index l and column j
  std::function<std::size_t(std::size_t k)> first = [](std::size_t) { return 0; };
  std::function<std::size_t(std::size_t k)> end = [](std::size_t k) { return k; };
  int bits = 0;  // of factors; 0: they are not rounded
  double factor = 1;
  bool adds_factors = false;  // in place of multiplying them
  bool of_magnitudes = false;
  Counts counts = {};
  bool whole_numbers = false;  // the sum is an int
  Chain not_reset = {};  // outputs between which the sum is not set to 0
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<float>("a");
    const auto b = call.input<float>("b");
    const auto c = call.floats("c");
    const Extents e{.m = static_cast<std::size_t>(call.dim("m")),
                    .n = static_cast<std::size_t>(call.dim("n")),
                    .k = static_cast<std::size_t>(call.dim("k"))};
    const std::size_t end = std::min(how.end(e.k), e.k);
    const std::size_t first = std::min(how.first(e.k), end);
    for (std::size_t at = 0; at < c.want.size(); ++at) {
      double& want = c.want[at] = 0;
      double& condition = c.condition[at] = 0;
      const Chain& chain = how.not_reset;
      const std::size_t place = (chain.rows ? at / e.n : at % e.n) / chain.step % chain.outputs;
      for (std::size_t before = place + 1; before-- > 0;) {
        const std::size_t i = at / e.n - (chain.rows ? before * chain.step : 0);
        const std::size_t j = at % e.n - (chain.rows ? 0 : before * chain.step);
        for (std::size_t l = first; l < end; ++l) {
          if (how.counts && !how.counts(i, j, l, e)) continue;
          const std::size_t from_a = how.a(i, l, e);
          const std::size_t from_b = how.b(l, j, e);
          if (from_a == kZero || from_b == kZero) continue;
          if (from_a >= a.size() || from_b >= b.size()) {
            condition = kAnything;
            break;
          }
          double left = a[from_a];
          double right = b[from_b];
          if (how.bits > 0) {
            left = rounded_to(left, how.bits);
            right = rounded_to(right, how.bits);
          }
          double term = how.factor * (how.adds_factors ? left + right : left * right);
          if (how.of_magnitudes) term = std::abs(term);
          want += term;
          condition += std::abs(term);
          if (how.whole_numbers) want = std::trunc(want);
        }
      }
    }
  };
}

/// Mistakes in loops over tiles of `tile` x `tile` elements in shared memory.
void add_for_tile(warpgrade::MisreadingList& list, std::size_t tile) {
  const std::string size = std::to_string(tile);
  list.add("no-last-of-tiles-of-" + size,
           "without the last product of each tile of " + size + ": the inner loop ends too early",
           reading({.counts = [tile](std::size_t, std::size_t, std::size_t l, const Extents&) {
             return l % tile != tile - 1;
           }}));
  list.add("no-first-of-tiles-of-" + size,
           "without the first product of each tile of " + size + ": the inner loop begins at 1",
           reading({.counts = [tile](std::size_t, std::size_t, std::size_t l, const Extents&) {
             return l % tile != 0;
           }}));
  list.add("half-of-tiles-of-" + size, "for the first half of the products of each tile of " + size,
           reading({.counts = [tile](std::size_t, std::size_t, std::size_t l, const Extents&) {
             return l % tile < tile / 2;
           }}));
  list.add("same-tile-of-a-" + size,
           "for the first tile of A, " + size + " columns wide, in place of all tiles of a row",
           reading({.a = [tile](std::size_t i, std::size_t l, const Extents& e) {
             return i * e.k + l % tile;
           }}));
  list.add("same-tile-of-b-" + size,
           "for the first tile of B, " + size + " rows high, in place of all tiles of a column",
           reading({.b = [tile](std::size_t l, std::size_t j, const Extents& e) {
             return l % tile * e.n + j;
           }}));
  // Their elements beyond the edges are 0.
  const Index turned_a = [tile](std::size_t i, std::size_t l, const Extents& e) {
    const std::size_t row = i / tile * tile + l % tile;
    const std::size_t column = l / tile * tile + i % tile;
    return row < e.m && column < e.k ? row * e.k + column : kZero;
  };
  const Index turned_b = [tile](std::size_t l, std::size_t j, const Extents& e) {
    const std::size_t row = l / tile * tile + j % tile;
    const std::size_t column = j / tile * tile + l % tile;
    return row < e.k && column < e.n ? row * e.n + column : kZero;
  };
  // A tile's loop also multiplies what is beyond k.
  const auto whole = [tile](std::size_t k) { return (k + tile - 1) / tile * tile; };
  list.add("a-tiles-transposed-" + size,
           "for tiles of A, " + size + " x " + size + ", that are read as if transposed",
           reading({.a = turned_a, .end = whole}), "P5");
  list.add("b-tiles-transposed-" + size,
           "for tiles of B, " + size + " x " + size + ", that are read as if transposed",
           reading({.b = turned_b, .end = whole}), "P5");
  list.add("ab-tiles-transposed-" + size,
           "for tiles of A and B, " + size + " x " + size + ", that are read as if transposed",
           reading({.a = turned_a, .b = turned_b, .end = whole}), "P5");
  list.add("one-condition-" + size,
           "if only threads with a result of their own loaded A and B, in tiles of " + size +
               " x " + size,
           reading({.counts =
                        [tile](std::size_t i, std::size_t j, std::size_t l, const Extents& e) {
                          return i / tile * tile + l % tile < e.m &&
                                 j / tile * tile + l % tile < e.n;
                        }}),
           "P7");
}

/// Sums that a thread with several outputs does not set to 0 in between.
void add_chains(warpgrade::MisreadingList& list) {
  for (const bool rows : {false, true}) {
    for (const std::size_t step : {1U, 8U, 16U, 32U}) {
      for (const std::size_t outputs : {2U, 4U, 8U}) {
        const std::string what = rows ? "rows" : "columns";
        if (outputs * step > 128) continue;  // no visible case has as many
        list.add("not-reset-" + what + "-" + std::to_string(outputs) + "-" + std::to_string(step),
                 "if the sum were not set to 0 again between a thread's " +
                     std::to_string(outputs) + " " + what +
                     (step == 1 ? "" : ", which are " + std::to_string(step) + " apart"),
                 reading({.not_reset = {.rows = rows, .outputs = outputs, .step = step}}));
      }
    }
  }
}

/// Mistakes in the number of tiles along k.
void add_for_phases(warpgrade::MisreadingList& list) {
  struct Other {
    const char* name;
    std::size_t Extents::*extent;
  };
  for (const Other other : {Other{"m", &Extents::m}, Other{"n", &Extents::n}}) {
    const std::string name = other.name;
    list.add("products-of-" + name, "for the first " + name + " products of each sum; there are k",
             reading({.counts = [other](std::size_t, std::size_t, std::size_t l,
                                        const Extents& e) { return l < e.*other.extent; }}),
             "P4");
  }
  for (const std::size_t tile : {8U, 16U, 32U}) {
    const std::string size = std::to_string(tile);
    list.add("no-last-tile-" + size,
             "without the last tile of each sum, tiles being " + size + " wide, whole or not",
             reading({.counts = [tile](std::size_t, std::size_t, std::size_t l, const Extents& e) {
               return l < (e.k - 1) / tile * tile;
             }}));
  }
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add(
      "a-transposed", "for A read as if it were transposed: A[l][i] in place of A[i][l]",
      reading({.a = [](std::size_t i, std::size_t l, const Extents& e) { return l * e.m + i; }}),
      "P5");
  list.add(
      "b-transposed", "for B read as if it were transposed: B[j][l] in place of B[l][j]",
      reading({.b = [](std::size_t l, std::size_t j, const Extents& e) { return j * e.k + l; }}),
      "P5");
  list.add(
      "both-transposed", "for A and B both read as if they were transposed",
      reading({.a = [](std::size_t i, std::size_t l, const Extents& e) { return l * e.m + i; },
               .b = [](std::size_t l, std::size_t j, const Extents& e) { return j * e.k + l; }}),
      "P5");
  list.add(
      "a-rows-of-n", "for rows of A that are n elements long; they have k",
      reading({.a = [](std::size_t i, std::size_t l, const Extents& e) { return i * e.n + l; }}),
      "P5");
  list.add(
      "a-rows-of-m", "for rows of A that are m elements long; they have k",
      reading({.a = [](std::size_t i, std::size_t l, const Extents& e) { return i * e.m + l; }}),
      "P5");
  list.add(
      "b-rows-of-k", "for rows of B that are k elements long; they have n",
      reading({.b = [](std::size_t l, std::size_t j, const Extents& e) { return l * e.k + j; }}),
      "P5");
  list.add(
      "b-rows-of-m", "for rows of B that are m elements long; they have n",
      reading({.b = [](std::size_t l, std::size_t j, const Extents& e) { return l * e.m + j; }}),
      "P5");
  list.add("next-row-of-a", "for the rows of A after the right ones: A[i + 1] in place of A[i]",
           reading({.a = [](std::size_t i, std::size_t l, const Extents& e) {
             return (i + 1) * e.k + l;
           }}));
  list.add("same-column-of-b", "for column 0 of B in place of column j",
           reading({.b = [](std::size_t l, std::size_t, const Extents& e) { return l * e.n; }}));
  list.add("same-row-of-a", "for row 0 of A in place of row i",
           reading({.a = [](std::size_t, std::size_t l, const Extents&) { return l; }}));
  list.add("no-last-product", "for sums without the last product: the loop ends at k - 1",
           reading({.end = [](std::size_t k) { return k == 0 ? 0 : k - 1; }}));
  list.add("no-first-product", "for sums without the first product: the loop begins at 1",
           reading({.first = [](std::size_t) { return 1; }}));
  list.add("last-product-only", "for the last product alone: each product replaces the sum",
           reading({.first = [](std::size_t k) { return k == 0 ? 0 : k - 1; }}));
  for (const std::size_t tile : {8U, 16U, 32U}) {
    const std::string size = std::to_string(tile);
    list.add(
        "whole-tiles-of-" + size,
        "for sums of whole tiles of " + size + " along k: the rest of the division is left out",
        reading({.end = [tile](std::size_t k) { return k / tile * tile; }}), "P6");
    list.add("no-first-tile-of-" + size, "without the first " + size + " products of each sum",
             reading({.first = [tile](std::size_t) { return tile; }}));
    add_for_tile(list, tile);
    list.add("first-tile-of-" + size, "for the first " + size + " products of each sum only",
             reading({.end = [tile](std::size_t) { return tile; }}));
    list.add(
        "last-tile-of-" + size,
        "for the last tile of " + size + " products only: each tile replaces the sum",
        reading({.first = [tile](std::size_t k) { return k == 0 ? 0 : (k - 1) / tile * tile; }}));
  }
  list.add("twice", "for sums that count every product twice", reading({.factor = 2}));
  list.add("sums-of-sums", "for A[i][l] + B[l][j] in place of their product",
           reading({.adds_factors = true}));
  list.add("magnitudes", "for the absolute values of the products",
           reading({.of_magnitudes = true}));
  list.add("eleven-bits", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
  list.add("bfloat16", "for factors rounded to bfloat16, 8 significant bits", reading({.bits = 8}),
           "P56");
  add_chains(list);
  list.add("whole-numbers", "if the sum were an int, without fractions",
           reading({.whole_numbers = true}), "P56");
  for (const std::size_t step : {2U, 4U}) {
    const std::string every = step == 2 ? "second" : "fourth";
    list.add("every-" + every, "for every " + every + " product only",
             reading({.counts = [step](std::size_t, std::size_t, std::size_t l, const Extents&) {
               return l % step == 0;
             }}));
    list.add("groups-of-" + std::to_string(step),
             "for groups of " + std::to_string(step) +
                 " products: the rest of the division of k is left out",
             reading({.end = [step](std::size_t k) { return k / step * step; }}), "P13");
  }
  list.add("first-half", "for the products of the first half of k only",
           reading({.end = [](std::size_t k) { return k / 2; }}));
  list.add("second-half", "for the products of the second half of k only",
           reading({.first = [](std::size_t k) { return k / 2; }}));
  list.add("next-column-of-b", "for the columns of B after the right ones: B[l][j + 1]",
           reading({.b = [](std::size_t l, std::size_t j, const Extents& e) {
             return l * e.n + j + 1;
           }}));
  list.add("next-of-a", "for the elements of A after the right ones: A[i][l + 1]",
           reading({.a = [](std::size_t i, std::size_t l, const Extents& e) {
             return i * e.k + l + 1;
           }}));
  list.add("same-of-a", "for A[i][0] in place of A[i][l]",
           reading({.a = [](std::size_t i, std::size_t, const Extents& e) { return i * e.k; }}));
  list.add("same-of-b", "for B[0][j] in place of B[l][j]",
           reading({.b = [](std::size_t, std::size_t j, const Extents&) { return j; }}));
  add_for_phases(list);
}
