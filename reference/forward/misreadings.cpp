#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;

namespace {

using Values = std::vector<double>;

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

double hyperbolic(double x) {
  return std::tanh(x);
}

double cut(double x) {
  return std::max(x, 0.0);
}

/// The whole network, with a change in one of its layers.
struct Reading {
  bool flips = false;  // the masks
  bool transposes = false;  // the masks
  bool exchanges_maps = false;  // of the second layer's weights
  bool always_four = false;  // a window's sum is divided by 4, also where it is cut off
  bool largest = false;  // of a window, in place of the mean
  bool sums = false;  // of a window, in place of the mean
  bool sigmoid_first = false;  // before the mean
  int sigmoids = 2;  // layers that have one
  bool by_columns = false;  // weights of full layers
  bool relu = true;
  bool relu_last = false;
  bool bias = true;  // of the convolutions
  bool full_bias = true;
  bool hidden_bias = false;  // in the last layer, too
  bool softmax = true;
  bool divides = true;
  bool overflows = false;  // exponentials of floats, from which the largest is not subtracted
  bool maps_last = false;  // features are ordered by pixel, then by map
  bool first_maps_last = false;  // and what the second layer reads
  bool last_channel = false;  // alone
  std::size_t fewer_channels = 0;
  std::size_t first_mask_row = 0;  // also the first column
  std::size_t fewer_mask_rows = 0;  // also columns
  bool same_mask = false;  // of a map's channels
  bool first_bias = false;  // in all maps
  bool same_image = false;  // the first one for all
  bool first_of_window = false;
  bool last_of_window = false;
  bool overlaps = false;  // windows are one value apart
  double sign = 1;  // of biases
  std::function<double(double x)> activation = logistic;  // of the convolutions
  std::function<double(double x)> of_hidden = {};  // in place of max(0, x)
  std::function<bool(std::size_t i, std::size_t inputs)> counts = {};  // in full layers
  bool without_hidden_bias = false;
  bool without_last_bias = false;
  double base = 0;  // of the powers; 0: e
  std::function<bool(std::size_t i, std::size_t classes)> in_sum = {};  // of exponentials
};

struct Shape {
  std::size_t channels, height, width, maps, mask;

  [[nodiscard]] std::size_t rows() const { return height - mask + 1; }
  [[nodiscard]] std::size_t columns() const { return width - mask + 1; }
  [[nodiscard]] std::size_t out_rows() const { return (rows() + 1) / 2; }
  [[nodiscard]] std::size_t out_columns() const { return (columns() + 1) / 2; }
};

double at(const Reading& how, const Shape& s, std::span<const float> weights, const Values& in,
          std::size_t m, std::size_t r, std::size_t c, bool is_second) {
  double sum = 0;
  const std::size_t end = s.mask - std::min(how.fewer_mask_rows, s.mask);
  for (std::size_t k = how.last_channel ? s.channels - 1 : 0; k + how.fewer_channels < s.channels;
       ++k) {
    for (std::size_t p = how.first_mask_row; p < end; ++p) {
      for (std::size_t q = how.first_mask_row; q < end; ++q) {
        std::size_t row = how.flips ? s.mask - 1 - p : p;
        std::size_t column = how.flips ? s.mask - 1 - q : q;
        if (how.transposes) std::swap(row, column);
        std::size_t of_map = how.exchanges_maps && is_second ? k * s.maps + m : m * s.channels + k;
        if (how.same_mask) of_map = m * s.channels;
        sum += weights[(of_map * s.mask + row) * s.mask + column] *
               in[(k * s.height + r + p) * s.width + c + q];
      }
    }
  }
  return sum;
}

Values convolved(const Reading& how, const Shape& s, std::span<const float> weights,
                 std::span<const float> bias, const Values& in, bool is_second) {
  const bool has_sigmoid = how.sigmoids > (is_second ? 1 : 0);
  Values out;
  for (std::size_t m = 0; m < s.maps; ++m) {
    const double b = how.bias ? how.sign * bias[how.first_bias ? 0 : m] : 0;
    for (std::size_t window = 0; window < s.out_rows() * s.out_columns(); ++window) {
      const std::size_t apart = how.overlaps ? 1 : 2;
      const std::size_t top = window / s.out_columns() * apart;
      const std::size_t left = window % s.out_columns() * apart;
      const std::size_t bottom = std::min(top + 2, s.rows());
      const std::size_t right = std::min(left + 2, s.columns());
      double sum = 0;
      double largest = -INFINITY;
      double of_sigmoids = 0;
      for (std::size_t r = top; r < bottom; ++r) {
        for (std::size_t c = left; c < right; ++c) {
          const double value = at(how, s, weights, in, m, r, c, is_second);
          if (how.first_of_window && (r > top || c > left)) continue;
          if (how.last_of_window) sum = 0;
          sum += value;
          largest = std::max(largest, value);
          of_sigmoids += how.activation(value + b);
        }
      }
      double count = static_cast<double>((bottom - top) * (right - left));
      if (how.always_four) count = 4;
      if (how.sums || how.first_of_window || how.last_of_window) count = 1;
      const double argument = (how.largest ? largest : sum / count) + b;
      out.push_back(how.sigmoid_first ? of_sigmoids / count
                    : has_sigmoid     ? how.activation(argument)
                                      : argument);
    }
  }
  return out;
}

/// @param rows  biases may be another layer's, and more or fewer: those that are missing are 0
Values full(const Reading& how, std::span<const float> weights, std::span<const float> bias,
            std::size_t rows, const Values& in, bool relu) {
  Values out;
  for (std::size_t row = 0; row < rows; ++row) {
    const bool has_bias = how.full_bias && row < bias.size() &&
                          !(relu ? how.without_hidden_bias : how.without_last_bias);
    double sum = has_bias ? how.sign * bias[row] : 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (how.counts && !how.counts(i, in.size())) continue;
      sum += weights[how.by_columns ? i * rows + row : row * in.size() + i] * in[i];
    }
    out.push_back(relu && how.of_hidden ? how.of_hidden(sum) : relu ? std::max(sum, 0.0) : sum);
  }
  return out;
}

