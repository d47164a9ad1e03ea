#include "grader/serve/identity/provider.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>

#include "grader/core/error.h"
#include "grader/serve/http/url.h"
#include "grader/serve/identity/base64url.h"
#include "grader/serve/identity/problem.h"
#include "grader/testing/provider.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::SigningKey;
using testing::TestProvider;

/// One browser that signs in at a provider.
struct SigningIn {
  TestProvider provider;
  OpenIdProvider client;
  PendingSignIns pending;

  explicit SigningIn(const ProviderOptions& options = {.issuer = "https://login.example.org",
                                                       .client = "labs",
                                                       .secret = "a+b c",
                                                       .column = "email"})
      : client(options, "https://labs.example.org/sign-in/callback",
               "https://labs.example.org/sign-in", provider, [this] { return provider.now; }) {}

  /// The fields of the address to which the browser is sent.
  std::map<std::string, std::string> sent(const PendingSignIns::Begun& begun) {
    const std::string url = client.authorization_url(begun);
    const std::string path = "https://login.example.org/authorize?";
    REQUIRE(url.starts_with(path));
    return parse_form(url.substr(path.size())).value();
  }
  Account account() {
    const PendingSignIns::Begun begun = pending.begin(provider.now);
    provider.nonce = begun.nonce;
    return client.account("the code", begun);
  }
  std::optional<SignInFault> fault() {
    try {
      static_cast<void>(account());
      return std::nullopt;
    } catch (const SignInProblem& problem) {
      return problem.fault;
    }
  }
};

