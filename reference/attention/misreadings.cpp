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
  bool exchanges_arrays = false;  // keys and values
  bool keys_for_queries = false;
  std::size_t tile = 0;  // of keys, between which something is not rescaled; 0: none
  bool keeps_sum = false;  // the sum is not rescaled
  bool keeps_result = false;  // the result is not rescaled
  std::size_t fewer_products = 0;  // of a score
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
        q_(call.input<float>(how.keys_for_queries ? "k" : "q")),
        k_(call.input<float>(how.exchanges_arrays ? "v" : "k")),
        v_(call.input<float>(how.exchanges_arrays ? "k" : "v")),
        out_(call.floats("out")),
        n_(static_cast<std::size_t>(call.dim("n"))),
        depth_(static_cast<std::size_t>(call.dim("depth"))),
        causal_(call.dim("causal") != 0),
        scale_(how.factor(static_cast<double>(call.dim("scale_64ths")) / 64,
                          static_cast<double>(call.dim("depth")))) {}

  void row(std::size_t row) {
    const std::size_t head = row / n_;
    const std::size_t base = how_.first_values ? 0 : head * n_ * depth_;
    const std::size_t keys = std::min(how_.keys(row % n_, n_, causal_), n_);
    weights(how_.first_queries ? row % n_ : row, how_.first_keys ? 0 : head * n_ * depth_, keys);
    double sum = 0;
    for (std::size_t j = std::min(how_.first_key, keys); j < keys; ++j) {
      sum += for_sum_[j];
    }
    for (std::size_t c = 0; c < depth_; ++c) {
      double want = 0;
      double condition = 0;
      for (std::size_t j = std::min(how_.first_key, keys); j < keys; ++j) {
        const double value = v_[base + how_.of_value(j, c, n_, depth_)];
        const double weight = how_.divides ? for_result_[j] / sum : for_result_[j];
        want += weight * value;
        condition += std::abs(weight) * (std::abs(value) + 1);
      }
      out_.want[row * depth_ + c] = want;
      // As in golden.cpp, with the largest score for all.
      condition *=
          6.0 * static_cast<double>(keys) + 400 + (static_cast<double>(depth_) + 4) * largest_;
      out_.condition[row * depth_ + c] = std::isfinite(condition) ? condition : 0;
    }
  }

  [[nodiscard]] std::size_t rows() const { return depth_ == 0 ? 0 : out_.want.size() / depth_; }

 private:
  /// The weights of all keys, before the division, as the sum and as the result have them.
  void weights(std::size_t row, std::size_t base, std::size_t keys) {
    std::vector<double> score(keys);
    double largest = how_.begin;
    largest_ = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      double size = 0;
      for (std::size_t c = 0; c + how_.fewer_products < depth_; ++c) {
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
    for_sum_.assign(keys, 0);
    for_result_.assign(keys, 0);
    double so_far = -INFINITY;
    for (std::size_t j = 0; j < keys; ++j) {
      if (how_.tile > 0 && j % how_.tile == 0) {
        for (std::size_t l = j; l < std::min(j + how_.tile, keys); ++l) {
          so_far = std::max(so_far, score[l]);
        }
      }
      const double exact = in_float(std::exp(score[j] - (how_.subtracts ? largest : 0)));
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
           reading({.exchanges_arrays = true}));
  list.add("keys-for-queries", "for keys in the place of the queries",
           reading({.keys_for_queries = true}));
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
  list.add("no-last-product", "for scores without their last product: the loop ends at depth - 1",
           reading({.fewer_products = 1}));
  list.add("halves", "for weights rounded to half precision", reading({.bits = 11}), "P56");
}
