#include "grader/serve/identity/provider.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/serve/http/url.h"
#include "grader/serve/identity/base64url.h"
#include "grader/serve/identity/id_token.h"
#include "grader/serve/identity/problem.h"
#include "grader/serve/identity/requests.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestDetail = 300;  // of what a provider says, in the log

std::string scope_for(const std::string& claim) {
  if (claim == "sub") return "openid";
  return claim == "email" ? "openid email" : "openid profile";
}

bool offers(const nlohmann::json& document, const char* list, const char* value) {
  const auto it = document.find(list);
  return it != document.end() && it->is_array() &&
         std::find(it->begin(), it->end(), value) != it->end();
}

}  // namespace

OpenIdProvider::OpenIdProvider(ProviderOptions options, std::string redirect, std::string home,
                               const SignInLibrary& library, std::function<Instant()> now)
    : options_(std::move(options)),
      redirect_(std::move(redirect)),
      home_(std::move(home)),
      library_(library),
      now_(std::move(now)),
      keys_(library, now_) {
  if (!is_safe_url(options_.issuer)) {
    throw UsageError(fmt::format(
        "--oidc-issuer is '{}'; write the provider's address as its documentation gives it, with "
        "https (http only on this machine): https://login.example.org/realms/university",
        printable(options_.issuer)));
  }
  name_ = authority_of(options_.issuer);
}

/// OpenID Connect Discovery 1.0, section 4. While the provider does not answer, the earlier one.
nlohmann::json OpenIdProvider::document() {
  const std::lock_guard lock(mutex_);
  const Instant now = now_();
  if (document_ && now - document_->at < kKept) return document_->object;
  std::string url = options_.issuer;
  if (url.ends_with('/')) url.pop_back();
  try {
    nlohmann::json object =
        fetch_object(library_, {.url = url + "/.well-known/openid-configuration"},
                     "the provider's openid-configuration");
    if (text_at(object, "issuer") != options_.issuer) {
      throw SignInProblem(SignInFault::configuration,
                          fmt::format("the provider says that its issuer is '{}'; --oidc-issuer is "
                                      "'{}', and has to be the same",
                                      one_line(text_at(object, "issuer").substr(0, kLongestDetail)),
                                      options_.issuer));
    }
    document_ = {std::move(object), now};
  } catch (const SignInProblem& e) {
    if (!document_ || e.fault != SignInFault::unreachable) throw;
    document_->at = now;
  }
  return document_->object;
}

std::string OpenIdProvider::endpoint(const nlohmann::json& document, const char* name) const {
  std::string url = text_at(document, name);
  if (!is_safe_url(url)) {
    throw SignInProblem(
        SignInFault::configuration,
        fmt::format("the provider's openid-configuration has no {} with https", name));
  }
  return url;
}

std::string OpenIdProvider::authorization_url(const PendingSignIns::Begun& begun) {
  const Turn turn(turns_);
  const nlohmann::json document = this->document();
  return with_query(endpoint(document, "authorization_endpoint"),
                    {{"response_type", "code"},
                     {"client_id", options_.client},
                     {"redirect_uri", redirect_},
                     {"scope", scope_for(options_.claim)},
                     {"state", begun.state},
                     {"nonce", begun.nonce},
                     {"code_challenge", base64url_of_sha256(begun.verifier)},
                     {"code_challenge_method", "S256"}});
}

