#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

using Int = std::int64_t;

enum class Bias { of_map, none, of_channel, after_sigmoid, twice };

struct Reading {
  bool flips = false;  // the masks
  bool transposes = false;  // the masks
  bool exchanges_maps = false;  // weights[k][m] in place of weights[m][k]
  Int channels = 0;  // at most so many; 0: all
  Int first_channel = 0;
  bool always_four = false;  // a window's sum is divided by 4, also where it is cut off
  bool sums = false;  // is not divided
  bool largest = false;  // in place of the mean
  bool one_value = false;  // the window's first, in place of the mean
  bool sigmoid_first = false;  // before the mean
  bool sigmoid = true;
  bool relu = false;
  Bias bias = Bias::of_map;
  bool wide_rows = false;  // of an image: they have `height` pixels
  bool smaller_channels = false;  // of an image: they have the size of the results
  bool drops = false;  // windows that are cut off, so that a map has fewer results
  Int shift = 0;  // of the window, along both axes
  int bits = 0;  // of factors; 0: they are not rounded
};

double sigmoid(double s) {
  return 1 / (1 + std::exp(-s));
}

class Layer {
 public:
  Layer(const Reading& how, const GoldenCall& call)
      : how_(how),
        images_(call.input<float>("images")),
        weights_(call.input<float>("weights")),
        channels_(call.dim("channels")),
        height_(call.dim("height")),
        width_(call.dim("width")),
        maps_(call.dim("maps")),
        mask_(call.dim("mask")) {}

  [[nodiscard]] Int rows() const { return height_ - mask_ + 1; }
  [[nodiscard]] Int columns() const { return width_ - mask_ + 1; }

  struct Sum {
    double want = 0;
    double size = 0;
    bool outside = false;
  };

  /// One value before pooling.
  [[nodiscard]] Sum at(Int b, Int m, Int row, Int column) const {
    Sum sum;
    const Int last = how_.channels == 0 ? channels_ : std::min(how_.channels, channels_);
    for (Int k = std::min(how_.first_channel, last); k < last; ++k) {
      for (Int p = 0; p < mask_; ++p) {
        for (Int q = 0; q < mask_; ++q)
          add(b, m, k, p, q, row + how_.shift, column + how_.shift, sum);
      }
    }
    return sum;
  }

 private:
  void add(Int b, Int m, Int k, Int p, Int q, Int row, Int column, Sum& sum) const {
    const Int size = how_.smaller_channels ? rows() * columns() : height_ * width_;
    const Int length = how_.wide_rows ? height_ : width_;
    const Int pixel = (b * channels_ + k) * size + (row + p) * length + column + q;
    const Int mask_row = how_.flips ? mask_ - 1 - p : how_.transposes ? q : p;
    const Int mask_column = how_.flips ? mask_ - 1 - q : how_.transposes ? p : q;
    const Int of_map = how_.exchanges_maps ? k * maps_ + m : m * channels_ + k;
    const Int weight = (of_map * mask_ + mask_row) * mask_ + mask_column;
    if (pixel < 0 || pixel >= static_cast<Int>(images_.size()) ||
        weight >= static_cast<Int>(weights_.size())) {
      sum.outside = true;
      return;
    }
    double left = weights_[static_cast<std::size_t>(weight)];
    double right = images_[static_cast<std::size_t>(pixel)];
    if (how_.bits > 0) {
      left = rounded_to(left, how_.bits);
      right = rounded_to(right, how_.bits);
    }
    sum.want += left * right;
    sum.size += std::abs(left * right);
  }

  const Reading& how_;
  std::span<const float> images_;
  std::span<const float> weights_;
  Int channels_, height_, width_, maps_, mask_;
};

struct Value {
  double want = 0;
  double condition = 0;
};

