#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace warpgrade {

/// SHA-256 by libnettle: names cached results and recognizes unchanged submissions.
class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }

  void add(std::string_view bytes);
  /// Adds the length too, so that ("ab","c") and ("a","bc") differ.
  void add_field(std::string_view bytes);
  /// 64 hex digits. The object starts again.
  [[nodiscard]] std::string hex();
  /// 44 characters of base64. The object starts again.
  [[nodiscard]] std::string base64();

 private:
  sha256_ctx context_;
};

}  // namespace warpgrade
