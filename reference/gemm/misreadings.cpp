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
using Index = std::size_t (*)(std::size_t row, std::size_t column, const Extents& e);

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
      for (std::size_t l = first; l < end; ++l) {
        const std::size_t from_a = how.a(at / e.n, l, e);
        const std::size_t from_b = how.b(l, at % e.n, e);
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
      }
    }
  };
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
}
