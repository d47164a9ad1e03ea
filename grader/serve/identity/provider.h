#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "grader/core/instant.h"
#include "grader/serve/identity/account.h"
#include "grader/serve/identity/keys.h"
#include "grader/serve/identity/pending.h"
#include "grader/serve/identity/requests.h"
#include "grader/serve/identity/sign_in_library.h"

namespace warpgrade {

/// How this server is registered at a provider of accounts.
struct ProviderOptions {
  std::string issuer;  // "https://login.example.org/realms/university"
  std::string client;
  std::string secret = {};  // empty: a public client, for which PKCE stands alone
  std::string claim = "email";  // that says who it is
  std::string column = {};  // of the roster, one of id_columns(), with which it is compared
};

/// One provider of OpenID Connect, by the authorization code flow with PKCE. Thread-safe.
class OpenIdProvider {
 public:
  /// @param redirect  the address of this server to which browsers come back
  /// @param home      where they go after signing out at the provider
  /// @throws UsageError  if the issuer's URL is not safe
  OpenIdProvider(ProviderOptions options, std::string redirect, std::string home,
                 const SignInLibrary& library, std::function<Instant()> now = now_utc);

  /// The host of the issuer, by which people know it: "login.example.org".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const ProviderOptions& options() const { return options_; }

  /// Where the browser signs in. @throws SignInProblem, as all below
  [[nodiscard]] std::string authorization_url(const PendingSignIns::Begun& begun);

  /// Redeems the code with which the browser came back.
  [[nodiscard]] Account account(const std::string& code, const PendingSignIns::Begun& begun);

  /// Where the browser signs out at the provider; empty if it offers none, or does not answer.
  [[nodiscard]] std::string end_session_url();

 private:
  struct Fetched {
    nlohmann::json object;
    Instant at;
  };
  [[nodiscard]] nlohmann::json document();
  [[nodiscard]] std::string endpoint(const nlohmann::json& document, const char* name) const;
  [[nodiscard]] nlohmann::json redeem(const nlohmann::json& document, const std::string& code,
                                      const PendingSignIns::Begun& begun) const;
  [[nodiscard]] nlohmann::json user_info(const nlohmann::json& document,
                                         const nlohmann::json& tokens,
                                         const std::string& subject) const;
  [[nodiscard]] Account account_in(const nlohmann::json& claims) const;

  ProviderOptions options_;
  std::string redirect_;
  std::string home_;
  const SignInLibrary& library_;
  std::function<Instant()> now_;
  std::string name_;
  std::mutex mutex_;
  std::optional<Fetched> document_;
  ProviderKeys keys_;
  Turns turns_{kMostTurns};
};

}  // namespace warpgrade
