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

namespace warpgrade {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestDetail = 300;  // of what a provider says, in the log

/// "https://login.example.org:8443/x" gives "login.example.org:8443".
std::string_view authority_of(std::string_view url) {
  const std::size_t begin = url.find("://") + 3;
  return url.substr(begin, url.find_first_of("/?#", begin) - begin);
}

std::string form_of(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "&", name, url_part(value));
  }
  return text;
}

std::string with_query(const std::string& url,
                       const std::vector<std::pair<std::string, std::string>>& fields) {
  return url + (url.find('?') == url.npos ? "?" : "&") + form_of(fields);
}

std::string scope_for(const std::string& claim) {
  if (claim == "sub") return "openid";
  return claim == "email" ? "openid email" : "openid profile";
}

/// "invalid_client (client authentication failed)", as the provider says.
std::string error_in(const FetchResult& result) {
  const json object = json::parse(result.body, nullptr, false);
  const std::string text = fmt::format("{}: {} ({})", result.status, text_at(object, "error"),
                                       text_at(object, "error_description"));
  return one_line(text.substr(0, kLongestDetail));
}

bool offers(const json& document, const char* list, const char* value) {
  const auto it = document.find(list);
  return it != document.end() && it->is_array() &&
         std::find(it->begin(), it->end(), value) != it->end();
}

}  // namespace

