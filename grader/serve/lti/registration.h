#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade {

/// How this server is registered at a learning platform (LTI 1.3).
struct LtiRegistration {
  std::string issuer;  // "https://moodle.example.org"
  std::string client;
  std::vector<std::string> deployments;  // one or more
  std::string authorization_url;
  std::string token_url;
  std::string jwks_url;
  std::string audience;  // of this server's tokens at token_url: that, unless it is given
  std::vector<std::string> contexts = {};  // courses of the platform; empty: the first one is taken
  std::string account = "email";  // what says who it is: see LtiUser::account
  std::string column = "email";  // of the roster, one of id_columns(), with which it is compared

  /// The host of the issuer, by which people know it: "moodle.example.org".
  [[nodiscard]] std::string name() const;
};

/// Reads a file of registrations, [[platform]] for each.
/// @throws LabError  "lti.toml:3: what; what to do", for each member that is missing or malformed
/// @throws UsageError  if there is no such file
[[nodiscard]] std::vector<LtiRegistration> load_lti_registrations(
    const std::filesystem::path& file);

}  // namespace warpgrade
