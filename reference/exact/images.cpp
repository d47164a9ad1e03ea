#include "labs/images/images.h"

#include <algorithm>
#include <string>

#include "reference/exact/exact.h"

/// Pictures that blocks divide and others, with several radii.
int main() {
  const int shapes[][3] = {{1, 1, 1}, {0, 5, 1}, {2, 3, 1}, {31, 65, 3}, {64, 96, 0}, {130, 70, 8}};
  for (const auto& [height, width, radius] : shapes) {
    const std::size_t pixels = static_cast<std::size_t>(height) * width;
    std::vector<unsigned char> rgb(3 * pixels), image(pixels), gray(pixels), blurred(pixels);
    for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = static_cast<unsigned char>(i * 37 % 256);
    for (std::size_t i = 0; i < pixels; ++i) image[i] = static_cast<unsigned char>(i * 101 % 256);
    for (int i = 0; i < height; ++i) {
      for (int j = 0; j < width; ++j) {
        const int at = i * width + j;
        gray[at] = (3 * rgb[3 * at] + 6 * rgb[3 * at + 1] + rgb[3 * at + 2]) / 10;
        int sum = 0;
        int count = 0;
        for (int k = std::max(i - radius, 0); k <= std::min(i + radius, height - 1); ++k) {
          for (int l = std::max(j - radius, 0); l <= std::min(j + radius, width - 1); ++l) {
            sum += image[k * width + l];
            ++count;
          }
        }
        blurred[at] = sum / count;
      }
    }
    exact::Device<unsigned char> device_rgb(rgb), device_image(image);
    exact::Device<unsigned char> device_gray(std::vector<unsigned char>(pixels, 7));
    exact::Device<unsigned char> device_blurred(std::vector<unsigned char>(pixels, 7));
    to_gray(device_rgb.get(), device_gray.get(), height, width);
    box_blur(device_image.get(), device_blurred.get(), height, width, radius);
    const std::string shape = std::to_string(height) + " x " + std::to_string(width);
    exact::require_equal(device_gray.download(), gray, shape + ", gray");
    exact::require_equal(device_blurred.download(), blurred, shape + ", blurred");
  }
}
