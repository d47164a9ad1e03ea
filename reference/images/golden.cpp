#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/golden/golden.h"

/// Pixel by pixel, in whole numbers: results are exact.
WARPGRADE_GOLDEN(call) {
  const auto rgb = call.input<std::uint8_t>("rgb");
  const auto image = call.input<std::uint8_t>("image");
  const auto gray = call.integers("gray");
  const auto blurred = call.integers("blurred");
  const std::int64_t height = call.dim("height");
  const std::int64_t width = call.dim("width");
  const std::int64_t radius = call.dim("radius");
  for (std::int64_t i = 0; i < height; ++i) {
    for (std::int64_t j = 0; j < width; ++j) {
      const auto at = static_cast<std::size_t>(i * width + j);
      gray[at] = (3 * rgb[3 * at] + 6 * rgb[3 * at + 1] + rgb[3 * at + 2]) / 10;
      std::int64_t sum = 0;
      std::int64_t count = 0;
      for (std::int64_t k = std::max<std::int64_t>(i - radius, 0);
           k <= std::min(i + radius, height - 1); ++k) {
        for (std::int64_t l = std::max<std::int64_t>(j - radius, 0);
             l <= std::min(j + radius, width - 1); ++l) {
          sum += image[static_cast<std::size_t>(k * width + l)];
          ++count;
        }
      }
      blurred[at] = sum / count;
    }
  }
}
