#include "grader/serve/identity/base64url.h"

#include <nettle/base64.h>

#include <algorithm>
#include <cstdint>

#include "grader/core/sha256.h"

namespace warpgrade {
namespace {

bool is_digit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

}  // namespace

std::optional<std::string> from_base64url(std::string_view text) {
  // Nettle passes over spaces and wants the padding.
  if (!std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  std::string padded(text);
  padded.append((4 - text.size() % 4) % 4, '=');
  base64_decode_ctx context{};
  base64url_decode_init(&context);
  std::string bytes(BASE64_DECODE_LENGTH(padded.size()), '\0');
  std::size_t length = bytes.size();
  if (base64_decode_update(&context, &length, reinterpret_cast<std::uint8_t*>(bytes.data()),
                           padded.size(), padded.data()) == 0 ||
      base64_decode_final(&context) == 0) {
    return std::nullopt;
  }
  bytes.resize(length);
  return bytes;
}

std::string base64url_of_sha256(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  std::string digits = sha.base64();
  std::replace(digits.begin(), digits.end(), '+', '-');
  std::replace(digits.begin(), digits.end(), '/', '_');
  digits.erase(digits.find('='));  // 32 bytes end with one
  return digits;
}

}  // namespace warpgrade