Values maps_last(const Values& values, std::size_t maps) {
  Values moved;
  const std::size_t pixels = values.size() / maps;
  for (std::size_t i = 0; i < values.size(); ++i) {
    moved.push_back(values[i % maps * pixels + i / maps]);
  }
  return moved;
}

double overflowing(const Values& values, std::size_t i) {
  float sum = 0;
  for (const double value : values) sum += std::exp(static_cast<float>(value));
  return std::exp(static_cast<float>(values[i])) / sum;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto size = [&](const char* name) { return static_cast<std::size_t>(call.dim(name)); };
    const auto floats = [&](const char* name) { return call.input<float>(name); };
    const Shape first{.channels = size("channels"),
                      .height = size("height"),
                      .width = size("width"),
                      .maps = size("maps1"),
                      .mask = size("mask1")};
    const Shape second{.channels = first.maps,
                       .height = first.out_rows(),
                       .width = first.out_columns(),
                       .maps = size("maps2"),
                       .mask = size("mask2")};
    const auto probabilities = call.floats("probabilities");
    const auto classes = call.integers("classes");
    const std::size_t pixels = first.channels * first.height * first.width;
    for (std::size_t image = 0; image < size("batch"); ++image) {
      const auto input = floats("images").subspan(how.same_image ? 0 : image * pixels, pixels);
      Values values = convolved(how, first, floats("conv1"), floats("conv1_bias"),
                                Values(input.begin(), input.end()), false);
      if (how.first_maps_last) values = maps_last(values, first.maps);
      values = convolved(how, second, floats("conv2"), floats("conv2_bias"), values, true);
      if (how.maps_last) values = maps_last(values, second.maps);
      values = full(how, floats("full1"), floats("full1_bias"), size("hidden"), values, how.relu);
      values = full(how, floats("full2"), floats(how.hidden_bias ? "full1_bias" : "full2_bias"),
                    size("classes"), values, how.relu_last);
      const auto largest = std::max_element(values.begin(), values.end());
      classes[image] = largest - values.begin();
      const auto power = [&](double x) {
        return how.base == 0 ? std::exp(x) : std::pow(how.base, x);
      };
      double sum = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!how.in_sum || how.in_sum(i, values.size())) sum += power(values[i] - *largest);
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        double want = values[i];
        if (how.softmax) want = power(want - *largest) / (how.divides ? sum : 1);
        if (how.overflows) want = overflowing(values, i);
        probabilities.want[image * values.size() + i] = want;
        // Far more than the roundings of four layers, far less than another formula changes.
        probabilities.condition[image * values.size() + i] =
            std::isfinite(want) ? 4096 * std::abs(want) + 1 : 0;
      }
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("masks-flipped", "for masks rotated by 180 degrees; they are not flipped here",
           reading({.flips = true}));
  list.add("masks-transposed", "for masks read as if they were transposed",
           reading({.transposes = true}), "P5");
  list.add("maps-and-channels", "for weights[k][m] in place of weights[m][k] in the second layer",
           reading({.exchanges_maps = true}), "P5");
  list.add("always-four", "if each sum of a window were divided by 4, also where it is cut off",
           reading({.always_four = true}), "P60");
  list.add("largest-of-window", "for the largest value of each window in place of the mean",
           reading({.largest = true}));
  list.add("sum-of-window", "for sums of the windows in place of means", reading({.sums = true}));
  list.add("logistic-first", "if the logistic came before the mean",
           reading({.sigmoid_first = true}));
  list.add("one-logistic", "without the logistic of the second layer", reading({.sigmoids = 1}));
  list.add("no-logistic", "without the sigmoids", reading({.sigmoids = 0}));
  list.add("by-columns", "for matrices of the full layers read by columns; they are stored by rows",
           reading({.by_columns = true}), "P5");
  list.add("no-relu", "without max(0, x) after the third layer", reading({.relu = false}));
  list.add("relu-last", "if the last layer also had max(0, x)", reading({.relu_last = true}));
  list.add("no-bias", "without the bias of the convolutions", reading({.bias = false}));
  list.add("no-full-bias", "without the bias of the full layers", reading({.full_bias = false}));
  list.add("hidden-bias", "if the last layer added the bias of the layer before it",
           reading({.hidden_bias = true}));
  list.add("no-softmax", "for the last layer's sums, without the softmax",
           reading({.softmax = false}));
  list.add("not-divided", "if the exponentials were not divided by their sum",
           reading({.divides = false}));
  list.add("overflow",
           "for exponentials that overflow: the largest value has to be subtracted first",
           reading({.overflows = true}));
  list.add("maps-last", "for features ordered by pixel first and by map second",
           reading({.maps_last = true}), "P5");
  list.add("first-maps-last", "if the first layer stored its maps pixel by pixel, not map by map",
           reading({.first_maps_last = true}), "P5");
  list.add("all-maps-last", "if both layers stored their maps pixel by pixel, not map by map",
           reading({.maps_last = true, .first_maps_last = true}), "P5");
  list.add("last-channel", "for the last channel alone: a sum begins with 0 again in each",
           reading({.last_channel = true}));
  list.add("no-last-channel", "without the last channel of each layer",
           reading({.fewer_channels = 1}));
  list.add("masks-begin-late", "for masks without their first row and column",
           reading({.first_mask_row = 1}));
  list.add("masks-end-early", "for masks without their last row and column",
           reading({.fewer_mask_rows = 1}));
  list.add("same-mask", "for the weights of channel 0 in place of those of each channel",
           reading({.same_mask = true}));
  list.add("bias-of-map-0", "for the bias of map 0 in all maps", reading({.first_bias = true}));
  list.add("bias-subtracted", "if the biases were subtracted", reading({.sign = -1}));
  list.add("same-image",
           "for the result of image 0 in place of each image's: an index leaves the image out",
           reading({.same_image = true}));
  list.add("first-of-window", "for the first value of each window in place of the mean",
           reading({.first_of_window = true}));
  list.add("last-of-window", "for the last value of each window: each one replaces the sum",
           reading({.last_of_window = true}));
  list.add("windows-overlap", "for windows one row and column apart in place of two",
           reading({.overlaps = true}), "P11");
  list.add("hyperbolic", "for tanh(x) in place of the logistic",
           reading({.activation = hyperbolic}));
  list.add("relu-in-maps", "for max(0, x) in place of the logistic", reading({.activation = cut}));
  list.add("sign-of-exponent", "for 1 / (1 + exp(x)): the sign of the exponent is wrong",
           reading({.activation = [](double x) { return logistic(-x); }}));
  list.add("hidden-logistic", "for the logistic in place of max(0, x) in the third layer",
           reading({.of_hidden = logistic}));
  list.add("relu-exchanged", "if the last layer had max(0, x) in place of the third",
           reading({.relu = false, .relu_last = true}));
  list.add("no-hidden-bias", "without the bias of the third layer",
           reading({.without_hidden_bias = true}));
  list.add("no-last-bias", "without the bias of the last layer",
           reading({.without_last_bias = true}));
  list.add("no-last-input", "without the last input of the full layers",
           reading({.counts = [](std::size_t i, std::size_t inputs) { return i + 1 < inputs; }}));
  list.add("no-first-input", "without the first input of the full layers",
           reading({.counts = [](std::size_t i, std::size_t) { return i > 0; }}));
  list.add(
      "fours", "for groups of four inputs of the full layers: the rest is left out",
      reading({.counts = [](std::size_t i, std::size_t inputs) { return i < inputs / 4 * 4; }}),
      "P13");
  for (const std::size_t count : {16U, 32U, 256U}) {
    const std::string text = std::to_string(count);
    list.add(
        "whole-" + text,
        "for whole groups of " + text + " inputs of the full layers: the rest is left out",
        reading({.counts = [count](std::size_t i,
                                   std::size_t inputs) { return i < inputs / count * count; }}),
        "P6");
    list.add("first-" + text, "for the first " + text + " inputs of the full layers only",
             reading({.counts = [count](std::size_t i, std::size_t) { return i < count; }}));
    list.add("last-" + text,
             "for the last group of " + text + " inputs of the full layers: it replaces the sum",
             reading({.counts = [count](std::size_t i, std::size_t inputs) {
               return i >= (inputs - 1) / count * count;
             }}));
  }
  list.add("powers-of-two", "for powers of 2 in place of powers of e in the softmax",
           reading({.base = 2}));
  list.add(
      "last-exponential", "if each exponential replaced the sum: it is the last one",
      reading({.in_sum = [](std::size_t i, std::size_t classes) { return i + 1 == classes; }}));
  list.add("first-class-not-in-sum", "if the sum of the exponentials were without class 0",
           reading({.in_sum = [](std::size_t i, std::size_t) { return i > 0; }}));
  list.add("last-class-not-in-sum", "if the sum of the exponentials were without the last class",
           reading({.in_sum = [](std::size_t i, std::size_t classes) { return i + 1 < classes; }}));
}
