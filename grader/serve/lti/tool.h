#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/serve/http/site.h"
#include "grader/serve/identity/keys.h"
#include "grader/serve/identity/pending.h"
#include "grader/serve/identity/requests.h"
#include "grader/serve/identity/sign_in_library.h"
#include "grader/serve/lti/launch.h"
#include "grader/serve/lti/registration.h"

namespace warpgrade {

// The addresses of this server that platforms know.
inline constexpr std::string_view kLtiLogin = "/lti/login";
inline constexpr std::string_view kLtiLaunch = "/lti/launch";
inline constexpr std::string_view kLtiDeepLink = "/lti/deep-link";  // a target, not a page
inline constexpr std::string_view kLtiKeys = "/lti/keys";

/// This server as a tool of learning platforms: LTI 1.3 with its security framework 1.0. Signs in
/// and verifies; lti/services.h has what it asks of platforms. Thread-safe.
class LtiTool {
 public:
  struct Platform {
    Platform(LtiRegistration registered, const SignInLibrary& library,
             const std::function<Instant()>& now)
        : registration(std::move(registered)), keys(library, now) {}

    /// The issuer and the client id, which the database has as one text.
    [[nodiscard]] std::string id() const { return registration.issuer + " " + registration.client; }

    LtiRegistration registration;
    PendingSignIns pending;  // its own: what one platform began, another cannot end
    ProviderKeys keys;
  };

  /// @param key  a private RSA key as JWK; empty: services and deep linking are not used
  /// @param write_line  gets one line of JSON for each launch, and each that failed
  /// @throws UsageError  if the key is none
  LtiTool(std::vector<LtiRegistration> registrations, const std::string& key, const Site& site,
          const SignInLibrary& library, std::function<void(const std::string&)> write_line,
          std::function<Instant()> now = now_utc);

  /// The platform that begins a launch.
  /// @param client  may be empty if the issuer has registered one
  /// @throws SignInProblem  configuration
  [[nodiscard]] Platform& platform(const std::string& issuer, const std::string& client);
  /// @param id  Platform::id(); null if it is not registered any more
  [[nodiscard]] Platform* find(const std::string& id);
  [[nodiscard]] const std::vector<std::unique_ptr<Platform>>& platforms() const {
    return platforms_;
  }

  /// Where the browser goes to be launched (security framework, section 5.1.1).
  /// @param hints  login_hint and lti_message_hint, as they came
  [[nodiscard]] std::string authorization_url(const Platform& platform,
                                              const PendingSignIns::Begun& begun,
                                              const FormFields& hints) const;

  /// What the platform says with its token, verified.
  /// @throws SignInProblem
  [[nodiscard]] LtiLaunch launch(Platform& platform, const std::string& token,
                                 const PendingSignIns::Begun& begun);

  [[nodiscard]] bool has_key() const { return !key_.empty(); }
  /// This server's public keys, a JWK set.
  [[nodiscard]] nlohmann::ordered_json public_keys() const;
  /// A JWT of this server, valid for five minutes.
  /// @param claims  without times
  [[nodiscard]] std::string sign(nlohmann::json claims) const;

  [[nodiscard]] Instant now() const { return now_(); }
  void log(const std::string& line) const { log_(line); }
  [[nodiscard]] const SignInLibrary& library() const { return library_; }

 private:
  std::string site_;
  std::string key_;  // the JWK
  std::string key_id_;  // RFC 7638
  nlohmann::ordered_json public_key_;
  const SignInLibrary& library_;
  std::function<void(const std::string&)> log_;
  std::function<Instant()> now_;
  std::vector<std::unique_ptr<Platform>> platforms_;
  Turns turns_{kMostTurns};
};

}  // namespace warpgrade
