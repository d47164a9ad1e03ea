#include "labs/convolution/convolution.h"

#include "reference/exact/exact.h"

namespace {

void test(int height, int width, int mask_height, int mask_width) {
  const auto count = static_cast<std::size_t>(height * width);
  const auto image = exact::numbers(count, 10, 1);
  const auto mask = exact::numbers(static_cast<std::size_t>(mask_height * mask_width), 10, 2);
  std::vector<float> want(count);
  for (int i = 0; i < height * width; ++i) {
    for (int j = 0; j < mask_height * mask_width; ++j) {
      const int y = i / width + j / mask_width - mask_height / 2;
      const int x = i % width + j % mask_width - mask_width / 2;
      if (y < 0 || y >= height || x < 0 || x >= width) continue;
      want[static_cast<std::size_t>(i)] +=
          image[static_cast<std::size_t>(y * width + x)] * mask[static_cast<std::size_t>(j)];
    }
  }
  exact::Device<float> device_image(image), device_mask(mask), result(std::vector<float>(count, 7));
  convolution(device_image.get(), device_mask.get(), result.get(), height, width, mask_height,
              mask_width);
  exact::require_equal(result.download(), want,
                       std::to_string(height) + " x " + std::to_string(width) + ", mask " +
                           std::to_string(mask_height) + " x " + std::to_string(mask_width));
}

}  // namespace

int main() {
  test(1, 1, 1, 1);
  test(37, 70, 3, 3);
  test(40, 33, 5, 5);
  test(20, 50, 7, 3);
}
