#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::kAnything;
using warpgrade::rounded_to;

namespace {

using Int = std::int64_t;

enum class Bias {
  of_map,
  none,
  of_channel,
  after_sigmoid,
  twice,
  subtracted,
  of_first_map,
  of_image,
  divided,  // with the sum
};

/// Which value stands for a window of 2 x 2.
enum class Pooling { mean, smallest, last, first_row, overlapping, transposed };

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
  bool logistic = true;
  bool relu = false;
  Bias bias = Bias::of_map;
  bool wide_rows = false;  // of an image: they have `height` pixels
  bool smaller_channels = false;  // of an image: they have the size of the results
  bool drops = false;  // windows that are cut off, so that a map has fewer results
  Int shift = 0;  // of the window, along both axes
  int bits = 0;  // of factors; 0: they are not rounded
  bool last_channel = false;  // alone
  Int fewer_channels = 0;
  Int first_mask_row = 0;
  Int first_mask_column = 0;
  Int fewer_mask_rows = 0;
  Int fewer_mask_columns = 0;
  bool last_mask_row = false;  // of the last channel alone
  bool same_image = false;  // the first one for all
  bool same_channel = false;  // of the images
  bool same_map = false;  // of the weights
  bool same_mask = false;  // of a map's channels
  bool channels_last = false;  // in the images
  bool masks_channels_last = false;
  bool maps_first = false;  // in `out`
  /// Whether product d counts, of a depth of channels * mask * mask.
  std::function<bool(Int d, Int depth)> counts = {};
  Pooling pooling = Pooling::mean;
  std::function<double(double argument)> activation = {};
};

