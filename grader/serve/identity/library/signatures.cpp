#include "grader/serve/identity/library/signatures.h"

#include <cjose/cjose.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpgrade {
namespace {

using Key = std::unique_ptr<cjose_jwk_t, bool (*)(cjose_jwk_t*)>;
using Signed = std::unique_ptr<cjose_jws_t, void (*)(cjose_jws_t*)>;

Key import_key(const std::string& key, cjose_err& error) {
  return {cjose_jwk_import(key.data(), key.size(), &error), cjose_jwk_release};
}

}  // namespace

bool verify_by_cjose(const std::string& token, const std::string& key) {
  cjose_err error{};
  const Key jwk = import_key(key, error);
  const Signed jws(cjose_jws_import(token.data(), token.size(), &error), cjose_jws_release);
  return jwk != nullptr && jws != nullptr && cjose_jws_verify(jws.get(), jwk.get(), &error);
}

std::string sign_by_cjose(const std::string& payload, const std::string& id,
                          const std::string& key) {
  cjose_err error{};
  const Key jwk = import_key(key, error);
  const std::unique_ptr<cjose_header_t, void (*)(cjose_header_t*)> header(cjose_header_new(&error),
                                                                          cjose_header_release);
  if (jwk == nullptr || header == nullptr ||
      !cjose_header_set(header.get(), CJOSE_HDR_ALG, CJOSE_HDR_ALG_RS256, &error) ||
      !cjose_header_set(header.get(), CJOSE_HDR_KID, id.c_str(), &error) ||
      !cjose_header_set(header.get(), "typ", "JWT", &error)) {
    return {};
  }
  const Signed jws(
      cjose_jws_sign(jwk.get(), header.get(), reinterpret_cast<const std::uint8_t*>(payload.data()),
                     payload.size(), &error),
      cjose_jws_release);
  const char* text = nullptr;  // the JWS's own
  if (jws == nullptr || !cjose_jws_export(jws.get(), &text, &error)) return {};
  return text;
}

std::string new_key_by_cjose() {
  constexpr std::size_t kBits = 2048;
  constexpr std::array<std::uint8_t, 3> kExponent = {1, 0, 1};
  cjose_err error{};
  const Key jwk(cjose_jwk_create_RSA_random(kBits, kExponent.data(), kExponent.size(), &error),
                cjose_jwk_release);
  char* text = jwk == nullptr ? nullptr : cjose_jwk_to_json(jwk.get(), /*priv=*/true, &error);
  if (text == nullptr) return {};
  std::string key = text;
  cjose_get_dealloc()(text);
  return key;
}

}  // namespace warpgrade
