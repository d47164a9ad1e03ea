#include "grader/serve/identity/library/signatures.h"

#include <cjose/cjose.h>

#include <memory>

namespace warpgrade {

bool verify_by_cjose(const std::string& token, const std::string& key) {
  cjose_err error{};
  const std::unique_ptr<cjose_jwk_t, bool (*)(cjose_jwk_t*)> jwk(
      cjose_jwk_import(key.data(), key.size(), &error), cjose_jwk_release);
  const std::unique_ptr<cjose_jws_t, void (*)(cjose_jws_t*)> jws(
      cjose_jws_import(token.data(), token.size(), &error), cjose_jws_release);
  return jwk != nullptr && jws != nullptr && cjose_jws_verify(jws.get(), jwk.get(), &error);
}

}  // namespace warpgrade
