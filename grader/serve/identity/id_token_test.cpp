#include "grader/serve/identity/id_token.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "grader/serve/identity/problem.h"
#include "grader/testing/provider.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::SigningKey;
using testing::TestProvider;

/// Checks tokens of one provider for the client "labs" and the nonce "n".
struct Checked {
  TestProvider provider;
  json claims = provider.claims;

  Checked() { claims["nonce"] = "n"; }

  /// Nothing if the token is accepted.
  std::optional<SignInFault> fault(const std::string& token) const {
    try {
      const TokenRules rules = {.issuer = "https://login.example.org",
                                .client = "labs",
                                .nonce = "n",
                                .now = provider.now};
      const auto keys = [&](const std::string& id) {
        std::vector<json> found;
        for (const json& key : provider.keys) {
          if (id.empty() || key.at("kid") == id) found.push_back(key);
        }
        return found;
      };
      const json accepted = check_id_token(token, rules, keys, provider);
      CHECK(accepted.at("sub") == "4711");
      return std::nullopt;
    } catch (const SignInProblem& problem) {
      return problem.fault;
    }
  }
  /// Of a token with one claim changed; null removes it.
  std::optional<SignInFault> with(const std::string& name, const json& value) const {
    json changed = claims;
    changed[name] = value;
    if (value.is_null()) changed.erase(name);
    return fault(provider.key.sign(changed));
  }
};

TEST_CASE("a token with the right signature and claims is accepted, by RS256 and ES256",
          "[serve][unit]") {
  Checked checked;
  CHECK_FALSE(checked.fault(checked.provider.key.sign(checked.claims)));
  const SigningKey rsa = SigningKey::rsa("second");
  checked.provider.keys.push_back(rsa.published());
  CHECK_FALSE(checked.fault(rsa.sign(checked.claims)));
  // A provider with one key of a kind may not name it.
  CHECK_FALSE(checked.fault(checked.provider.key.sign(checked.claims, {{"alg", "ES256"}})));
  CHECK_FALSE(checked.fault(rsa.sign(checked.claims, {{"alg", "RS256"}})));
}

TEST_CASE("a token with a wrong signature, algorithm or key is refused", "[serve][unit]") {
  Checked checked;
  const SigningKey& key = checked.provider.key;
  const json claims = checked.claims;
  const std::string right = key.sign(claims);

  // Other claims under a right signature, and a signature by another key of the same name.
  json changed = claims;
  changed["email"] = "ann@example.org";
  const std::size_t first = right.find('.'), last = right.rfind('.');
  CHECK(checked.fault(right.substr(0, first + 1) + testing::base64url(changed.dump()) +
                      right.substr(last)) == SignInFault::token);
  CHECK(checked.fault(SigningKey::elliptic("first").sign(claims)) == SignInFault::token);
  CHECK(checked.fault(SigningKey::elliptic("unknown").sign(claims)) == SignInFault::token);

  // No signature, in any spelling.
  for (const char* none : {"none", "None", "NONE", "", "nOnE"}) {
    const std::string header = testing::base64url(json{{"alg", none}, {"kid", "first"}}.dump());
    const std::string unsigned_token = header + "." + testing::base64url(claims.dump()) + ".";
    CHECK(checked.fault(unsigned_token) == SignInFault::token);
    CHECK(checked.fault(unsigned_token + right.substr(last + 1)) == SignInFault::token);
  }

  // What everybody knows, the public key, as the secret of HS256.
  const SigningKey rsa = SigningKey::rsa("rsa");
  const json published = rsa.published();
  checked.provider.keys.push_back(published);
  for (const std::string& known : {published.dump(), published.at("n").get<std::string>()}) {
    CHECK(checked.fault(SigningKey::secret("rsa", known).sign(claims)) == SignInFault::token);
  }
  const SigningKey secret = SigningKey::secret("shared", "a secret that somebody published");
  checked.provider.keys.push_back(
      {{"kty", "oct"}, {"kid", "shared"}, {"k", testing::base64url("a secret")}});
  CHECK(checked.fault(secret.sign(claims)) == SignInFault::token);

  // A key of another kind, or which the token brings along.
  CHECK(checked.fault(rsa.sign(claims, {{"alg", "RS256"}, {"kid", "first"}})) ==
        SignInFault::token);
  CHECK(checked.fault(rsa.sign(claims, {{"alg", "RS384"}, {"kid", "rsa"}})) == SignInFault::token);
  CHECK_FALSE(checked.fault(rsa.sign(claims, {{"alg", "RS256"}, {"kid", "rsa"}})));
  const SigningKey own = SigningKey::elliptic("own");
  CHECK(checked.fault(
            own.sign(claims, {{"alg", "ES256"}, {"kid", "first"}, {"jwk", own.published()}})) ==
        SignInFault::token);
  CHECK(checked.fault(key.sign(claims, {{"alg", "ES256"}, {"kid", "first"}, {"crit", {"exp"}}})) ==
        SignInFault::token);
}

