#include "grader/serve/identity/id_token.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "grader/core/text.h"
#include "grader/serve/identity/base64url.h"
#include "grader/serve/identity/problem.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestToken = 32 * 1024;
constexpr std::size_t kLeastModulus = 256;  // bytes: 2048 bits (RFC 7518, section 3.3)
constexpr std::size_t kEs256Signature = 64;  // bytes (section 3.4)

[[noreturn]] void refuse(const std::string& why) {
  throw SignInProblem(SignInFault::token, "the ID token " + why);
}

nlohmann::json object_in(std::string_view part, const char* what) {
  const std::optional<std::string> text = from_base64url(part);
  nlohmann::json object =
      nlohmann::json::parse(text.value_or(""), nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) refuse(fmt::format("has no valid {}", what));
  return object;
}

/// The parts of "header.claims.signature".
std::array<std::string_view, 3> parts_of(std::string_view token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == token.npos ? first : token.find('.', first + 1);
  if (token.size() > kLongestToken || second == token.npos ||
      token.find('.', second + 1) != token.npos) {
    refuse("is none: it does not have three parts");
  }
  return {token.substr(0, first), token.substr(first + 1, second - first - 1),
          token.substr(second + 1)};
}

/// The public members of a key that fits the algorithm; nothing for another key.
std::optional<nlohmann::json> public_key(const nlohmann::json& key, const std::string& algorithm) {
  const auto differs = [&](const char* name, std::string_view wanted) {
    return key.contains(name) && text_at(key, name) != wanted;
  };
  if (!key.is_object() || differs("use", "sig") || differs("alg", algorithm)) return std::nullopt;
  nlohmann::json used = {{"kty", text_at(key, "kty")}};
  const auto take = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) used[name] = text_at(key, name);
  };
  if (algorithm == "RS256" && used["kty"] == "RSA") {
    take({"n", "e"});
    const auto modulus = from_base64url(text_at(used, "n"));
    if (!modulus || modulus->size() < kLeastModulus) return std::nullopt;
    return used;
  }
  if (algorithm == "ES256" && used["kty"] == "EC" && text_at(key, "crv") == "P-256") {
    take({"crv", "x", "y"});
    return used;
  }
  return std::nullopt;
}

void check_signature(const std::string& token, const nlohmann::json& header,
                     std::string_view signature, const KeyFinder& keys,
                     const SignInLibrary& library) {
  const std::string algorithm = text_at(header, "alg");
  if (algorithm != "RS256" && algorithm != "ES256") {
    refuse(fmt::format("is signed by '{}'; only RS256 and ES256 are accepted",
                       one_line(algorithm.substr(0, 20))));
  }
  if (header.contains("crit")) refuse("has extensions that must be understood (crit)");
  const auto bytes = from_base64url(signature);
  if (!bytes || (algorithm == "ES256" && bytes->size() != kEs256Signature)) {
    refuse("has no valid signature");
  }
  const std::string id = text_at(header, "kid");
  bool fits = false;
  for (const nlohmann::json& key : keys(id)) {
    const std::optional<nlohmann::json> used = public_key(key, algorithm);
    if (!used) continue;
    fits = true;
    if (library.verify(token, used->dump())) return;
  }
  refuse(fits ? "has a wrong signature"
              : fmt::format("is signed by the key '{}' ({}), which is not among the provider's",
                            one_line(id.substr(0, 80)), algorithm));
}

/// Seconds since 1970.
std::optional<double> time_at(const nlohmann::json& claims, const char* name) {
  const auto it = claims.find(name);
  if (it == claims.end() || !it->is_number()) return std::nullopt;
  const double time = it->get<double>();
  return std::isfinite(time) ? std::optional(time) : std::nullopt;
}

void check_times(const nlohmann::json& claims, Instant now) {
  const double at = static_cast<double>(now.time_since_epoch().count());
  const double skew = static_cast<double>(kClockSkew.count());
  const std::optional<double> expires = time_at(claims, "exp");
  const std::optional<double> issued = time_at(claims, "iat");
  if (!expires || !issued) refuse("does not say when it was issued and when it expires");
  const auto off = [&](const char* what, double by) {
    throw SignInProblem(SignInFault::clock,
                        fmt::format("the ID token {} {:.0f} seconds {} this machine's time", what,
                                    std::abs(by), by > 0 ? "after" : "before"));
  };
  if (*issued > at + skew) off("was issued", *issued - at);
  if (*expires <= at - skew) off("expired", *expires - at);
  const double oldest = std::chrono::duration<double>(kOldestToken).count();
  if (*issued < at - oldest) off("was issued", *issued - at);
  const std::optional<double> from = time_at(claims, "nbf");
  if (from && *from > at + skew) off("is valid from", *from - at);
}

void check_audience(const nlohmann::json& claims, const std::string& client) {
  std::vector<std::string> audiences;
  if (const auto it = claims.find("aud"); it != claims.end()) {
    for (const nlohmann::json& one : it->is_array() ? *it : nlohmann::json::array({*it})) {
      if (one.is_string()) audiences.push_back(one.get<std::string>());
    }
  }
  if (std::find(audiences.begin(), audiences.end(), client) == audiences.end()) {
    refuse("is for another client (aud)");
  }
  const bool needs_party = audiences.size() > 1;
  if ((needs_party || claims.contains("azp")) && text_at(claims, "azp") != client) {
    refuse("was issued to another client (azp)");
  }
}

}  // namespace

std::string text_at(const nlohmann::json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

nlohmann::json check_id_token(const std::string& token, const TokenRules& rules,
                              const KeyFinder& keys, const SignInLibrary& library) {
  const auto [header, payload, signature] = parts_of(token);
  check_signature(token, object_in(header, "header"), signature, keys, library);
  nlohmann::json claims = object_in(payload, "claims");
  if (text_at(claims, "iss") != rules.issuer) refuse("is from another issuer (iss)");
  check_audience(claims, rules.client);
  if (rules.nonce.empty() || text_at(claims, "nonce") != rules.nonce) {
    refuse("was made for another sign-in (nonce)");
  }
  if (text_at(claims, "sub").empty()) refuse("names nobody (sub)");
  check_times(claims, rules.now);
  return claims;
}

}  // namespace warpgrade
