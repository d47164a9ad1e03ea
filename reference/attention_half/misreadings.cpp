#include "harness/golden/misreading.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

using warpgrade::Float16;
using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

constexpr int kBits = 11;  // significant ones of half precision
constexpr double kMost = 65504;  // its largest number

struct Place {
  std::size_t token, c;
};
/// Where an element of K or V is read from, of a head with n tokens.
using At = std::function<Place(std::size_t token, std::size_t c, std::size_t n)>;

Place itself(std::size_t token, std::size_t c, std::size_t /*n*/) {
  return {token, c};
}
/// Each 8 x 8 elements transposed, as ldmatrix does it.
Place in_transposed_matrix(std::size_t token, std::size_t c, std::size_t /*n*/) {
  return {token / 8 * 8 + c % 8, c / 8 * 8 + token % 8};
}

/// Whether the weight of key j counts for column c.
using Counts = std::function<bool(std::size_t j, std::size_t c)>;

/// golden.cpp's formula with some things changed; with none, the right one.
struct Reading {
  At of_key = itself;
  At of_value = itself;
  /// The keys that query i sees, of n.
  std::function<std::size_t(std::size_t i, std::size_t n, bool causal)> keys =
      [](std::size_t i, std::size_t n, bool causal) { return causal ? i + 1 : n; };
  std::function<double(double scale, double depth)> factor = [](double scale, double) {
    return scale;
  };
  const char* queries = "q";  // the array that queries are taken from
  const char* keys_of = "k";
  const char* values_of = "v";
  bool first_keys = false;  // those of the first head in all heads
  bool first_values = false;
  bool divides = true;
  bool subtracts = true;  // the largest score
  bool powers_of_two = false;  // in place of powers of e
  bool rounds_scores = false;  // to half precision
  Counts in_sum = [](std::size_t, std::size_t) { return true; };
  std::size_t depth = 0;  // of the scores, if it is less than the case's; 0: the same
  std::size_t pads = 0;  // keys of a tile, of which those beyond n have the score 0; 0: none
  std::size_t tile = 0;  // of keys, between which something is not rescaled; 0: none
  bool keeps_sum = false;  // the sum is not rescaled
  bool keeps_result = false;  // the result is not rescaled
};

class Attention {
 public:
  Attention(const Reading& how, const GoldenCall& call)
      : how_(how),
        q_(call.input<Float16>(how.queries)),
        k_(call.input<Float16>(how.keys_of)),
        v_(call.input<Float16>(how.values_of)),
        out_(call.floats("out")),
        n_(static_cast<std::size_t>(call.dim("n"))),
        depth_(static_cast<std::size_t>(call.dim("depth"))),
        causal_(call.dim("causal") != 0),
        scale_(how.factor(static_cast<double>(call.dim("scale_64ths")) / 64,
                          static_cast<double>(call.dim("depth")))) {}

  [[nodiscard]] std::size_t rows() const { return depth_ == 0 ? 0 : out_.want.size() / depth_; }

  void row(std::size_t row) {
    const std::size_t keys = std::min(how_.keys(row % n_, n_, causal_), n_);
    weigh(row, keys);
    for (std::size_t c = 0; c < depth_; ++c) {
      double sum = for_padding_;
      double want = 0;
      double condition = 0;
      for (std::size_t j = 0; j < keys; ++j) {
        if (how_.in_sum(j, c)) sum += for_sum_[j];
        const double value = element(v_, how_.first_values ? 0 : row / n_, how_.of_value(j, c, n_));
        want += for_result_[j] * value;
        condition += std::abs(for_result_[j]) * (std::abs(value) + 1);
      }
      const double divisor = how_.divides ? sum : 1;
      out_.want[row * depth_ + c] = want / divisor;
      // As in golden.cpp, with the largest score for all.
      const double roundings = 8.0 * static_cast<double>(keys) + 8592 +
                               (2 * static_cast<double>(depth_) + 12) * largest_size_;
      condition = condition / std::abs(divisor) * roundings + static_cast<double>(keys);
      out_.condition[row * depth_ + c] = std::isfinite(condition) ? condition : 0;
    }
  }

 private:
  /// 0 where there is none, as in the rest of a tile.
  [[nodiscard]] double element(std::span<const Float16> array, std::size_t head,
                               const Place& at) const {
    if (at.token >= n_ || at.c >= depth_) return 0;
    return static_cast<double>(array[(head * n_ + at.token) * depth_ + at.c]);
  }

