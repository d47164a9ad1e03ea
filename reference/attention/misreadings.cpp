#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

using Index =
    std::function<std::size_t(std::size_t token, std::size_t c, std::size_t n, std::size_t depth)>;

std::size_t row_major(std::size_t token, std::size_t c, std::size_t /*n*/, std::size_t depth) {
  return token * depth + c;
}

/// Whether key j, of `keys` that a query sees, counts for column c of its result.
using Counts = std::function<bool(std::size_t j, std::size_t keys, std::size_t c)>;

struct Reading {
  Index of_key = row_major;  // in one head's array
  Index of_value = row_major;
  /// The keys that query i sees, of n.
  std::function<std::size_t(std::size_t i, std::size_t n, bool causal)> keys =
      [](std::size_t i, std::size_t n, bool causal) { return causal ? i + 1 : n; };
  std::size_t first_key = 0;
  /// Of scores, from the parameter `scale` and the depth.
  std::function<double(double scale, double depth)> factor = [](double scale, double) {
    return scale;
  };
  bool divides = true;
  double begin = -INFINITY;  // of the search for the largest score
  bool subtracts = true;  // the largest score
  bool exponential = true;
  // The first head's arrays in the place of each head's own.
  bool first_queries = false;
  bool first_keys = false;
  bool first_values = false;
  const char* queries = "q";  // the array that queries are taken from
  const char* keys_of = "k";
  const char* values_of = "v";
  bool same_query = false;  // of a head
  Counts in_sum = {};  // empty: all count
  Counts in_result = {};
  bool means = false;  // divided by the number of keys, not by the sum
  bool powers_of_two = false;  // in place of powers of e
  bool scales_result = false;
  /// Keys of a tile, of which those after a causal query have the score 0; 0: they do not count.
  std::size_t masked_as_0 = 0;
  std::size_t pads = 0;  // keys of a tile, of which those beyond n have the score 0; 0: none
  std::size_t tile = 0;  // of keys, between which something is not rescaled; 0: none
  bool keeps_sum = false;  // the sum is not rescaled
  bool keeps_result = false;  // the result is not rescaled
  std::function<std::size_t(std::size_t depth)> products = [](std::size_t depth) { return depth; };
  int bits = 0;  // of weights; 0: they are not rounded
};

/// In float it is infinite above, and 0 below the smallest number.
double in_float(double exponential) {
  if (exponential > FLT_MAX) return INFINITY;
  return exponential < 0x1p-149 ? 0 : exponential;
}

class Attention {
 public:
  Attention(const Reading& how, const GoldenCall& call)
      : how_(how),
        q_(call.input<float>(how.queries)),
        k_(call.input<float>(how.keys_of)),
        v_(call.input<float>(how.values_of)),
        out_(call.floats("out")),
        n_(static_cast<std::size_t>(call.dim("n"))),
        depth_(static_cast<std::size_t>(call.dim("depth"))),
        causal_(call.dim("causal") != 0),
        scale_(how.factor(static_cast<double>(call.dim("scale_64ths")) / 64,
                          static_cast<double>(call.dim("depth")))),
        of_result_(how.scales_result ? static_cast<double>(call.dim("scale_64ths")) / 64 : 1) {}

  void row(std::size_t row) {
    const std::size_t head = row / n_;
    const std::size_t base = how_.first_values ? 0 : head * n_ * depth_;
    const std::size_t seen = std::min(how_.keys(row % n_, n_, causal_), n_);
    const std::size_t tile = how_.masked_as_0;
    const std::size_t keys = tile == 0 ? seen : std::clamp((row % n_ / tile + 1) * tile, seen, n_);
    weights(how_.same_query      ? head * n_
            : how_.first_queries ? row % n_
                                 : row,
            how_.first_keys ? 0 : head * n_ * depth_, keys, seen);
    double sum = 0;
    for (std::size_t c = 0; c < depth_; ++c) {
      if (c == 0 || how_.in_sum) sum = of_weights(keys, c);
      double want = 0;
      double condition = 0;
      for (std::size_t j = std::min(how_.first_key, keys); j < keys; ++j) {
        if (how_.in_result && !how_.in_result(j, keys, c)) continue;
        const double value = v_[base + how_.of_value(j, c, n_, depth_)];
        const double weight = of_result_ * for_result_[j];
        want += weight * value;
        condition += std::abs(weight) * (std::abs(value) + 1);
      }
      // In this order: without a key that counts it is 0 / 0, or another number / 0.
      const double divisor = how_.divides ? sum : 1;
      want /= divisor;
      condition /= std::abs(divisor);
      out_.want[row * depth_ + c] = want;
      // As in golden.cpp, with the largest score for all.
      condition *=
          6.0 * static_cast<double>(keys) + 400 + (static_cast<double>(depth_) + 4) * largest_;
      out_.condition[row * depth_ + c] = std::isfinite(condition) ? condition : 0;
    }
  }

