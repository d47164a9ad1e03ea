#include "harness/golden/misreading.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

using warpgrade::BFloat16;
using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

constexpr int kBits = 8;  // significant ones of bfloat16

struct Extents {
  std::size_t m, n, k;
};
/// The place of an element, of its row and its column.
using Place = std::function<std::size_t(std::size_t row, std::size_t column, const Extents& e)>;

/// An element that is taken for 0.
constexpr std::size_t kZero = std::numeric_limits<std::size_t>::max();

std::size_t in_a(std::size_t i, std::size_t l, const Extents& e) {
  return i * e.k + l;
}
std::size_t in_b(std::size_t l, std::size_t j, const Extents& e) {
  return l * e.n + j;
}

/// golden.cpp's formula with some things changed; with none, the right one.
struct Reading {
  Place a = in_a;
  Place b = in_b;
  std::function<bool(std::size_t l, std::size_t k)> counts = [](std::size_t, std::size_t) {
    return true;
  };
  double factor = 1;
  std::size_t rounded_every = 0;  // products, after which the sum is rounded; 0: in the end only
  std::size_t new_every = 0;  // products, after which the sum begins anew
  bool of_magnitudes = false;
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto a = call.input<BFloat16>("a");
    const auto b = call.input<BFloat16>("b");
    const auto c = call.floats("c");
    const Extents e{.m = static_cast<std::size_t>(call.dim("m")),
                    .n = static_cast<std::size_t>(call.dim("n")),
                    .k = static_cast<std::size_t>(call.dim("k"))};
    for (std::size_t at = 0; at < c.want.size(); ++at) {
      double& want = c.want[at] = 0;
      double& condition = c.condition[at] = 0;
      for (std::size_t l = 0; l < e.k; ++l) {
        if (how.new_every > 0 && l % how.new_every == 0) want = condition = 0;
        if (!how.counts(l, e.k)) continue;
        const std::size_t from_a = how.a(at / e.n, l, e);
        const std::size_t from_b = how.b(l, at % e.n, e);
        if (from_a == kZero || from_b == kZero) continue;
        if (from_a >= a.size() || from_b >= b.size()) {
          condition = kAnything;
          break;
        }
        double term = how.factor * static_cast<double>(a[from_a]) * static_cast<double>(b[from_b]);
        if (how.of_magnitudes) term = std::abs(term);
        want += term;
        condition += std::abs(term);
        const bool rounds = how.rounded_every > 0 && (l + 1) % how.rounded_every == 0;
        if (rounds) want = rounded_to(want, kBits);
      }
    }
  };
}

/// What is wrong with one element of each 8 x 8, 16 x 8 or 16 x 16 matrix is wrong with all.
/// @param to  the row and the column that are taken in place of those within a matrix
Place within(const Place& where, std::size_t rows, std::size_t columns,
             std::size_t Extents::*most_rows, std::size_t Extents::*most_columns,
             const std::function<void(std::size_t& row, std::size_t& column)>& change) {
  return [=](std::size_t row, std::size_t column, const Extents& e) {
    std::size_t inner_row = row % rows;
    std::size_t inner_column = column % columns;
    change(inner_row, inner_column);
    row = row / rows * rows + inner_row;
    column = column / columns * columns + inner_column;
    return row < e.*most_rows && column < e.*most_columns ? where(row, column, e) : kZero;
  };
}

/// Fragments of 16 x 16 and 16 x 8 elements, whose 8 x 8 matrices are in other registers.
void add_for_fragments(warpgrade::MisreadingList& list) {
  const auto transpose = [](std::size_t& row, std::size_t& column) { std::swap(row, column); };
  const auto exchange_rows = [](std::size_t& row, std::size_t&) { row = (row + 8) % 16; };
  const auto diagonal = [](std::size_t& row, std::size_t& column) {
    const std::size_t upper = row / 8;
    row = row % 8 + column / 8 * 8;
    column = column % 8 + upper * 8;
  };
  list.add("b-matrices-transposed",
           "for B with each 8 x 8 elements transposed: ldmatrix without .trans",
           reading({.b = within(in_b, 8, 8, &Extents::k, &Extents::n, transpose)}), "P5");
  list.add("a-matrices-transposed",
           "for A with each 8 x 8 elements transposed: ldmatrix with .trans",
           reading({.a = within(in_a, 8, 8, &Extents::m, &Extents::k, transpose)}), "P5");
  for (const std::size_t side : {16U, 32U}) {
    const std::string size = std::to_string(side) + " x " + std::to_string(side);
    const std::string id = std::to_string(side);
    list.add("b-transposed-in-" + id,
             "for B with each " + size +
                 " elements transposed, as a fragment of B has them that is "
                 "col_major where its tile lies by rows",
             reading({.b = within(in_b, side, side, &Extents::k, &Extents::n, transpose)}), "P5");
    list.add("a-transposed-in-" + id,
             "for A with each " + size +
                 " elements transposed, as a fragment of A has them that is "
                 "col_major where its tile lies by rows",
             reading({.a = within(in_a, side, side, &Extents::m, &Extents::k, transpose)}), "P5");
  }
  list.add("ab-matrices-transposed",
           "for A and B with each 8 x 8 elements transposed: .trans of ldmatrix is for B only",
           reading({.a = within(in_a, 8, 8, &Extents::m, &Extents::k, transpose),
                    .b = within(in_b, 8, 8, &Extents::k, &Extents::n, transpose)}),
           "P5");
  list.add("ab-transposed-in-16",
           "for A and B with each 16 x 16 elements transposed: both fragments are col_major where "
           "tiles lie by rows",
           reading({.a = within(in_a, 16, 16, &Extents::m, &Extents::k, transpose),
                    .b = within(in_b, 16, 16, &Extents::k, &Extents::n, transpose)}),
           "P5");
  list.add("b-halves-exchanged",
           "for B with the upper and the lower 8 rows of each 16 exchanged: the second operand of "
           "an mma has its two registers in the other order",
           reading({.b = within(in_b, 16, 8, &Extents::k, &Extents::n, exchange_rows)}));
  list.add("a-quarters-exchanged",
           "for A with two quarters of each 16 x 16 exchanged: the upper right and the lower left",
           reading({.a = within(in_a, 16, 16, &Extents::m, &Extents::k, diagonal)}));
  list.add("a-rows-exchanged", "for A with the upper and the lower 8 rows of each 16 exchanged",
           reading({.a = within(in_a, 16, 16, &Extents::m, &Extents::k, exchange_rows)}));
}

