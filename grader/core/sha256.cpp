#include "grader/core/sha256.h"

#include <fmt/core.h>
#include <nettle/base16.h>
#include <nettle/base64.h>

#include <array>
#include <cstdint>

namespace warpgrade {
namespace {

std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest_of(sha256_ctx& context) {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

}  // namespace

void Sha256::add(std::string_view bytes) {
  sha256_update(&context_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

void Sha256::add_field(std::string_view bytes) {
  add(fmt::format("{}:", bytes.size()));
  add(bytes);
}

std::string Sha256::hex() {
  const auto digest = digest_of(context_);
  std::string text(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(text.data(), digest.size(), digest.data());
  return text;
}

std::string Sha256::base64() {
  const auto digest = digest_of(context_);
  std::string text(BASE64_ENCODE_RAW_LENGTH(digest.size()), '\0');
  base64_encode_raw(text.data(), digest.size(), digest.data());
  return text;
}

}  // namespace warpgrade