double logistic(double s) {
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
    const Int all = channels_ - how_.fewer_channels;
    const Int last = how_.channels == 0 ? all : std::min(how_.channels, channels_);
    const bool one = how_.last_channel || how_.last_mask_row;
    for (Int k = one ? last - 1 : std::min(how_.first_channel, last); k < last; ++k) {
      for (Int p = how_.last_mask_row ? mask_ - 1 : how_.first_mask_row;
           p < mask_ - how_.fewer_mask_rows; ++p) {
        for (Int q = how_.first_mask_column; q < mask_ - how_.fewer_mask_columns; ++q)
          add(b, m, k, p, q, row + how_.shift, column + how_.shift, sum);
      }
    }
    return sum;
  }

 private:
  void add(Int b, Int m, Int k, Int p, Int q, Int row, Int column, Sum& sum) const {
    const Int product = (k * mask_ + p) * mask_ + q;
    if (how_.counts && !how_.counts(product, channels_ * mask_ * mask_)) return;
    if (how_.same_image) b = 0;
    const Int size = how_.smaller_channels ? rows() * columns() : height_ * width_;
    const Int length = how_.wide_rows ? height_ : width_;
    const Int channel = how_.same_channel ? 0 : k;
    Int pixel = (b * channels_ + channel) * size + (row + p) * length + column + q;
    if (how_.channels_last) {
      pixel = ((b * height_ + row + p) * width_ + column + q) * channels_ + k;
    }
    const Int mask_row = how_.flips ? mask_ - 1 - p : how_.transposes ? q : p;
    const Int mask_column = how_.flips ? mask_ - 1 - q : how_.transposes ? p : q;
    Int of_map = how_.exchanges_maps ? k * maps_ + m : m * channels_ + k;
    if (how_.same_map) of_map = k;
    if (how_.same_mask) of_map = m * channels_;
    Int weight = (of_map * mask_ + mask_row) * mask_ + mask_column;
    if (how_.masks_channels_last) {
      weight = ((m * mask_ + mask_row) * mask_ + mask_column) * channels_ + k;
    }
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
  if (how.pooling == Pooling::overlapping) {
    top /= 2;
    left /= 2;
  }
  const Int bottom = std::min(top + 2, layer.rows());
  const Int right = std::min(left + 2, layer.columns());
  const auto biases = call.input<float>("bias");
  double bias = biases[static_cast<std::size_t>(m)];
  if (how.bias == Bias::none) bias = 0;
  if (how.bias == Bias::twice) bias *= 2;
  if (how.bias == Bias::of_channel) bias *= static_cast<double>(call.dim("channels"));
  if (how.bias == Bias::subtracted) bias = -bias;
  if (how.bias == Bias::of_first_map) bias = biases[0];
  if (how.bias == Bias::of_image) bias = biases[static_cast<std::size_t>(b) % biases.size()];
  const bool late = how.bias == Bias::after_sigmoid;
  double sum = 0;
  double size = 0;
  double largest = -INFINITY;
  double smallest = INFINITY;
  double last = 0;
  Int values = 0;
  double of_sigmoids = 0;
  for (Int r = top; r < bottom; ++r) {
    for (Int c = left; c < right; ++c) {
      if (how.one_value && (r > top || c > left)) continue;
      if (how.pooling == Pooling::first_row && r > top) continue;
      const bool turned = how.pooling == Pooling::transposed;
      if (turned && (r >= layer.columns() || c >= layer.rows())) return {.condition = kAnything};
      const Layer::Sum one = turned ? layer.at(b, m, c, r) : layer.at(b, m, r, c);
      if (one.outside) return {.condition = kAnything};
      sum += one.want;
      size += one.size;
      ++values;
      last = one.want;
      largest = std::max(largest, one.want);
      smallest = std::min(smallest, one.want);
      of_sigmoids += logistic(one.want + bias);
    }
  }
  auto count = static_cast<double>(values);
  if (how.sums) count = 1;
  if (how.always_four) count = 4;
  if (how.bias == Bias::divided) bias /= count;
  double of_window = how.largest ? largest : sum / count;
  if (how.pooling == Pooling::smallest) of_window = smallest;
  if (how.pooling == Pooling::last) of_window = last;
  const double argument = of_window + (late ? 0 : bias);
  Value value;
  value.want = argument;
  if (how.logistic) value.want = logistic(argument);
  if (how.relu) value.want = std::max(argument, 0.0);
  if (how.activation) value.want = how.activation(argument);
  if (how.sigmoid_first) value.want = of_sigmoids / count;
  if (late) value.want += bias;
  // The logistic's slope is at most 1/4.
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
            // In [map][batch] the values of image b and map m are elsewhere.
            const Int plane = b * call.dim("maps") + m;
            const Int of_image = how.maps_first ? plane % call.dim("batch") : b;
            const Int of_map = how.maps_first ? plane / call.dim("batch") : m;
            const Value value = pooled(how, layer, call, of_image, of_map, top, left);
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
  list.add("logistic-first", "if the logistic came before the mean",
           reading({.sigmoid_first = true}));
  list.add("no-logistic", "without the logistic", reading({.logistic = false}));
  list.add("relu", "for max(0, x) in place of the logistic", reading({.relu = true}));
  list.add("no-bias", "without the bias", reading({.bias = Bias::none}));
  list.add("bias-of-channels", "if the bias were added once for every channel",
           reading({.bias = Bias::of_channel}));
  list.add("bias-twice", "if the bias were added twice", reading({.bias = Bias::twice}));
  list.add("bias-after-logistic", "if the bias were added after the logistic",
           reading({.bias = Bias::after_sigmoid}));
  list.add("rows-of-height", "for rows of the images that have `height` pixels; they have `width`",
           reading({.wide_rows = true}), "P5");
  list.add("channels-of-results", "for channels of the images that have the size of the results",
           reading({.smaller_channels = true}));
  list.add("window-moved", "for masks one row and one column too far down and to the right",
           reading({.shift = 1}), "P11");
  list.add("halves", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
  list.add("last-channel", "for the last channel alone: the sum begins with 0 again in each",
           reading({.last_channel = true}));
  list.add("no-last-channel", "without the last channel", reading({.fewer_channels = 1}));
  list.add("last-mask-row",
           "for the mask's last row in the last channel: the sum begins with 0 in each row",
           reading({.last_mask_row = true}));
  list.add("no-first-mask-row", "for masks without their first row",
           reading({.first_mask_row = 1}));
  list.add("no-first-mask-column", "for masks without their first column",
           reading({.first_mask_column = 1}));
  list.add("no-last-mask-row", "for masks without their last row", reading({.fewer_mask_rows = 1}));
  list.add("no-last-mask-column", "for masks without their last column",
           reading({.fewer_mask_columns = 1}));
  list.add("masks-begin-late", "for masks without their first row and their first column",
           reading({.first_mask_row = 1, .first_mask_column = 1}));
  list.add("masks-end-early", "for masks without their last row and their last column",
           reading({.fewer_mask_rows = 1, .fewer_mask_columns = 1}));
  list.add("same-image", "for image 0 in place of each image of the batch",
           reading({.same_image = true}));
  list.add("same-channel", "for channel 0 of the images in place of each channel",
           reading({.same_channel = true}));
  list.add("same-map", "for the weights of map 0 in place of those of each map",
           reading({.same_map = true}));
  list.add("same-mask", "for the weights of channel 0 in place of those of each channel",
           reading({.same_mask = true}));
  list.add("channels-last", "for images stored as [height][width][channels]",
           reading({.channels_last = true}), "P5");
  list.add("masks-channels-last", "for weights stored as [maps][mask][mask][channels]",
           reading({.masks_channels_last = true}), "P5");
  list.add("maps-first", "for results stored as [maps][batch] in place of [batch][maps]",
           reading({.maps_first = true}), "P5");
  list.add("bias-subtracted", "if the bias were subtracted", reading({.bias = Bias::subtracted}));
  list.add("bias-of-map-0", "for the bias of map 0 in all maps",
           reading({.bias = Bias::of_first_map}));
  list.add("bias-of-image", "for the bias with the number of the image in place of the map's",
           reading({.bias = Bias::of_image}));
  list.add("bias-divided", "if the bias were divided by the number of values of the window, too",
           reading({.bias = Bias::divided}));
  list.add("smallest-of-window", "for the smallest value of each window in place of the mean",
           reading({.pooling = Pooling::smallest}));
  list.add("last-of-window", "for the last value of each window: each one replaces the sum",
           reading({.pooling = Pooling::last}));
  list.add("row-of-window", "for the mean of the first row of each window",
           reading({.pooling = Pooling::first_row}));
  list.add("windows-overlap", "for windows one row and column apart in place of two",
           reading({.pooling = Pooling::overlapping}), "P11");
  list.add("values-transposed", "for the values before pooling read as if they were transposed",
           reading({.pooling = Pooling::transposed}), "P5");
  list.add("sign-of-exponent", "for 1 / (1 + exp(x)): the sign of the exponent is wrong",
           reading({.activation = [](double x) { return 1 - logistic(x); }}));
  list.add("hyperbolic", "for tanh(x) in place of the logistic",
           reading({.activation = [](double x) { return std::tanh(x); }}));
  for (const Int tile : {8, 16, 32}) {
    const std::string size = std::to_string(tile);
    list.add(
        "whole-tiles-" + size,
        "for whole tiles of " + size + " products: the rest of channels * mask * mask is left out",
        reading({.counts = [tile](Int d, Int depth) { return d < depth / tile * tile; }}), "P6");
    list.add("first-tile-" + size, "for the first " + size + " products of each sum only",
             reading({.counts = [tile](Int d, Int) { return d < tile; }}));
    list.add("no-first-tile-" + size, "without the first " + size + " products of each sum",
             reading({.counts = [tile](Int d, Int) { return d >= tile; }}));
    list.add(
        "last-tile-" + size,
        "for the last tile of " + size + " products only: each tile replaces the sum",
        reading({.counts = [tile](Int d, Int depth) { return d >= (depth - 1) / tile * tile; }}));
    list.add("no-last-of-tiles-" + size, "without the last product of each tile of " + size,
             reading({.counts = [tile](Int d, Int) { return d % tile != tile - 1; }}));
  }
  for (const Int tile : {8, 16, 32}) {
    const std::string size = std::to_string(tile);
    list.add("half-of-tiles-" + size, "for the first half of the products of each tile of " + size,
             reading({.counts = [tile](Int d, Int) { return d % tile < tile / 2; }}));
    list.add("no-first-of-tiles-" + size, "without the first product of each tile of " + size,
             reading({.counts = [tile](Int d, Int) { return d % tile != 0; }}));
    if (tile == 32) continue;  // a rest of 32 is the last tile in the visible cases
    list.add(
        "no-last-tile-" + size,
        "without the last tile of each sum, tiles being " + size + " wide, whole or not",
        reading({.counts = [tile](Int d, Int depth) { return d < (depth - 1) / tile * tile; }}));
  }
}
