#include "grader/testing/provider.h"

#include <cjose/cjose.h>
#include <nettle/base64.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "grader/serve/identity/library/signatures.h"

namespace warpgrade::testing {
namespace {

using nlohmann::json;

constexpr const char* kIssuer = "https://login.example.org";

}  // namespace

SigningKey::SigningKey(std::string id, std::string algorithm, void* key)
    : id_(std::move(id)),
      algorithm_(std::move(algorithm)),
      key_(key, [](void* made) { cjose_jwk_release(static_cast<cjose_jwk_t*>(made)); }) {
  if (key == nullptr) throw std::runtime_error("cjose makes no key");
}

SigningKey SigningKey::rsa(const std::string& id, std::size_t bits) {
  constexpr std::array<std::uint8_t, 3> kExponent = {1, 0, 1};
  return {id, "RS256",
          cjose_jwk_create_RSA_random(bits, kExponent.data(), kExponent.size(), nullptr)};
}

SigningKey SigningKey::elliptic(const std::string& id) {
  return {id, "ES256", cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, nullptr)};
}

SigningKey SigningKey::secret(const std::string& id, const std::string& bytes) {
  return {id, "HS256",
          cjose_jwk_create_oct_spec(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                    bytes.size(), nullptr)};
}

json SigningKey::published() const {
  char* text = cjose_jwk_to_json(static_cast<const cjose_jwk_t*>(key_.get()), false, nullptr);
  json key = json::parse(text);
  cjose_get_dealloc()(text);
  key["kid"] = id_;
  key["use"] = "sig";
  return key;
}

std::string SigningKey::sign(const json& claims, const json& header) const {
  const json used = header.is_null() ? json{{"alg", algorithm_}, {"kid", id_}} : header;
  const std::string text = claims.dump();
  cjose_header_t* fields = cjose_header_new(nullptr);
  for (const auto& [name, value] : used.items()) {
    if (value.is_string()) {
      cjose_header_set(fields, name.c_str(), value.get<std::string>().c_str(), nullptr);
    } else {  // objects and lists
      cjose_header_set_raw(fields, name.c_str(), value.dump().c_str(), nullptr);
    }
  }
  cjose_jws_t* jws =
      cjose_jws_sign(static_cast<const cjose_jwk_t*>(key_.get()), fields,
                     reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), nullptr);
  const char* token = nullptr;
  if (jws == nullptr || !cjose_jws_export(jws, &token, nullptr)) {
    throw std::runtime_error("cjose signs nothing");
  }
  std::string result = token;
  cjose_jws_release(jws);
  cjose_header_release(fields);
  return result;
}

std::string base64url(const std::string& bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return text.substr(0, text.find('='));
}

TestProvider::TestProvider()
    : now(std::chrono::sys_days(std::chrono::year(2026) / 11 / 29)),
      keys({key.published()}),
      document({{"issuer", kIssuer},
                {"authorization_endpoint", "https://login.example.org/authorize"},
                {"token_endpoint", "https://login.example.org/token"},
                {"jwks_uri", "https://login.example.org/keys"},
                {"userinfo_endpoint", "https://login.example.org/userinfo"},
                {"end_session_endpoint", "https://login.example.org/leave"}}),
      claims({{"iss", kIssuer},
              {"aud", "labs"},
              {"sub", "4711"},
              {"iat", now.time_since_epoch().count()},
              {"exp", now.time_since_epoch().count() + 300}}),
      user_info({{"sub", "4711"}, {"email", "jane@example.org"}, {"email_verified", true}}) {}

FetchResult TestProvider::fetch(const FetchRequest& request) const {
  requests.push_back(request);
  if (down) return {.problem = "Could not resolve host: login.example.org"};
  const auto is = [&](const char* end) { return request.url == std::string(kIssuer) + end; };
  const auto answer = [](const json& object) {
    return FetchResult{.status = 200, .body = object.dump()};
  };
  if (is("/.well-known/openid-configuration")) return answer(document);
  if (is("/keys")) return answer({{"keys", keys}});
  if (is("/userinfo")) return answer(user_info);
  if (!is("/token")) return {.status = 404};
  if (while_redeeming) while_redeeming();
  if (token_answer.status != 0 || !token_answer.problem.empty()) return token_answer;
  json signed_claims = claims;
  signed_claims["nonce"] = nonce;
  return answer({{"id_token", key.sign(signed_claims)}, {"access_token", "an access token"}});
}

bool TestProvider::verify(const std::string& token, const std::string& jwk) const {
  return verify_by_cjose(token, jwk);
}

std::string TestProvider::sign(const std::string& payload, const std::string& id,
                               const std::string& private_key) const {
  return sign_by_cjose(payload, id, private_key);
}

std::string TestProvider::new_key() const {
  return new_key_by_cjose();
}

std::size_t TestProvider::asked(const std::string& end) const {
  return static_cast<std::size_t>(
      std::count_if(requests.begin(), requests.end(),
                    [&](const FetchRequest& one) { return one.url.ends_with(end); }));
}

}  // namespace warpgrade::testing
