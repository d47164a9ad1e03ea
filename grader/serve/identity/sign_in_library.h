#pragma once

#include <string>

namespace warpgrade {

/// A request to a provider of accounts or to a learning platform.
struct FetchRequest {
  std::string url;
  std::string form = {};  // application/x-www-form-urlencoded, sent by POST; empty: a GET
  std::string user = {};  // of HTTP's basic authentication; empty: without
  std::string password = {};
  std::string bearer = {};  // an access token; empty: none
  std::string content = {};  // sent by POST, as content_type; empty: none
  std::string content_type = {};
  std::string accept = "application/json";
};

struct FetchResult {
  int status = 0;  // HTTP's; 0: there is no answer
  std::string body = {};
  std::string problem = {};  // why there is none: "Could not resolve host: login.example.org"
  std::string link = {};  // its header of this name (RFC 8288); of several, with ", " between them
};

/// What signing in needs of libcurl and cjose. These are in a library of its own, which is loaded
/// where it is used, so that no other command loads them, and packages may lack it. Thread-safe.
class SignInLibrary {
 public:
  virtual ~SignInLibrary() = default;

  /// Ends after 10 seconds, at 1 MiB, and at a redirection, which it returns.
  [[nodiscard]] virtual FetchResult fetch(const FetchRequest& request) const = 0;

  /// Whether the signature of a JWS in compact form is right, by the algorithm that its header
  /// names. The caller has to compare that with the key.
  /// @param key  a public one, as JWK
  [[nodiscard]] virtual bool verify(const std::string& token, const std::string& key) const = 0;

  /// A JWS in compact form, signed by RS256; empty if the key cannot sign so.
  /// @param id   of the key, in the header
  /// @param key  a private RSA key, as JWK
  [[nodiscard]] virtual std::string sign(const std::string& payload, const std::string& id,
                                         const std::string& key) const = 0;

  /// A new private RSA key of 2048 bits, as JWK; empty if there is none.
  [[nodiscard]] virtual std::string new_key() const = 0;
};

/// The library's entry: a static object.
inline constexpr const char* kSignInEntry = "warpgrade_sign_in";
using SignInEntry = const SignInLibrary& (*)();

}  // namespace warpgrade