  /// The weights of all keys, before the division, as the sum and as the result have them.
  void weigh(std::size_t row, std::size_t keys) {
    std::vector<double> score(keys);
    largest_size_ = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      double size = 0;
      for (std::size_t c = 0; c < (how_.depth == 0 ? depth_ : std::min(how_.depth, depth_)); ++c) {
        const double product = scale_ * static_cast<double>(q_[row * depth_ + c]) *
                               element(k_, how_.first_keys ? 0 : row / n_, how_.of_key(j, c, n_));
        score[j] += product;
        size += std::abs(product);
      }
      if (how_.rounds_scores) score[j] = scale_ * rounded_to(score[j] / scale_, kBits);
      largest_size_ = std::max(largest_size_, size);
    }
    const std::size_t padding = how_.pads == 0 ? 0 : (how_.pads - keys % how_.pads) % how_.pads;
    double largest = padding > 0 ? 0.0 : -INFINITY;
    for (const double s : score) largest = std::max(largest, s);
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
      const double weight = how_.powers_of_two ? std::exp2(above) : std::exp(above);
      const double kept = std::exp(score[j] - so_far);
      for_sum_[j] = how_.keeps_sum ? kept : weight;
      for_result_[j] = how_.keeps_result ? kept : weight > kMost ? INFINITY : weight;
    }
  }

  const Reading& how_;
  std::span<const Float16> q_;
  std::span<const Float16> k_;
  std::span<const Float16> v_;
  warpgrade::GoldenFloats out_;
  std::size_t n_;
  std::size_t depth_;
  bool causal_;
  double scale_;
  double for_padding_ = 0;
  double largest_size_ = 0;  // of the sums of a score's absolute products
  std::vector<double> for_sum_;
  std::vector<double> for_result_;
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    Attention attention(how, call);
    for (std::size_t row = 0; row < attention.rows(); ++row) attention.row(row);
  };
}

/// Who has what: 8 x 8 matrices, and the four lanes of a query.
void add_for_fragments(warpgrade::MisreadingList& list) {
  list.add("k-matrices-transposed",
           "for K with each 8 x 8 elements transposed: ldmatrix with .trans",
           reading({.of_key = in_transposed_matrix}), "P5");
  list.add("v-matrices-transposed",
           "for V with each 8 x 8 elements transposed: ldmatrix without .trans",
           reading({.of_value = in_transposed_matrix}), "P5");
  const auto halves = [](std::size_t token, std::size_t c, std::size_t) {
    return Place{token / 16 * 16 + (token + 8) % 16, c};
  };
  list.add("v-halves-exchanged",
           "for V with the upper and the lower 8 rows of each 16 exchanged: the second factor of "
           "an mma has its two registers in the other order",
           reading({.of_value = halves}));
  list.add(
      "sum-of-lane",
      "if each lane divided by the sum of its own weights, two of every eight keys: those of "
      "the four lanes of a query are not added up",
      reading({.in_sum = [](std::size_t j, std::size_t c) { return j % 8 / 2 == c % 8 / 2; }}));
  list.add(
      "sum-of-two-lanes",
      "if each lane divided by the weights of two lanes, and not of all four of its query: "
      "the exchange with distance 2 is missing",
      reading({.in_sum = [](std::size_t j, std::size_t c) { return j % 8 / 4 == c % 8 / 4; }}));
  list.add(
      "sum-of-every-second-lane",
      "if each lane divided by the weights of two lanes, and not of all four of its query: "
      "the exchange with distance 1 is missing",
      reading({.in_sum = [](std::size_t j, std::size_t c) { return j % 4 / 2 == c % 4 / 2; }}));
  for (const std::size_t rows : {16U, 32U, 64U}) {
    const std::string of = std::to_string(rows);
    list.add("mask-of-first-of-" + of,
             "if with causal != 0 each of " + of + " queries saw only what the first of them sees",
             reading({.keys = [rows](std::size_t i, std::size_t n,
                                     bool causal) { return causal ? i / rows * rows + 1 : n; }}),
             "P60");
    list.add("mask-of-last-of-" + of,
             "if with causal != 0 each of " + of + " queries saw what the last of them sees",
             reading({.keys = [rows](std::size_t i, std::size_t n,
                                     bool causal) { return causal ? (i / rows + 1) * rows : n; }}),
             "P60");
  }
}

