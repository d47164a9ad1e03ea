#include "grader/serve/lti/tool.h"

#include <fmt/core.h>

#include <utility>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/identity/base64url.h"
#include "grader/serve/identity/id_token.h"
#include "grader/serve/identity/problem.h"

namespace warpgrade {
namespace {

using nlohmann::json;

constexpr std::chrono::minutes kTokenTime{5};

}  // namespace

LtiTool::LtiTool(std::vector<LtiRegistration> registrations, const std::string& key,
                 const Site& site, const SignInLibrary& library,
                 std::function<void(const std::string&)> write_line, std::function<Instant()> now)
    : site_(site.url("")), library_(library), log_(std::move(write_line)), now_(std::move(now)) {
  for (LtiRegistration& one : registrations) {
    platforms_.push_back(std::make_unique<Platform>(std::move(one), library, now_));
  }
  if (key.empty()) return;
  const json jwk = json::parse(key, nullptr, /*allow_exceptions=*/false);
  const std::string modulus = text_at(jwk, "n"), exponent = text_at(jwk, "e");
  // The members of RFC 7638, in its order.
  key_id_ =
      base64url_of_sha256(fmt::format(R"({{"e":"{}","kty":"RSA","n":"{}"}})", exponent, modulus));
  key_ = key;
  if (text_at(jwk, "kty") != "RSA" || sign(json::object()).empty()) {
    throw UsageError(
        "--lti-key is not a private RSA key as JWK; `warpgrade serve --lti-new-key FILE` makes "
        "one");
  }
  public_key_ = {{"kty", "RSA"},   {"n", modulus},   {"e", exponent},
                 {"kid", key_id_}, {"alg", "RS256"}, {"use", "sig"}};
}

LtiTool::Platform& LtiTool::platform(const std::string& issuer, const std::string& client) {
  Platform* found = nullptr;
  for (const auto& one : platforms_) {
    if (one->registration.issuer != issuer) continue;
    if (!client.empty() && one->registration.client != client) continue;
    if (found != nullptr) {
      throw SignInProblem(SignInFault::configuration,
                          fmt::format("'{}' is registered with more than one client_id, and its "
                                      "login request names none",
                                      issuer));
    }
    found = one.get();
  }
  if (found != nullptr) return *found;
  constexpr std::size_t kLongest = 200;
  throw SignInProblem(
      SignInFault::configuration,
      fmt::format("no [[platform]] has the issuer '{}' and the client_id '{}'",
                  one_line(issuer.substr(0, kLongest)), one_line(client.substr(0, kLongest))));
}

LtiTool::Platform* LtiTool::find(const std::string& id) {
  for (const auto& one : platforms_) {
    if (one->id() == id) return one.get();
  }
  return nullptr;
}

std::string LtiTool::authorization_url(const Platform& platform, const PendingSignIns::Begun& begun,
                                       const FormFields& hints) const {
  FormFields fields = {{"scope", "openid"},
                       {"response_type", "id_token"},
                       {"response_mode", "form_post"},
                       {"prompt", "none"},
                       {"client_id", platform.registration.client},
                       {"redirect_uri", site_ + std::string(kLtiLaunch)},
                       {"state", begun.state},
                       {"nonce", begun.nonce}};
  fields.insert(fields.end(), hints.begin(), hints.end());
  return with_query(platform.registration.authorization_url, fields);
}

LtiLaunch LtiTool::launch(Platform& platform, const std::string& token,
                          const PendingSignIns::Begun& begun) {
  const Turn turn(turns_);
  const LtiRegistration& registration = platform.registration;
  const json claims = check_id_token(
      token,
      {.issuer = registration.issuer,
       .client = registration.client,
       .nonce = begun.nonce,
       .now = now_()},
      [&](const std::string& id) { return platform.keys.find(registration.jwks_url, id); },
      library_);
  LtiLaunch launch = read_lti_launch(claims, registration, site_);
  if (!platform.pending.use(begun, now_())) {
    throw SignInProblem(SignInFault::not_begun_here, "the state was used");
  }
  return launch;
}

nlohmann::ordered_json LtiTool::public_keys() const {
  nlohmann::ordered_json keys = nlohmann::ordered_json::array();
  if (has_key()) keys.push_back(public_key_);
  return {{"keys", std::move(keys)}};
}

std::string LtiTool::sign(json claims) const {
  const Instant now = now_();
  claims["iat"] = now.time_since_epoch().count();
  claims["exp"] = (now + kTokenTime).time_since_epoch().count();
  return library_.sign(claims.dump(-1, ' ', false, json::error_handler_t::replace), key_id_, key_);
}

}  // namespace warpgrade