  [[nodiscard]] std::size_t rows() const { return depth_ == 0 ? 0 : out_.want.size() / depth_; }

 private:
  [[nodiscard]] double of_weights(std::size_t keys, std::size_t c) const {
    if (how_.means) return static_cast<double>(keys);
    double sum = for_padding_;
    for (std::size_t j = std::min(how_.first_key, keys); j < keys; ++j) {
      if (!how_.in_sum || how_.in_sum(j, keys, c)) sum += for_sum_[j];
    }
    return sum;
  }

  /// The weights of all keys, before the division, as the sum and as the result have them.
  void weights(std::size_t row, std::size_t base, std::size_t keys, std::size_t seen) {
    std::vector<double> score(keys);
    const std::size_t padding = how_.pads == 0 ? 0 : (how_.pads - keys % how_.pads) % how_.pads;
    double largest = padding > 0 || seen < keys ? std::max(how_.begin, 0.0) : how_.begin;
    largest_ = 0;
    for (std::size_t j = 0; j < seen; ++j) {
      double size = 0;
      for (std::size_t c = 0; c < how_.products(depth_); ++c) {
        const double product =
            scale_ * q_[row * depth_ + c] * k_[base + how_.of_key(j, c, n_, depth_)];
        score[j] += product;
        size += std::abs(product);
      }
      largest_ = std::max(largest_, size);
      largest = std::max(largest, score[j]);
    }
    if (!how_.exponential) {
      for_sum_ = for_result_ = score;
      return;
    }
    for_padding_ = static_cast<double>(padding) * std::exp(-largest);
    for_sum_.assign(keys, 0);
    for_result_.assign(keys, 0);
    double so_far = -INFINITY;
    for (std::size_t j = 0; j < keys; ++j) {
      if (how_.tile > 0 && j % how_.tile == 0) {
        for (std::size_t l = j; l < std::min(j + how_.tile, keys); ++l) {
          so_far = std::max(so_far, score[l]);
        }
      }
      const double above = score[j] - (how_.subtracts ? largest : 0);
      const double exact = in_float(how_.powers_of_two ? std::exp2(above) : std::exp(above));
      const double kept = std::exp(score[j] - so_far);
      for_sum_[j] = how_.keeps_sum ? kept : exact;
      for_result_[j] = how_.keeps_result ? kept : exact;
      if (how_.bits > 0) for_result_[j] = rounded_to(for_result_[j], how_.bits);
    }
  }

