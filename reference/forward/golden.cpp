#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/golden/golden.h"

// The network in float64, image by image, and how far a program in float may be from it:
// docs/tolerance.md, "forward". Errors are absolute, in units of one rounding, 2^-24.

namespace {

using Values = std::vector<double>;

constexpr double kUnit = 0x1p-24;

/// The bound of `roundings` in a row, in units of one.
double gamma(double roundings) {
  return roundings / (1 - roundings * kUnit);
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

/// The values of a layer for one image. A value's error has a part that arises in it (`local`, and
/// `after` the sigmoid) and parts from the layers before; `total` bounds their sum.
struct Layer {
  Values arguments;  // of the activation
  Values values;
  Values local;
  Values after;
  Values total;  // of a value
  double largest_total = 0;  // of an argument
};

struct Convolution {
  std::span<const float> weights;
  std::span<const float> bias;
  std::size_t channels, height, width;  // of what it is applied to
  std::size_t maps, mask;

  [[nodiscard]] std::size_t rows() const { return height - mask + 1; }  // before pooling
  [[nodiscard]] std::size_t columns() const { return width - mask + 1; }
  [[nodiscard]] std::size_t out_rows() const { return (rows() + 1) / 2; }
  [[nodiscard]] std::size_t out_columns() const { return (columns() + 1) / 2; }
  [[nodiscard]] std::size_t results() const { return maps * out_rows() * out_columns(); }

  /// Calls visit(result, input, weight) for each product of each window's values, where a window's
  /// mean has the weight divided by the number of its values.
  template <class Visit>
  void for_each_product(Visit visit) const {
    std::size_t result = 0;
    for (std::size_t m = 0; m < maps; ++m) {
      for (std::size_t top = 0; top < rows(); top += 2) {
        for (std::size_t left = 0; left < columns(); left += 2, ++result) {
          const std::size_t bottom = std::min(top + 2, rows());
          const std::size_t right = std::min(left + 2, columns());
          const double count = static_cast<double>((bottom - top) * (right - left));
          for (std::size_t r = top; r < bottom; ++r) {
            for (std::size_t c = left; c < right; ++c) {
              for (std::size_t k = 0; k < channels; ++k) {
                for (std::size_t p = 0; p < mask; ++p) {
                  const float* weight = &weights[((m * channels + k) * mask + p) * mask];
                  const std::size_t input = (k * height + r + p) * width + c;
                  for (std::size_t q = 0; q < mask; ++q) {
                    visit(result, input + q, weight[q] / count);
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// @param errors  of the inputs, or empty for none
  [[nodiscard]] Layer forward(const Values& inputs, const Values& errors) const {
    Layer layer;
    layer.arguments.assign(results(), 0);
    layer.local.assign(results(), 0);
    layer.total.assign(results(), 0);
    for_each_product([&](std::size_t result, std::size_t input, double weight) {
      layer.arguments[result] += weight * inputs[input];
      layer.local[result] += std::abs(weight * inputs[input]);
      if (!errors.empty()) layer.total[result] += std::abs(weight) * errors[input];
    });
    const double roundings = gamma(4.0 * static_cast<double>(channels * mask * mask) + 4);
    for (std::size_t i = 0; i < results(); ++i) {
      const double b = bias[i / (out_rows() * out_columns())];
      const double x = layer.arguments[i] += b;
      const double s = sigmoid(x);
      layer.local[i] = roundings * (layer.local[i] + std::abs(b));
      layer.after.push_back(10 * s);
      layer.total[i] += layer.local[i];
      layer.largest_total = std::max(layer.largest_total, layer.total[i]);
      const double shift = layer.total[i] * kUnit;
      const double moved = std::max(sigmoid(x + shift) - s, s - sigmoid(x - shift));
      layer.total[i] = moved / kUnit + layer.after[i];
      layer.values.push_back(s);
    }
    return layer;
  }
};

/// `rows` sums of products with all inputs, and a bias.
struct FullyConnected {
  std::span<const float> weights;
  std::span<const float> bias;

  [[nodiscard]] Layer forward(const Values& inputs, const Values& errors, bool relu) const {
    Layer layer;
    const double roundings = gamma(static_cast<double>(inputs.size()) + 2);
    for (std::size_t row = 0; row < bias.size(); ++row) {
      const float* weight = &weights[row * inputs.size()];
      double sum = bias[row];
      double size = std::abs(sum);
      double error = 0;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        sum += weight[i] * inputs[i];
        size += std::abs(weight[i] * inputs[i]);
        error += std::abs(weight[i]) * errors[i];
      }
      layer.arguments.push_back(sum);
      layer.local.push_back(roundings * size);
      error += roundings * size;
      layer.values.push_back(relu ? std::max(sum, 0.0) : sum);
      layer.total.push_back(relu && sum < -error * kUnit ? 0 : error);
    }
    return layer;
  }
};

struct Network {
  Convolution first, second;
  FullyConnected hidden, last;

  /// The errors of the last layer's values: of each rounding, as far as the value depends on it.
  [[nodiscard]] Values errors_of(const Layer& a, const Layer& b, const Layer& h,
                                 const Layer& z) const {
    const std::size_t features = b.values.size();
    Values errors;
    for (std::size_t row = 0; row < z.values.size(); ++row) {
      // Products of slopes change by e^(2 d), if the sigmoids' arguments do by d.
      double error =
          z.local[row] + 3 * kUnit * std::max(a.largest_total, b.largest_total) * z.total[row];
      Values of_features(features);  // derivatives of this value
      for (std::size_t j = 0; j < h.values.size(); ++j) {
        const double weight = last.weights[row * h.values.size() + j];
        // Near 0 the slope may be either.
        if (std::abs(h.arguments[j]) <= h.total[j] * kUnit) error += std::abs(weight) * h.total[j];
        if (h.arguments[j] <= 0) continue;
        error += std::abs(weight) * h.local[j];
        for (std::size_t i = 0; i < features; ++i) {
          of_features[i] += weight * hidden.weights[j * features + i];
        }
      }
      error += of_arguments(b, of_features);
      Values of_first(a.values.size());
      second.for_each_product([&](std::size_t result, std::size_t input, double weight) {
        of_first[input] += of_features[result] * weight;
      });
      errors.push_back(error + of_arguments(a, of_first));
    }
    return errors;
  }

 private:
  /// Turns derivatives by a layer's values into those by its arguments; the error by its roundings.
  static double of_arguments(const Layer& layer, Values& derivatives) {
    double error = 0;
    for (std::size_t i = 0; i < derivatives.size(); ++i) {
      error += std::abs(derivatives[i]) * layer.after[i];
      derivatives[i] *= layer.values[i] * (1 - layer.values[i]);
      error += std::abs(derivatives[i]) * layer.local[i];
    }
    return error;
  }
};

/// exp(x - largest + sign * error) of each value but one, summed up.
double others(const Values& weights, const Values& errors, std::size_t one, double sign) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (i != one) sum += weights[i] * std::exp(sign * errors[i] * kUnit);
  }
  return sum;
}

void softmax(const Layer& z, const Values& errors, double* want, double* condition) {
  const double largest = *std::max_element(z.values.begin(), z.values.end());
  Values weights;
  for (const double value : z.values) weights.push_back(std::exp(value - largest));
  const double roundings = 4.0 * static_cast<double>(weights.size()) + 256;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double w = weights[i];
    const double factor = std::exp(errors[i] * kUnit);
    want[i] = w / (w + others(weights, errors, i, 0));
    const double most = w * factor / (w * factor + others(weights, errors, i, -1));
    const double least = w / factor / (w / factor + others(weights, errors, i, 1));
    // An exponential below float's normal range may become 0.
    condition[i] =
        std::max(most - want[i], want[i] - least) / kUnit + roundings * want[i] + 0x1p-102;
  }
}

}  // namespace

WARPGRADE_GOLDEN(call) {
  const auto size = [&](const char* name) { return static_cast<std::size_t>(call.dim(name)); };
  const auto floats = [&](const char* name) { return call.input<float>(name); };
  const Convolution first = {.weights = floats("conv1"),
                             .bias = floats("conv1_bias"),
                             .channels = size("channels"),
                             .height = size("height"),
                             .width = size("width"),
                             .maps = size("maps1"),
                             .mask = size("mask1")};
  const Convolution second = {.weights = floats("conv2"),
                              .bias = floats("conv2_bias"),
                              .channels = first.maps,
                              .height = first.out_rows(),
                              .width = first.out_columns(),
                              .maps = size("maps2"),
                              .mask = size("mask2")};
  const Network network = {.first = first,
                           .second = second,
                           .hidden = {.weights = floats("full1"), .bias = floats("full1_bias")},
                           .last = {.weights = floats("full2"), .bias = floats("full2_bias")}};
  const auto images = floats("images");
  const auto probabilities = call.floats("probabilities");
  const auto classes = call.integers("classes");
  const std::size_t pixels = first.channels * first.height * first.width;
  for (std::size_t image = 0; image < size("batch"); ++image) {
    const auto input = images.subspan(image * pixels, pixels);
    const Layer a = first.forward(Values(input.begin(), input.end()), {});
    const Layer b = second.forward(a.values, a.total);
    const Layer h = network.hidden.forward(b.values, b.total, true);
    const Layer z = network.last.forward(h.values, h.total, false);
    softmax(z, network.errors_of(a, b, h, z), &probabilities.want[image * z.values.size()],
            &probabilities.condition[image * z.values.size()]);
    classes[image] = std::max_element(z.values.begin(), z.values.end()) - z.values.begin();
  }
}

/// Where two classes are equally probable up to rounding, either may be the largest: the class has
/// to fit to the probabilities that the program wrote.
WARPGRADE_ACCEPTS(check) {
  const auto probabilities = check.output<float>("probabilities");
  const auto classes = check.output<std::int32_t>("classes");
  const auto count = static_cast<std::size_t>(check.dim("classes"));
  for (std::size_t image = 0; image < classes.size(); ++image) {
    const auto row = probabilities.subspan(image * count, count);
    const std::int32_t found = classes[image];
    if (found < 0 || static_cast<std::size_t>(found) >= count) {
      check.wrong("classes", image,
                  "This is not a class: they are 0 to " + std::to_string(count - 1) + ".");
    } else if (const auto largest = std::max_element(row.begin(), row.end());
               row[static_cast<std::size_t>(found)] < *largest) {
      check.wrong("classes", image,
                  "Class " + std::to_string(largest - row.begin()) +
                      " has a larger probability in `probabilities.bin`.");
    }
  }
}