TEST_CASE(
    "a code is redeemed with the verifier of its challenge, and the secret as the provider "
    "wants it",
    "[serve][unit]") {
  SigningIn one;
  const PendingSignIns::Begun begun = one.pending.begin(one.provider.now);
  const std::map<std::string, std::string> sent = one.sent(begun);
  CHECK(sent.at("response_type") == "code");
  CHECK(sent.at("client_id") == "labs");
  CHECK(sent.at("redirect_uri") == "https://labs.example.org/sign-in/callback");
  CHECK(sent.at("scope") == "openid email");
  CHECK(sent.at("state") == begun.state);
  CHECK(sent.at("nonce") == begun.nonce);
  CHECK(sent.at("code_challenge") == base64url_of_sha256(begun.verifier));
  CHECK(sent.at("code_challenge_method") == "S256");
  // RFC 7636, appendix B.
  CHECK(base64url_of_sha256("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") ==
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");

  one.provider.nonce = begun.nonce;
  CHECK(one.client.account("the code", begun).name == "jane@example.org");
  const auto redeemed = [&](const TestProvider& provider) {
    for (const FetchRequest& request : provider.requests) {
      if (request.url.ends_with("/token")) return request;
    }
    return FetchRequest{};
  };
  FetchRequest request = redeemed(one.provider);
  std::map<std::string, std::string> form = parse_form(request.form).value();
  CHECK(form.at("grant_type") == "authorization_code");
  CHECK(form.at("code") == "the code");
  CHECK(form.at("redirect_uri") == sent.at("redirect_uri"));
  CHECK(form.at("code_verifier") == begun.verifier);
  CHECK(request.user == "labs");
  CHECK(request.password == "a%2Bb%20c");
  CHECK_FALSE(form.contains("client_secret"));
  CHECK(one.provider.requests.back().bearer == "an access token");

  SigningIn in_form;
  in_form.provider.document["token_endpoint_auth_methods_supported"] = {"client_secret_post"};
  CHECK_FALSE(in_form.fault());
  request = redeemed(in_form.provider);
  CHECK(request.user.empty());
  CHECK(parse_form(request.form)->at("client_secret") == "a+b c");

  SigningIn without({.issuer = "https://login.example.org", .client = "labs", .column = "email"});
  CHECK_FALSE(without.fault());
  request = redeemed(without.provider);
  CHECK(request.user.empty());
  CHECK(parse_form(request.form)->at("client_id") == "labs");
}

TEST_CASE("keys are fetched again if one is unknown, once per minute, and each hour",
          "[serve][unit]") {
  SigningIn one;
  CHECK_FALSE(one.fault());
  CHECK_FALSE(one.fault());
  CHECK(one.provider.asked("/keys") == 1);
  CHECK(one.provider.asked("openid-configuration") == 1);

  one.provider.key = SigningKey::elliptic("next");
  one.provider.keys = {one.provider.key.published()};
  one.provider.now += std::chrono::seconds(59);
  one.provider.claims["exp"] = one.provider.now.time_since_epoch().count() + 7200;
  CHECK(one.fault() == SignInFault::token);
  CHECK(one.provider.asked("/keys") == 1);
  one.provider.now += std::chrono::seconds(1);
  CHECK_FALSE(one.fault());
  CHECK(one.provider.asked("/keys") == 2);

  // A key that was withdrawn ends within an hour.
  one.provider.keys.clear();
  one.provider.now += std::chrono::minutes(59);
  one.provider.claims["iat"] = one.provider.now.time_since_epoch().count();
  CHECK_FALSE(one.fault());
  one.provider.now += std::chrono::minutes(1);
  CHECK(one.fault() == SignInFault::token);
}

TEST_CASE("secrets go to https addresses or this machine only, and to the issuer that was given",
          "[serve][unit]") {
  for (const char* url : {"https://login.example.org", "https://login.example.org:8443/realms/x",
                          "http://127.0.0.1:4000", "http://localhost/x", "http://[::1]:4000"}) {
    CHECK(is_safe_url(url));
  }
  for (const char* url :
       {"http://login.example.org", "http://127.0.0.1.example.org", "http://127.0.0.1@example.org",
        "http://localhost@example.org/", "http://localhost.example.org", "file:///etc/passwd",
        "https://", "https:///x", "login.example.org", "", "HTTP://127.0.0.1",
        "https://login.example.org\\@x", "https://login.example.org/ x", "http://[::2]:80",
        "https://user:word@login.example.org"}) {
    CAPTURE(url);
    CHECK_FALSE(is_safe_url(url));
  }
  CHECK_THROWS_AS(SigningIn({.issuer = "http://login.example.org", .client = "labs"}), UsageError);

  SigningIn other;
  other.provider.document["issuer"] = "https://login.example.org/";
  CHECK(other.fault() == SignInFault::configuration);
  for (const char* name : {"token_endpoint", "jwks_uri", "userinfo_endpoint"}) {
    SigningIn plain;
    plain.provider.document[name] = "http://login.example.org/token";
    CHECK(plain.fault() == SignInFault::configuration);
    plain.provider.document.erase(name);
  }
}

TEST_CASE("only a confirmed address, and the userinfo of the same account, say who it is",
          "[serve][unit]") {
  SigningIn one;
  CHECK(one.account().subject == "4711");
  for (const json& verified : {json(false), json("false"), json(1), json(nullptr)}) {
    one.provider.user_info["email_verified"] = verified;
    CHECK(one.fault() == SignInFault::unverified);
  }
  one.provider.user_info["email_verified"] = "true";
  CHECK_FALSE(one.fault());
  one.provider.user_info["sub"] = "4712";
  CHECK(one.fault() == SignInFault::token);
  one.provider.user_info = {{"sub", "4711"}};
  CHECK(one.fault() == SignInFault::no_claim);
  // Confirmed in one of the two, an address is not confirmed in the other.
  one.provider.user_info["email_verified"] = true;
  one.provider.claims["email"] = "jane@example.org";
  CHECK(one.fault() == SignInFault::unverified);
  one.provider.claims["email_verified"] = true;
  CHECK(one.account().name == "jane@example.org");

  SigningIn by_number({.issuer = "https://login.example.org",
                       .client = "labs",
                       .claim = "employee",
                       .column = "sis_id"});
  by_number.provider.claims["employee"] = 1234;
  CHECK(by_number.account().name == "1234");
  CHECK(by_number.provider.asked("/userinfo") == 0);
}

TEST_CASE("while a provider does not answer, its earlier document is used", "[serve][unit]") {
  SigningIn one;
  const PendingSignIns::Begun begun = one.pending.begin(one.provider.now);
  one.provider.down = true;
  CHECK_THROWS_AS(one.client.authorization_url(begun), SignInProblem);
  CHECK(one.client.end_session_url().empty());
  one.provider.down = false;
  static_cast<void>(one.sent(begun));
  CHECK(one.client.end_session_url() ==
        "https://login.example.org/leave?client_id=labs&post_logout_redirect_uri="
        "https%3A%2F%2Flabs.example.org%2Fsign-in");
  one.provider.down = true;
  one.provider.now += std::chrono::hours(2);
  static_cast<void>(one.sent(begun));
  CHECK(one.fault() == SignInFault::unreachable);
}

TEST_CASE("four sign-ins at most wait for the provider at the same time", "[serve][unit]") {
  SigningIn one;
  static_cast<void>(one.client.end_session_url());  // has the document
  std::vector<std::optional<SignInFault>> faults;
  int depth = 0;
  one.provider.while_redeeming = [&] {
    if (++depth <= 4) faults.push_back(one.fault());
  };
  faults.push_back(one.fault());
  REQUIRE(faults.size() == 5);
  CHECK(faults.front() == SignInFault::busy);  // the innermost, which was the fifth
  one.provider.while_redeeming = nullptr;
  CHECK_FALSE(one.fault());
}

TEST_CASE("base64url has one spelling and no padding", "[serve][unit]") {
  CHECK(from_base64url("") == "");
  CHECK(from_base64url("Zg") == "f");
  CHECK(from_base64url("Zm8") == "fo");
  CHECK(from_base64url("-_-_") == "\xfb\xff\xbf");
  for (const char* text : {"Z", "Zg==", "Zm8=", "+/+/", "Zm 8", "Zm8\n", "Zm9vY"}) {
    CAPTURE(text);
    CHECK_FALSE(from_base64url(text));
  }
}

}  // namespace
}  // namespace warpgrade
