#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/serve/identity/sign_in_library.h"

namespace warpgrade {

/// What an ID token has to say to be accepted (OpenID Connect Core 1.0, section 3.1.3.7).
struct TokenRules {
  std::string issuer;
  std::string client;  // the audience
  std::string nonce;
  Instant now;
};

/// How far the clocks of the provider and of this machine may differ, and how old a token may be:
/// it comes straight from the provider, which has just made it.
inline constexpr std::chrono::seconds kClockSkew{60};
inline constexpr std::chrono::minutes kOldestToken{10};

/// The provider's keys with this id; all of them for an empty one. JWKs.
using KeyFinder = std::function<std::vector<nlohmann::json>(const std::string& id)>;

/// The claims of an ID token whose signature, by RS256 or ES256 and a key of that kind, and claims
/// are right. Nothing in the token chooses the kind of key or where it comes from.
/// @throws SignInProblem  token, or clock
[[nodiscard]] nlohmann::json check_id_token(const std::string& token, const TokenRules& rules,
                                            const KeyFinder& keys, const SignInLibrary& library);

/// A text of an object; empty if it is missing or something else.
[[nodiscard]] std::string text_at(const nlohmann::json& object, const char* name);

}  // namespace warpgrade
