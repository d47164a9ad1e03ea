#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

// How wgmma's operands lie in shared memory: the canonical layouts of the PTX manual ("Shared
// memory matrix layout"), written as nested strides of 16-byte chunks.

namespace differential::group {

struct Layout {
  int swizzle = 0;  // bytes: 0, 32, 64, 128
  bool across_k = false;  // rows run along m or n
  std::uint32_t start = 0;  // in the image, whose first byte is at a multiple of 1024
  std::uint32_t leading = 16, stride = 16;  // bytes
  std::uint32_t base = 0;

  [[nodiscard]] std::uint64_t descriptor() const {
    const std::uint64_t mode = swizzle == 0 ? 0 : swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
    return mode << 62 | std::uint64_t(base) << 49 | std::uint64_t(stride / 16) << 32 |
           std::uint64_t(leading / 16) << 16;
  }

  /// Where byte `byte` (0 to 31) along k is, of row `row` along m or n. Elements are of 2 bytes
  /// where rows run across k.
  [[nodiscard]] std::uint32_t place(std::uint32_t row, std::uint32_t byte) const {
    const std::uint32_t width = swizzle == 0 ? 1 : std::uint32_t(swizzle) / 16;  // chunks
    std::uint32_t at = start;
    if (!across_k) {
      const std::uint32_t chunk = byte / 16;
      // ((8,n),2) : ((width,SBO),1), and without a swizzle ((8,n),2) : ((1,SBO),LBO)
      at += row % 8 * 16 * width + row / 8 * stride;
      at += chunk * (swizzle == 0 ? leading : 16) + byte % 16;
    } else {
      const std::uint32_t k = byte / 2, chunk = row / 8;
      // ((width,n),(8,k)) : ((1,LBO),(width,SBO)), and without ((1,n),(8,k)) : ((X,SBO),(1,LBO))
      at += chunk % width * 16 + chunk / width * (swizzle == 0 ? stride : leading);
      at += k % 8 * 16 * width + k / 8 * (swizzle == 0 ? leading : stride);
      at += row % 8 * 2 + byte % 2;
    }
    const std::uint32_t rows = at / 128 - base;
    return at ^ rows % width * 16;
  }

  /// Puts `rows` rows of 32 bytes into the image.
  void put(std::vector<std::uint8_t>& image, const std::vector<std::uint8_t>& rows) const {
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t at = place(i / 32, i % 32);
      if (at >= image.size()) image.resize(at / 1024 * 1024 + 1024);
      image[at] = rows[i];
    }
  }
};

}  // namespace differential::group
