#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade {

/// SHA-256 (FIPS 180-4): names cached results and recognises unchanged submissions.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// Adds the length too, so that ("ab","c") and ("a","bc") differ.
  void add_field(std::string_view bytes);
  /// 64 hex digits. The object is used up.
  [[nodiscard]] std::string hex();

 private:
  void block(const unsigned char* data);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string pending_;
  std::uint64_t bytes_ = 0;
};

}  // namespace warpgrade
