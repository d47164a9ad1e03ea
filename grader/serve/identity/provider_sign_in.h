#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "grader/serve/http/site.h"
#include "grader/serve/identity/pending.h"
#include "grader/serve/identity/problem.h"
#include "grader/serve/identity/provider.h"
#include "grader/submit/course/course.h"

namespace warpgrade {

/// Where browsers come back from the provider, as it has to be registered there.
inline constexpr std::string_view kCallback = "/sign-in/callback";

/// What a class's server has if its members sign in at a provider of accounts.
struct ProviderSignIn {
  /// @param write_line  gets one line of JSON for each sign-in, and each that failed
  ProviderSignIn(ProviderOptions options, const Site& site, const SignInLibrary& library,
                 std::function<void(const std::string&)> write_line,
                 std::function<Instant()> clock = now_utc)
      : provider(std::move(options), site.url(std::string(kCallback)), site.url("/sign-in"),
                 library, clock),
        now(std::move(clock)),
        log(std::move(write_line)) {}

  OpenIdProvider provider;
  PendingSignIns pending;
  std::function<Instant()> now;
  std::function<void(const std::string&)> log;
};

/// One line of JSON: time, event, and the fault with what the operator needs to know.
[[nodiscard]] std::string log_line(const OpenIdProvider& provider, const SignInProblem& problem,
                                   Instant now);
[[nodiscard]] std::string log_line(const OpenIdProvider& provider, const std::string& person,
                                   Instant now);

/// The fields of JSON with the time, as one line.
[[nodiscard]] std::string log_line(nlohmann::ordered_json fields, const std::string& issuer,
                                   Instant now);
/// The fields of a sign-in that failed.
[[nodiscard]] nlohmann::ordered_json log_fields(const char* event, const SignInProblem& problem);

/// What an answer says instead of a code or a token (RFC 6749, section 4.1.2.1).
/// @param answer  its fields, with `error`
[[nodiscard]] SignInProblem problem_in(const std::map<std::string, std::string>& answer);

/// What the person reads.
struct SignInNotice {
  int status = 403;
  std::string title;
  std::string text;
};
[[nodiscard]] SignInNotice explain(const SignInProblem& problem, const std::string& provider,
                                   const Course& course);

}  // namespace warpgrade