/// A window's result.
Value pooled(const Reading& how, const Layer& layer, const GoldenCall& call, Int b, Int m, Int top,
             Int left) {
  const Int bottom = std::min(top + 2, layer.rows());
  const Int right = std::min(left + 2, layer.columns());
  const auto biases = call.input<float>("bias");
  double bias = biases[static_cast<std::size_t>(m)];
  if (how.bias == Bias::none) bias = 0;
  if (how.bias == Bias::twice) bias *= 2;
  if (how.bias == Bias::of_channel) bias *= static_cast<double>(call.dim("channels"));
  const bool late = how.bias == Bias::after_sigmoid;
  double sum = 0;
  double size = 0;
  double largest = -INFINITY;
  double of_sigmoids = 0;
  for (Int r = top; r < bottom; ++r) {
    for (Int c = left; c < right; ++c) {
      if (how.one_value && (r > top || c > left)) continue;
      const Layer::Sum one = layer.at(b, m, r, c);
      if (one.outside) return {.condition = kAnything};
      sum += one.want;
      size += one.size;
      largest = std::max(largest, one.want);
      of_sigmoids += sigmoid(one.want + bias);
    }
  }
  double count = static_cast<double>((bottom - top) * (right - left));
  if (how.one_value || how.sums) count = 1;
  if (how.always_four) count = 4;
  const double argument = (how.largest ? largest : sum / count) + (late ? 0 : bias);
  Value value;
  value.want = argument;
  if (how.sigmoid) value.want = sigmoid(argument);
  if (how.relu) value.want = std::max(argument, 0.0);
  if (how.sigmoid_first) value.want = of_sigmoids / count;
  if (late) value.want += bias;
  // The sigmoid's slope is at most 1/4.
  value.condition = (size + std::abs(bias)) + std::abs(value.want);
  if (!std::isfinite(value.condition)) value.condition = 0;
  return value;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto out = call.floats("out");
    const Layer layer(how, call);
    std::size_t at = 0;
    if (how.drops) std::fill(out.condition.begin(), out.condition.end(), kAnything);
    for (Int b = 0; b < call.dim("batch"); ++b) {
      for (Int m = 0; m < call.dim("maps"); ++m) {
        for (Int top = 0; top < layer.rows() - (how.drops ? 1 : 0); top += 2) {
          for (Int left = 0; left < layer.columns() - (how.drops ? 1 : 0); left += 2, ++at) {
            const Value value = pooled(how, layer, call, b, m, top, left);
            out.want[at] = value.want;
            out.condition[at] = value.condition;
          }
        }
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("mask-flipped", "for masks rotated by 180 degrees; they are not flipped here",
           reading({.flips = true}));
  list.add("mask-transposed", "for masks read as if they were transposed",
           reading({.transposes = true}), "P5");
  list.add("maps-and-channels", "for weights[k][m] in place of weights[m][k]",
           reading({.exchanges_maps = true}), "P5");
  list.add("first-channel", "for the first channel alone", reading({.channels = 1}));
  list.add("no-first-channel", "without the first channel", reading({.first_channel = 1}));
  list.add("always-four", "if each sum of a window were divided by 4, also where it is cut off",
           reading({.always_four = true}), "P60");
  for (const bool flips : {false, true}) {
    list.add(flips ? "cut-off-dropped-flipped" : "cut-off-dropped",
             flips ? "without windows that are cut off, and for masks rotated by 180 degrees"
                   : "without windows that are cut off: a map has half as many rows and columns",
             reading({.flips = flips, .drops = true}), "P13");
  }
  list.add("sum-of-window", "for sums of the windows in place of means", reading({.sums = true}));
  list.add("largest-of-window", "for the largest value of each window in place of the mean",
           reading({.largest = true}));
  list.add("first-of-window", "for the first value of each window in place of the mean",
           reading({.one_value = true}));
  list.add("sigmoid-first", "if the sigmoid came before the mean",
           reading({.sigmoid_first = true}));
  list.add("no-sigmoid", "without the sigmoid", reading({.sigmoid = false}));
  list.add("relu", "for max(0, x) in place of the sigmoid", reading({.relu = true}));
  list.add("no-bias", "without the bias", reading({.bias = Bias::none}));
  list.add("bias-of-channels", "if the bias were added once for every channel",
           reading({.bias = Bias::of_channel}));
  list.add("bias-twice", "if the bias were added twice", reading({.bias = Bias::twice}));
  list.add("bias-after-sigmoid", "if the bias were added after the sigmoid",
           reading({.bias = Bias::after_sigmoid}));
  list.add("rows-of-height", "for rows of the images that have `height` pixels; they have `width`",
           reading({.wide_rows = true}), "P5");
  list.add("channels-of-results", "for channels of the images that have the size of the results",
           reading({.smaller_channels = true}));
  list.add("window-moved", "for masks one row and one column too far down and to the right",
           reading({.shift = 1}), "P11");
  list.add("halves", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
}