/// Phases of `depth` steps of k.
void add_for_depth(warpgrade::MisreadingList& list, std::size_t depth) {
  const std::string steps = std::to_string(depth);
  list.add(
      "whole-phases-of-" + steps,
      "for whole phases of " + steps + " products: the rest of the division is left out",
      reading({.counts = [depth](std::size_t l, std::size_t k) { return l < k / depth * depth; }}),
      "P6");
  list.add("first-phase-of-" + steps, "for the first " + steps + " products of each sum only",
           reading({.counts = [depth](std::size_t l, std::size_t) { return l < depth; }}));
  list.add("last-phase-of-" + steps,
           "for the last phase of " + steps + " products only: each phase begins the sum anew",
           reading({.new_every = depth}));
  list.add("without-first-phase-of-" + steps, "without the first " + steps + " products",
           reading({.counts = [depth](std::size_t l, std::size_t) { return l >= depth; }}));
  list.add("rounded-every-" + steps,
           "if the sum were rounded to bfloat16 after every " + steps + " products",
           reading({.rounded_every = depth}), "P56");
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
      "b-rows-of-k", "for rows of B that are k elements long; they have n",
      reading({.b = [](std::size_t l, std::size_t j, const Extents& e) { return l * e.k + j; }}),
      "P5");
  add_for_fragments(list);
  for (const std::size_t depth : {16U, 32U, 64U}) add_for_depth(list, depth);
  list.add("every-second-step-of-16", "without every second 16 products",
           reading({.counts = [](std::size_t l, std::size_t) { return l / 16 % 2 == 0; }}));
  list.add("upper-half-of-16", "for the first 8 of each 16 products only",
           reading({.counts = [](std::size_t l, std::size_t) { return l % 16 < 8; }}));
  list.add("rounded-always", "if the sum were of bfloat16, and rounded after each product",
           reading({.rounded_every = 1}), "P56");
  list.add("twice", "for sums that count every product twice", reading({.factor = 2}));
  list.add("magnitudes", "for the absolute values of the products",
           reading({.of_magnitudes = true}));
  list.add("last-product-missing", "for sums without the last product: the loop ends at k - 1",
           reading({.counts = [](std::size_t l, std::size_t k) { return l + 1 < k; }}));
  list.add("first-product-missing", "for sums without the first product: the loop begins at 1",
           reading({.counts = [](std::size_t l, std::size_t) { return l > 0; }}));
  for (const std::size_t depth : {16U, 32U, 64U}) {
    const std::string steps = std::to_string(depth);
    list.add("without-last-phase-of-" + steps,
             "without the last phase of each sum, of up to " + steps +
                 " products: the loop's last tile is loaded, and not multiplied",
             reading({.counts = [depth](std::size_t l, std::size_t k) {
               return k > 0 && l < (k - 1) / depth * depth;
             }}));
    list.add("first-tile-of-a-in-all-" + steps,
             "for the first " + steps + " columns of A in all phases: its tile is not loaded again",
             reading({.a = [depth](std::size_t i, std::size_t l, const Extents& e) {
               return in_a(i, l % depth, e);
             }}));
    list.add("first-tile-of-b-in-all-" + steps,
             "for the first " + steps + " rows of B in all phases: its tile is not loaded again",
             reading({.b = [depth](std::size_t l, std::size_t j, const Extents& e) {
               return in_b(l % depth, j, e);
             }}));
    list.add("one-phase-behind-" + steps,
             "if each phase of " + steps +
                 " products took the tile of B before: A and B are one stage apart",
             reading({.b = [depth](std::size_t l, std::size_t j, const Extents& e) {
               return in_b(l < depth ? l : l - depth, j, e);
             }}));
  }
}