/// Tiles of keys.
void add_for_tile(warpgrade::MisreadingList& list, std::size_t tile) {
  const std::string size = std::to_string(tile);
  list.add("sum-not-rescaled-" + size,
           "if the sum of the weights were not rescaled when the maximum grows with a tile of " +
               size + " keys",
           reading({.tile = tile, .keeps_sum = true}));
  list.add("result-not-rescaled-" + size,
           "if the sums of the values were not rescaled when the maximum grows with a tile of " +
               size + " keys",
           reading({.tile = tile, .keeps_result = true}));
  list.add("nothing-rescaled-" + size,
           "if neither the sum of the weights nor those of the values were rescaled when the "
           "maximum grows with a tile of " +
               size + " keys",
           reading({.tile = tile, .keeps_sum = true, .keeps_result = true}));
  list.add("first-tile-" + size, "for the first " + size + " keys only",
           reading({.keys = [tile](std::size_t i, std::size_t n, bool causal) {
             return std::min(causal ? i + 1 : n, tile);
           }}));
  list.add("padding-" + size,
           "if keys beyond n in the last tile of " + size + " had the score 0, and not -infinity",
           reading({.pads = tile}), "P8");
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  add_for_fragments(list);
  for (const std::size_t tile : {16U, 64U}) add_for_tile(list, tile);
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
  list.add("unscaled", "for scores without the factor `scale`",
           reading({.factor = [](double, double) { return 1.0; }}));
  list.add("root-of-depth", "for scores divided by sqrt(depth), without the parameter `scale`",
           reading({.factor = [](double, double depth) { return 1 / std::sqrt(depth); }}));
  list.add("by-depth", "for scores divided by depth, without the parameter `scale`",
           reading({.factor = [](double, double depth) { return 1 / depth; }}));
  list.add(
      "scale-and-root", "for scores with the factor `scale` and divided by sqrt(depth), too",
      reading({.factor = [](double scale, double depth) { return scale / std::sqrt(depth); }}));
  list.add("divided-by-scale", "for scores divided by `scale`",
           reading({.factor = [](double scale, double) { return 1 / scale; }}));
  list.add("no-last-key", "without the last key",
           reading({.keys = [](std::size_t i, std::size_t n, bool causal) {
             return causal ? i + 1 : (n == 0 ? 0 : n - 1);
           }}));
  list.add("values-as-keys", "for scores with values in the place of keys",
           reading({.keys_of = "v"}));
  list.add("keys-as-values", "for keys in the place of values", reading({.values_of = "k"}));
  list.add("scaled-twice", "for scores with the factor `scale` twice",
           reading({.factor = [](double scale, double) { return scale * scale; }}));
  list.add("powers-of-two",
           "for powers of 2 in place of powers of e: scores need the factor log2(e)",
           reading({.powers_of_two = true}));
  list.add("overflow",
           "for exponentials that overflow half precision: the largest score has to be subtracted",
           reading({.subtracts = false}));
  list.add("scores-in-half", "if scores were rounded to half precision",
           reading({.rounds_scores = true}), "P56");
  list.add("not-divided", "if the weights were not divided by their sum",
           reading({.divides = false}));
  list.add("keys-of-first-head", "for the keys of head 0 in all heads",
           reading({.first_keys = true}));
  list.add("values-of-first-head", "for the values of head 0 in all heads",
           reading({.first_values = true}));
  list.add("first-head", "for the keys and values of head 0 in all heads",
           reading({.first_keys = true, .first_values = true}));
  list.add("keys-for-values", "with keys and values exchanged",
           reading({.keys_of = "v", .values_of = "k"}));
  list.add("keys-for-queries", "for keys in the place of the queries", reading({.queries = "k"}));
  list.add("scores-of-64-columns", "for scores of the first 64 columns of Q and K only",
           reading({.depth = 64}), "P13");
  list.add("first-64-columns", "for columns 0 to 63 of V in place of columns 64 to 127",
           reading({.of_value =
                        [](std::size_t token, std::size_t c, std::size_t) {
                          return Place{token, c % 64};
                        }}),
           "P13");
  for (const std::size_t tile : {16U, 32U, 64U}) {
    const std::string size = std::to_string(tile);
    const At first = [tile](std::size_t token, std::size_t c, std::size_t) {
      return Place{token % tile, c};
    };
    const At before = [tile](std::size_t token, std::size_t c, std::size_t) {
      return Place{token < tile ? token : token - tile, c};
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
