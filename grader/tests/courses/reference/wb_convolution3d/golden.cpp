#include <cmath>

#include "harness/golden/golden.h"

WARPGRADE_GOLDEN(call) {
  const auto input = call.input<float>("input");
  const auto kernel = call.input<float>("kernel");
  const auto output = call.floats("output");
  const std::int64_t extents[] = {call.dim("z"), call.dim("y"), call.dim("x")};
  for (std::size_t i = 0; i < 3; ++i) {
    output.want[i] = static_cast<double>(extents[i]);
    output.condition[i] = 0;
  }
  const auto [depth, height, width] = extents;
  for (std::int64_t z = 0; z < depth; ++z) {
    for (std::int64_t y = 0; y < height; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        double sum = 0;
        double size = 0;
        for (std::int64_t k = 0; k < 27; ++k) {
          const std::int64_t w = z + k / 9 - 1;
          const std::int64_t v = y + k / 3 % 3 - 1;
          const std::int64_t u = x + k % 3 - 1;
          if (w < 0 || w >= depth || v < 0 || v >= height || u < 0 || u >= width) continue;
          const double product =
              double(input[static_cast<std::size_t>((w * height + v) * width + u + 3)]) *
              double(kernel[static_cast<std::size_t>(k)]);
          sum += product;
          size += std::abs(product);
        }
        const auto at = static_cast<std::size_t>((z * height + y) * width + x + 3);
        output.want[at] = sum;
        output.condition[at] = size;
      }
    }
  }
}