TEST_CASE("a key that is too short, or is not for signatures, verifies nothing", "[serve][unit]") {
  Checked checked;
  const SigningKey weak = SigningKey::rsa("weak", 1024);
  checked.provider.keys.push_back(weak.published());
  CHECK(checked.fault(weak.sign(checked.claims)) == SignInFault::token);
  json& first = checked.provider.keys.front();
  first["alg"] = "ES256";
  CHECK_FALSE(checked.fault(checked.provider.key.sign(checked.claims)));
  first["alg"] = "ES384";
  CHECK(checked.fault(checked.provider.key.sign(checked.claims)) == SignInFault::token);
  first.erase("alg");
  first["use"] = "enc";
  CHECK(checked.fault(checked.provider.key.sign(checked.claims)) == SignInFault::token);
}

TEST_CASE("a token for another issuer, client or sign-in is refused", "[serve][unit]") {
  const Checked checked;
  for (const json& issuer :
       {json("https://evil.example"), json("https://login.example.org/"), json(7), json(nullptr)}) {
    CHECK(checked.with("iss", issuer) == SignInFault::token);
  }
  for (const json& audience : {json("other"), json::array({"other"}), json::array(), json(nullptr),
                               json("lab"), json::array({"labs", "other"})}) {
    CHECK(checked.with("aud", audience) == SignInFault::token);  // several need an azp
  }
  CHECK_FALSE(checked.with("aud", json::array({"labs"})));
  CHECK(checked.with("azp", "other") == SignInFault::token);
  json several = checked.claims;
  several["aud"] = {"labs", "other"};
  several["azp"] = "labs";
  CHECK_FALSE(checked.fault(checked.provider.key.sign(several)));
  for (const json& nonce : {json("m"), json(""), json(nullptr), json::array({"n"})}) {
    CHECK(checked.with("nonce", nonce) == SignInFault::token);
  }
  CHECK(checked.with("sub", "") == SignInFault::token);
  CHECK(checked.with("sub", nullptr) == SignInFault::token);
}

TEST_CASE("a token of another time is refused, and one minute makes no difference",
          "[serve][unit]") {
  const Checked checked;
  const auto now = checked.provider.now.time_since_epoch().count();
  CHECK_FALSE(checked.with("exp", now - 59));
  CHECK(checked.with("exp", now - 60) == SignInFault::clock);
  CHECK_FALSE(checked.with("iat", now + 60));
  CHECK(checked.with("iat", now + 61) == SignInFault::clock);
  CHECK_FALSE(checked.with("iat", now - 600));
  CHECK(checked.with("iat", now - 601) == SignInFault::clock);
  CHECK(checked.with("nbf", now + 61) == SignInFault::clock);
  for (const char* name : {"exp", "iat"}) {
    CHECK(checked.with(name, nullptr) == SignInFault::token);
    CHECK(checked.with(name, std::to_string(now)) == SignInFault::token);
  }
}

TEST_CASE("text that is not a token is refused", "[serve][unit]") {
  const Checked checked;
  const std::string right = checked.provider.key.sign(checked.claims);
  const std::size_t first = right.find('.'), last = right.rfind('.');
  for (const std::string& token :
       {std::string(), std::string("..."), std::string("a.b"), right + ".", right + "=",
        right.substr(0, last), right.substr(0, right.size() - 1), " " + right,
        right.substr(0, first) + ".bm8" + right.substr(last),
        "W10" + right.substr(first),  // []
        std::string(40'000, 'a') + right}) {
    CHECK(checked.fault(token) == SignInFault::token);
  }
}

}  // namespace
}  // namespace warpgrade