  const Reading& how_;
  std::span<const float> q_;
  std::span<const float> k_;
  std::span<const float> v_;
  warpgrade::GoldenFloats out_;
  std::size_t n_;
  std::size_t depth_;
  bool causal_;
  double scale_;
  double of_result_;  // a factor
  double for_padding_ = 0;
  double largest_ = 0;  // of the sums of a score's absolute products
  std::vector<double> for_sum_;
  std::vector<double> for_result_;
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    Attention attention(how, call);
    for (std::size_t row = 0; row < attention.rows(); ++row) attention.row(row);
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("k-transposed", "for K read as if it were transposed: K[c][j] in place of K[j][c]",
           reading({.of_key = [](std::size_t j, std::size_t c, std::size_t n,
                                 std::size_t /*depth*/) { return c * n + j; }}),
           "P5");
  list.add("v-transposed", "for V read as if it were transposed: V[c][j] in place of V[j][c]",
           reading({.of_value = [](std::size_t j, std::size_t c, std::size_t n,
                                   std::size_t /*depth*/) { return c * n + j; }}),
           "P5");
  list.add("k-and-v-transposed", "for K and V both read as if they were transposed",
           reading({.of_key = [](std::size_t j, std::size_t c, std::size_t n,
                                 std::size_t /*depth*/) { return c * n + j; },
                    .of_value = [](std::size_t j, std::size_t c, std::size_t n,
                                   std::size_t /*depth*/) { return c * n + j; }}),
           "P5");
  list.add("causal-ignored", "if every query saw all keys, also with causal != 0",
           reading({.keys = [](std::size_t, std::size_t n, bool) { return n; }}), "P60");
  list.add("always-causal", "if query i saw keys 0 to i only, also with causal = 0",
           reading({.keys = [](std::size_t i, std::size_t, bool) { return i + 1; }}), "P60");
  list.add(
      "not-itself", "if query i saw the keys before i only, and not its own",
      reading({.keys = [](std::size_t i, std::size_t n, bool causal) { return causal ? i : n; }}),
      "P60");
  list.add("next-token", "if query i also saw key i + 1",
           reading({.keys = [](std::size_t i, std::size_t n,
                               bool causal) { return causal ? i + 2 : n; }}),
           "P60");
  list.add("no-last-key", "without the last key",
           reading({.keys = [](std::size_t i, std::size_t n, bool causal) {
             return causal ? i + 1 : (n == 0 ? 0 : n - 1);
           }}));
  list.add("no-first-key", "without the first key", reading({.first_key = 1}));
  list.add("unscaled", "for scores without the factor `scale`",
           reading({.factor = [](double, double) { return 1.0; }}));
  list.add("root-of-depth", "for scores divided by sqrt(depth), without the parameter `scale`",
           reading({.factor = [](double, double depth) { return 1 / std::sqrt(depth); }}));
  list.add("by-depth", "for scores divided by depth, without the parameter `scale`",
           reading({.factor = [](double, double depth) { return 1 / depth; }}));
  list.add(
      "scale-and-root", "for scores with the factor `scale` and divided by sqrt(depth), too",
      reading({.factor = [](double scale, double depth) { return scale / std::sqrt(depth); }}));
  list.add("scaled-twice", "for scores with the factor `scale` twice",
           reading({.factor = [](double scale, double) { return scale * scale; }}));
  list.add("divided-by-scale", "for scores divided by `scale`",
           reading({.factor = [](double scale, double) { return 1 / scale; }}));
  list.add("overflow",
           "for exponentials that overflow: the largest score has to be subtracted first",
           reading({.subtracts = false}));
  list.add("begins-with-0", "if the search for the largest score began with 0",
           reading({.begin = 0}), "P52");
  list.add("not-divided", "if the weights were not divided by their sum",
           reading({.divides = false}));
  list.add("no-exponential", "for scores as weights, without the exponential function",
           reading({.exponential = false}));
  list.add("first-head", "for the keys and values of head 0 in all heads",
           reading({.first_keys = true, .first_values = true}));
  list.add("weights-of-first-head", "for the weights of head 0 in all heads",
           reading({.first_queries = true, .first_keys = true}));
  list.add("keys-of-first-head", "for the keys of head 0 in all heads",
           reading({.first_keys = true}));
  list.add("values-of-first-head", "for the values of head 0 in all heads",
           reading({.first_values = true}));
  list.add("all-of-first-head", "for the result of head 0 in all heads",
           reading({.first_queries = true, .first_keys = true, .first_values = true}));
  list.add("keys-for-values", "with keys and values exchanged",
           reading({.keys_of = "v", .values_of = "k"}));
  list.add("keys-for-queries", "for keys in the place of the queries", reading({.queries = "k"}));
  for (const std::size_t tile : {1U, 16U, 32U, 64U}) {
    const std::string of = tile == 1 ? "key" : "tile of " + std::to_string(tile) + " keys";
    list.add("sum-not-rescaled-" + std::to_string(tile),
             "if the sum were not rescaled when the maximum grows with a " + of,
             reading({.tile = tile, .keeps_sum = true}));
    list.add("result-not-rescaled-" + std::to_string(tile),
             "if the accumulated values were not rescaled when the maximum grows with a " + of,
             reading({.tile = tile, .keeps_result = true}));
    list.add("nothing-rescaled-" + std::to_string(tile),
             "if neither the sum nor the accumulated values were rescaled when the maximum grows "
             "with a " +
                 of,
             reading({.tile = tile, .keeps_sum = true, .keeps_result = true}));
  }
  for (const std::size_t tile : {16U, 32U, 64U}) {
    const std::string size = std::to_string(tile);
    const Counts last = [tile](std::size_t j, std::size_t keys, std::size_t) {
      return j >= (keys - 1) / tile * tile;
    };
    list.add("result-of-last-tile-" + size,
             "if the accumulated values began with 0 again in each tile of " + size + " keys",
             reading({.in_result = last}));
    list.add("sum-of-last-tile-" + size,
             "if the sum began with 0 again in each tile of " + size + " keys",
             reading({.in_sum = last}));
    list.add("last-tile-" + size,
             "for the last tile of " + size + " keys only: sum and values begin with 0 in each",
             reading({.in_sum = last, .in_result = last}));
    list.add("first-tile-" + size, "for the first " + size + " keys only",
             reading({.keys = [tile](std::size_t i, std::size_t n, bool causal) {
               return std::min(causal ? i + 1 : n, tile);
             }}));
    const Counts whole = [tile](std::size_t j, std::size_t keys, std::size_t) {
      return j < keys / tile * tile;
    };
    list.add("whole-tiles-" + size,
             "for whole tiles of " + size + " keys: the rest of the division is left out",
             reading({.in_sum = whole, .in_result = whole}), "P13");
    list.add("padding-" + size,
             "if keys beyond n in the last tile of " + size + " had the score 0, and not -infinity",
             reading({.pads = tile}), "P8");
    list.add(
        "masked-as-0-" + size,
        "if the score of a key after query i, in its tile of " + size + ", were 0 with causal != 0",
        reading({.masked_as_0 = tile}), "P60");
    list.add("causal-tile-" + size,
             "if a causal query saw all keys of its own tile of " + size + ", also those after it",
             reading({.keys = [tile](std::size_t i, std::size_t n,
                                     bool causal) { return causal ? (i / tile + 1) * tile : n; }}),
             "P60");
  }
  // Lane l has every 32nd key and every 32nd column, from the l-th on.
  list.add(
      "sum-of-lane",
      "if each lane divided by its own sum of every 32nd weight: the lanes' sums are not added",
      reading(
          {.in_sum = [](std::size_t j, std::size_t, std::size_t c) { return j % 32 == c % 32; }}));
  list.add("sum-of-half-warp",
           "if each lane divided by the sum of 16 lanes: the step with distance 16 is missing",
           reading({.in_sum = [](std::size_t j, std::size_t, std::size_t c) {
             return j % 32 / 16 == c % 32 / 16;
           }}));
  list.add("first-32-columns",
           "for columns 0 to 31 of V in place of columns 32 to 63 and all after them",
           reading({.of_value = [](std::size_t j, std::size_t c, std::size_t,
                                   std::size_t depth) { return j * depth + c % 32; }}),
           "P13");
  for (const std::size_t columns : {32U, 64U}) {
    const std::string number = std::to_string(columns);
    list.add("scores-of-" + number + "-columns",
             "for scores of the first " + number +
                 " columns of Q and K only: the dot product of "
                 "query and key has `depth` terms",
             reading({.products = [columns](std::size_t depth) -> std::size_t {
               return std::min(depth, columns);
             }}),
             "P13");
  }
  list.add("powers-of-two", "for powers of 2 in place of powers of e",
           reading({.powers_of_two = true}));
  list.add("masked-as-0", "if the score of a key after query i were 0 with causal != 0",
           reading({.masked_as_0 = 8192}), "P60");
  list.add("scaled-result", "if the result had the factor `scale`, and the scores had not",
           reading({.factor = [](double, double) { return 1.0; }, .scales_result = true}));
  list.add("scaled-both", "if scores and results both had the factor `scale`",
           reading({.scales_result = true}));
  list.add("means", "if the weighted sum were divided by the number of keys",
           reading({.means = true}));
  list.add("same-query", "for query 0 of its head in all rows", reading({.same_query = true}));
  list.add("values-as-keys", "for scores with values in the place of keys",
           reading({.keys_of = "v"}));
  list.add("keys-as-values", "for keys in the place of values", reading({.values_of = "k"}));
  list.add("no-last-product", "for scores without their last product: the loop ends at depth - 1",
           reading({.products = [](std::size_t depth) { return depth == 0 ? 0 : depth - 1; }}));
  list.add("halves", "for weights rounded to half precision", reading({.bits = 11}), "P56");
  for (const std::size_t tile : {16U, 32U, 64U}) {
    const std::string size = std::to_string(tile);
    const Index first = [tile](std::size_t j, std::size_t c, std::size_t, std::size_t depth) {
      return j % tile * depth + c;
    };
    const Index before = [tile](std::size_t j, std::size_t c, std::size_t, std::size_t depth) {
      return (j < tile ? j : j - tile) * depth + c;
    };
    list.add("first-keys-in-all-" + size,
             "for the first " + size + " keys in all tiles: the tile of K is not loaded again",
             reading({.of_key = first}));
    list.add("first-values-in-all-" + size,
             "for the first " + size + " values in all tiles: the tile of V is not loaded again",
             reading({.of_value = first}));
    list.add("no-last-tile-" + size, "without the last tile of " + size + " keys, whole or not",
             reading({.keys = [tile](std::size_t i, std::size_t n, bool causal) {
               const std::size_t seen = causal ? i + 1 : n;
               return (seen - 1) / tile * tile;
             }}));
    if (tile == 64) continue;  // no visible case has three such tiles
    list.add("values-one-tile-behind-" + size,
             "for weights of a tile of " + size + " keys with the values of the tile before",
             reading({.of_value = before}));
  }
}
