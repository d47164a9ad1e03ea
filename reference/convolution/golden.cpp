#include "harness/golden/golden.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

/// The definition, term by term. A product of two floats is exact in double, and a sum of at most
/// 961 of them is off by 961 * 2^-53 of the sum of their absolute values, a 2^29th of the bound.
/// Ghost cells add nothing: they are left out rather than multiplied with 0, so that they do not
/// meet an infinite mask element.
WARPGRADE_GOLDEN(call) {
  const auto image = call.input<float>("image");
  const auto mask = call.input<float>("mask");
  const auto result = call.floats("result");
  const std::int64_t height = call.dim("height");
  const std::int64_t width = call.dim("width");
  const std::int64_t mask_height = call.dim("mask_height");
  const std::int64_t mask_width = call.dim("mask_width");

  for (std::int64_t row = 0; row < height; ++row) {
    for (std::int64_t col = 0; col < width; ++col) {
      double sum = 0;
      double condition = 0;
      for (std::int64_t i = 0; i < mask_height; ++i) {
        const std::int64_t y = row + i - mask_height / 2;
        if (y < 0 || y >= height) continue;
        for (std::int64_t j = 0; j < mask_width; ++j) {
          const std::int64_t x = col + j - mask_width / 2;
          if (x < 0 || x >= width) continue;
          const double product = static_cast<double>(mask[i * mask_width + j]) *
                                 static_cast<double>(image[y * width + x]);
          sum += product;
          condition += std::abs(product);
        }
      }
      result.want[row * width + col] = sum;
      // For an infinite result there is no relative error.
      result.condition[row * width + col] = std::isfinite(condition) ? condition : 0;
    }
  }
}
