#include <array>

#include "harness/golden/golden.h"

WARPGRADE_GOLDEN(call) {
  const auto image = call.input<std::uint8_t>("image");
  const auto result = call.floats("result");
  std::array<std::uint64_t, 256> sums{};
  for (std::size_t i = 0; i < image.size(); i += 3) {
    ++sums[(21U * image[i] + 71U * image[i + 1] + 8U * image[i + 2]) / 100U];
  }
  for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  std::uint64_t least = 0;
  for (std::size_t i = 0; least == 0; ++i) least = sums[i];
  const std::uint64_t range = sums.back() - least;
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::uint64_t sum = sums[image[i]];
    result.want[i] = range == 0     ? image[i]
                     : sum <= least ? 0
                                    : static_cast<double>(255 * (sum - least) / range);
    result.condition[i] = 0;
  }
}
