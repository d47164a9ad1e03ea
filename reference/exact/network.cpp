#include "labs/network/network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/exact/exact.h"

namespace {

struct Shape {
  int batch, channels, height, width, maps, mask;
};

/// The arguments of the sigmoid, times four: whole numbers if pixels, weights and bias are.
std::vector<float> arguments(const Shape& s, const std::vector<float>& images,
                             const std::vector<float>& weights, const std::vector<float>& bias) {
  const int map_height = s.height - s.mask + 1;
  const int map_width = s.width - s.mask + 1;
  std::vector<float> quarters;
  for (int b = 0; b < s.batch; ++b) {
    for (int m = 0; m < s.maps; ++m) {
      for (int top = 0; top < map_height; top += 2) {
        for (int left = 0; left < map_width; left += 2) {
          const int bottom = std::min(top + 2, map_height);
          const int right = std::min(left + 2, map_width);
          float sum = 0;
          for (int r = top; r < bottom; ++r) {
            for (int c = left; c < right; ++c) {
              for (int k = 0; k < s.channels; ++k) {
                for (int p = 0; p < s.mask; ++p) {
                  for (int q = 0; q < s.mask; ++q) {
                    sum += weights[((m * s.channels + k) * s.mask + p) * s.mask + q] *
                           images[((b * s.channels + k) * s.height + r + p) * s.width + c + q];
                  }
                }
              }
            }
          }
          const int count = (bottom - top) * (right - left);
          quarters.push_back(4 / count * sum + 4 * bias[m]);
        }
      }
    }
  }
  return quarters;
}

}  // namespace

/// The sigmoid is not exact, but its argument is a multiple of 1/4 that can be told from the
/// result: what is compared is log(x / (1 - x)), rounded to quarters.
int main() {
  const Shape shapes[] = {{1, 1, 1, 1, 1, 1},   {0, 2, 5, 5, 3, 2}, {2, 2, 4, 5, 2, 2},
                          {3, 1, 9, 20, 17, 3}, {5, 3, 3, 3, 6, 3}, {2, 5, 8, 34, 4, 1}};
  for (const Shape& s : shapes) {
    const auto images =
        exact::numbers(static_cast<std::size_t>(s.batch) * s.channels * s.height * s.width, 1, 1);
    const auto weights =
        exact::numbers(static_cast<std::size_t>(s.maps) * s.channels * s.mask * s.mask, 1, 2);
    const auto bias = exact::numbers(s.maps, 1, 3);
    const std::vector<float> want = arguments(s, images, weights, bias);
    exact::Device<float> device_images(images), device_weights(weights), device_bias(bias);
    exact::Device<float> out(std::vector<float>(want.size(), -7));
    network_layer(device_images.get(), device_weights.get(), device_bias.get(), out.get(), s.batch,
                  s.channels, s.height, s.width, s.maps, s.mask);
    std::vector<float> got = out.download();
    for (float& x : got) x = std::round(4 * std::log(x / (1 - x)));
    exact::require_equal(got, want,
                         std::to_string(s.batch) + " images of " + std::to_string(s.height) +
                             " x " + std::to_string(s.width) + ", mask " + std::to_string(s.mask));
  }
}
