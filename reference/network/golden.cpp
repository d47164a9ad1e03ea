#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/golden/golden.h"

namespace {

double sigmoid(double s) {
  return 1 / (1 + std::exp(-s));
}

}  // namespace

/// The definition, in float64. docs/tolerance.md derives the condition: `roundings` of them move
/// the sigmoid's argument by at most `shift`, and ten more are relative to the result.
WARPGRADE_GOLDEN(call) {
  const auto images = call.input<float>("images");
  const auto weights = call.input<float>("weights");
  const auto bias = call.input<float>("bias");
  const auto out = call.floats("out");
  const std::int64_t batch = call.dim("batch");
  const std::int64_t channels = call.dim("channels");
  const std::int64_t height = call.dim("height");
  const std::int64_t width = call.dim("width");
  const std::int64_t maps = call.dim("maps");
  const std::int64_t mask = call.dim("mask");
  const std::int64_t map_height = height - mask + 1;
  const std::int64_t map_width = width - mask + 1;

  const double roundings = 4.0 * static_cast<double>(channels * mask * mask) + 4;  // `terms`
  const double unit = std::ldexp(1.0, -24);
  const double gamma = roundings * unit / (1 - roundings * unit);
  std::size_t at = 0;
  for (std::int64_t b = 0; b < batch; ++b) {
    for (std::int64_t m = 0; m < maps; ++m) {
      for (std::int64_t top = 0; top < map_height; top += 2) {
        for (std::int64_t left = 0; left < map_width; left += 2, ++at) {
          const std::int64_t bottom = std::min(top + 2, map_height);
          const std::int64_t right = std::min(left + 2, map_width);
          double sum = 0;
          double size = 0;
          for (std::int64_t r = top; r < bottom; ++r) {
            for (std::int64_t c = left; c < right; ++c) {
              for (std::int64_t k = 0; k < channels; ++k) {
                for (std::int64_t p = 0; p < mask; ++p) {
                  const float* weight = &weights[((m * channels + k) * mask + p) * mask];
                  const float* pixel = &images[((b * channels + k) * height + r + p) * width + c];
                  for (std::int64_t q = 0; q < mask; ++q) {
                    const double product = double{weight[q]} * pixel[q];
                    sum += product;
                    size += std::abs(product);
                  }
                }
              }
            }
          }
          const double count = static_cast<double>((bottom - top) * (right - left));
          const double argument = sum / count + bias[m];
          const double want = sigmoid(argument);
          const double shift = gamma * (size / count + std::abs(bias[m]));
          double error = 0;  // of an infinite argument there is none
          if (std::isfinite(argument)) {
            error = std::max(sigmoid(argument + shift) - want, want - sigmoid(argument - shift));
          }
          out.want[at] = want;
          out.condition[at] = error / gamma + want * 10 / roundings;
          // exp() of more than 88.7 is infinite in float, and the result 0.
          constexpr double kSmallest = 0x1p-126;
          if (want < kSmallest) out.condition[at] += kSmallest / gamma;
        }
      }
    }
  }
}