bool is_safe_url(const std::string& url) {
  const bool plain = std::all_of(url.begin(), url.end(), [](char c) {
    return c > ' ' && c < 0x7f && std::string_view("@\\\"<>").find(c) == std::string_view::npos;
  });
  if (!plain) return false;
  if (url.starts_with("https://")) return !authority_of(url).empty();
  if (!url.starts_with("http://")) return false;
  std::string_view host = authority_of(url);
  const std::size_t port = host.rfind(':');
  if (port != host.npos && !host.ends_with(']')) host = host.substr(0, port);
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

/// One of the requests that may wait for the provider at the same time.
class OpenIdProvider::Turn {
 public:
  explicit Turn(std::counting_semaphore<>& turns) : turns_(turns) {
    if (!turns.try_acquire()) {
      throw SignInProblem(SignInFault::busy, "as many requests as may be wait for the provider");
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { turns_.release(); }

 private:
  std::counting_semaphore<>& turns_;
};

OpenIdProvider::OpenIdProvider(ProviderOptions options, std::string redirect, std::string home,
                               const SignInLibrary& library, std::function<Instant()> now)
    : options_(std::move(options)),
      redirect_(std::move(redirect)),
      home_(std::move(home)),
      library_(library),
      now_(std::move(now)) {
  if (!is_safe_url(options_.issuer)) {
    throw UsageError(fmt::format(
        "--oidc-issuer is '{}'; write the provider's address as its documentation gives it, with "
        "https (http only on this machine): https://login.example.org/realms/university",
        printable(options_.issuer)));
  }
  name_ = authority_of(options_.issuer);
}

/// @throws SignInProblem  without an object: unreachable, or configuration
json OpenIdProvider::fetch_object(const FetchRequest& request, const char* what) const {
  const FetchResult result = library_.fetch(request);
  if (result.status == 0 || result.status >= 500 || result.status == 429) {
    throw SignInProblem(
        SignInFault::unreachable,
        fmt::format("{}: {}", what,
                    result.status == 0 ? one_line(result.problem) : error_in(result)));
  }
  json object = json::parse(result.body, nullptr, /*allow_exceptions=*/false);
  if (result.status != 200 || !object.is_object()) {
    throw SignInProblem(SignInFault::configuration,
                        fmt::format("{} is no JSON object: HTTP status {}", what, result.status));
  }
  return object;
}

/// OpenID Connect Discovery 1.0, section 4. While the provider does not answer, the earlier one.
json OpenIdProvider::document() {
  const std::lock_guard lock(mutex_);
  const Instant now = now_();
  if (document_ && now - document_->at < kKept) return document_->object;
  std::string url = options_.issuer;
  if (url.ends_with('/')) url.pop_back();
  try {
    json object = fetch_object({.url = url + "/.well-known/openid-configuration"},
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

std::string OpenIdProvider::endpoint(const json& document, const char* name) const {
  std::string url = text_at(document, name);
  if (!is_safe_url(url)) {
    throw SignInProblem(
        SignInFault::configuration,
        fmt::format("the provider's openid-configuration has no {} with https", name));
  }
  return url;
}

/// The keys with this id, or all if it is empty. They are fetched again when they are old, so that
/// a key that the provider has withdrawn ends, and when one is unknown, since providers change
/// them.
std::vector<json> OpenIdProvider::keys(const std::string& url, const std::string& id) {
  const std::lock_guard lock(mutex_);
  const Instant now = now_();
  const auto fetch = [&] { keys_ = {fetch_object({.url = url}, "the provider's keys"), now}; };
  const auto found = [&] {
    std::vector<json> keys;
    const auto list = keys_->object.find("keys");
    if (list == keys_->object.end() || !list->is_array()) return keys;
    for (const json& key : *list) {
      if (id.empty() || text_at(key, "kid") == id) keys.push_back(key);
    }
    return keys;
  };
  if (!keys_ || now - keys_->at >= kKept) fetch();
  std::vector<json> keys = found();
  if (keys.empty() && now - keys_->at >= kPause) {
    fetch();
    keys = found();
  }
  return keys;
}

std::string OpenIdProvider::authorization_url(const PendingSignIns::Begun& begun) {
  const Turn turn(turns_);
  const json document = this->document();
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
json OpenIdProvider::redeem(const json& document, const std::string& code,
                            const PendingSignIns::Begun& begun) const {
  std::vector<std::pair<std::string, std::string>> fields = {{"grant_type", "authorization_code"},
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
    const std::string error = text_at(json::parse(result.body, nullptr, false), "error");
    throw SignInProblem(
        error == "invalid_grant" ? SignInFault::code_refused : SignInFault::client_refused,
        "the token endpoint answers " + error_in(result));
  }
  if (result.status == 0 || result.status >= 500 || result.status == 429) {
    throw SignInProblem(SignInFault::unreachable,
                        "the token endpoint: " +
                            (result.status == 0 ? one_line(result.problem) : error_in(result)));
  }
  json tokens = json::parse(result.body, nullptr, false);
  if (result.status != 200 || text_at(tokens, "id_token").empty()) {
    throw SignInProblem(
        SignInFault::configuration,
        fmt::format("the token endpoint gives no ID token: HTTP status {}", result.status));
  }
  return tokens;
}

/// OpenID Connect Core 1.0, section 5.3: most providers have the claims of scopes only here.
json OpenIdProvider::user_info(const json& document, const json& tokens,
                               const std::string& subject) const {
  if (!document.contains("userinfo_endpoint")) return json::object();
  json info = fetch_object(
      {.url = endpoint(document, "userinfo_endpoint"), .bearer = text_at(tokens, "access_token")},
      "the provider's userinfo");
  if (text_at(info, "sub") != subject) {
    throw SignInProblem(SignInFault::token, "the provider's userinfo is of somebody else (sub)");
  }
  return info;
}

Account OpenIdProvider::account_in(const json& claims) const {
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
  const json document = this->document();
  const json tokens = redeem(document, code, begun);
  const std::string url = endpoint(document, "jwks_uri");
  const json claims = check_id_token(
      text_at(tokens, "id_token"),
      {.issuer = options_.issuer, .client = options_.client, .nonce = begun.nonce, .now = now_()},
      [&](const std::string& id) { return keys(url, id); }, library_);
  if (claims.contains(options_.claim)) return account_in(claims);
  json info = user_info(document, tokens, text_at(claims, "sub"));
  info["sub"] = text_at(claims, "sub");
  return account_in(info);
}

std::string OpenIdProvider::end_session_url() try {
  const Turn turn(turns_);
  const json document = this->document();
  if (!document.contains("end_session_endpoint")) return {};
  return with_query(endpoint(document, "end_session_endpoint"),
                    {{"client_id", options_.client}, {"post_logout_redirect_uri", home_}});
} catch (const SignInProblem&) {
  return {};  // signing out here does not depend on it
}

}  // namespace warpgrade