/// RFC 6749, section 4.1.3. @returns the token response
nlohmann::json OpenIdProvider::redeem(const nlohmann::json& document, const std::string& code,
                                      const PendingSignIns::Begun& begun) const {
  FormFields fields = {{"grant_type", "authorization_code"},
                       {"code", code},
                       {"redirect_uri", redirect_},
                       {"code_verifier", begun.verifier}};
  FetchRequest request{.url = endpoint(document, "token_endpoint")};
  const char* methods = "token_endpoint_auth_methods_supported";
  if (options_.secret.empty()) {
    fields.emplace_back("client_id", options_.client);
  } else if (offers(document, methods, "client_secret_post") &&
             !offers(document, methods, "client_secret_basic")) {
    fields.emplace_back("client_id", options_.client);
    fields.emplace_back("client_secret", options_.secret);
  } else {  // the default of the standard; section 2.3.1 says that both are encoded
    request.user = url_part(options_.client);
    request.password = url_part(options_.secret);
  }
  request.form = form_of(fields);
  const FetchResult result = library_.fetch(request);
  if (result.status == 400 || result.status == 401) {
    const std::string error = text_at(nlohmann::json::parse(result.body, nullptr, false), "error");
    throw SignInProblem(
        error == "invalid_grant" ? SignInFault::code_refused : SignInFault::client_refused,
        "the token endpoint answers " + error_in(result));
  }
  if (is_unreachable(result)) {
    throw SignInProblem(SignInFault::unreachable,
                        "the token endpoint: " +
                            (result.status == 0 ? one_line(result.problem) : error_in(result)));
  }
  nlohmann::json tokens = nlohmann::json::parse(result.body, nullptr, false);
  if (result.status != 200 || text_at(tokens, "id_token").empty()) {
    throw SignInProblem(
        SignInFault::configuration,
        fmt::format("the token endpoint gives no ID token: HTTP status {}", result.status));
  }
  return tokens;
}

/// OpenID Connect Core 1.0, section 5.3: most providers have the claims of scopes only here.
nlohmann::json OpenIdProvider::user_info(const nlohmann::json& document,
                                         const nlohmann::json& tokens,
                                         const std::string& subject) const {
  if (!document.contains("userinfo_endpoint")) return nlohmann::json::object();
  nlohmann::json info = fetch_object(
      library_,
      {.url = endpoint(document, "userinfo_endpoint"), .bearer = text_at(tokens, "access_token")},
      "the provider's userinfo");
  if (text_at(info, "sub") != subject) {
    throw SignInProblem(SignInFault::token, "the provider's userinfo is of somebody else (sub)");
  }
  return info;
}

Account OpenIdProvider::account_in(const nlohmann::json& claims) const {
  const std::string subject = text_at(claims, "sub");
  const auto it = claims.find(options_.claim);
  Account account{.subject = subject, .name = text_at(claims, options_.claim.c_str())};
  if (it != claims.end() && it->is_number_integer()) account.name = it->dump();
  if (account.name.empty()) {
    throw SignInProblem(
        SignInFault::no_claim,
        fmt::format("neither the ID token nor the userinfo of '{}' has the claim '{}'",
                    one_line(subject.substr(0, kLongestDetail)), options_.claim));
  }
  if (options_.claim == "email") {
    const auto verified = claims.find("email_verified");
    // Some providers write it as text.
    if (verified == claims.end() || (*verified != true && *verified != "true")) {
      throw SignInProblem(SignInFault::unverified, "the claim email_verified is not true",
                          account.name);
    }
  }
  return account;
}

Account OpenIdProvider::account(const std::string& code, const PendingSignIns::Begun& begun) {
  const Turn turn(turns_);
  const nlohmann::json document = this->document();
  const nlohmann::json tokens = redeem(document, code, begun);
  const std::string url = endpoint(document, "jwks_uri");
  const nlohmann::json claims = check_id_token(
      text_at(tokens, "id_token"),
      {.issuer = options_.issuer, .client = options_.client, .nonce = begun.nonce, .now = now_()},
      [&](const std::string& id) { return keys_.find(url, id); }, library_);
  if (claims.contains(options_.claim)) return account_in(claims);
  nlohmann::json info = user_info(document, tokens, text_at(claims, "sub"));
  info["sub"] = text_at(claims, "sub");
  return account_in(info);
}

std::string OpenIdProvider::end_session_url() try {
  const Turn turn(turns_);
  const nlohmann::json document = this->document();
  if (!document.contains("end_session_endpoint")) return {};
  return with_query(endpoint(document, "end_session_endpoint"),
                    {{"client_id", options_.client}, {"post_logout_redirect_uri", home_}});
} catch (const SignInProblem&) {
  return {};  // signing out here does not depend on it
}

}  // namespace warpgrade
