#include "harness/golden/golden.h"

WARPGRADE_GOLDEN(call) {
  const auto image = call.input<std::uint8_t>("image");
  const auto gray = call.integers("gray");
  for (std::size_t i = 0; i < gray.size(); ++i) {
    gray[i] = (image[3 * i] + image[3 * i + 1] + image[3 * i + 2]) / 3;
  }
}
