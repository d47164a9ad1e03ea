#pragma once

#include <nlohmann/json.hpp>
#include <semaphore>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/serve/identity/sign_in_library.h"

// Requests to providers of accounts and to learning platforms.

namespace warpgrade {

/// Whether a secret may be sent there: an https URL, or an http one of this machine.
[[nodiscard]] bool is_safe_url(const std::string& url);

/// "https://login.example.org:8443/x" gives "login.example.org:8443".
/// @param url  a safe one
[[nodiscard]] std::string_view authority_of(std::string_view url);

using FormFields = std::vector<std::pair<std::string, std::string>>;
/// application/x-www-form-urlencoded
[[nodiscard]] std::string form_of(const FormFields& fields);
[[nodiscard]] std::string with_query(const std::string& url, const FormFields& fields);

/// "400: invalid_client (client authentication failed)", as an OAuth 2 server says.
[[nodiscard]] std::string error_in(const FetchResult& result);

/// Whether it is worth trying again later: no answer, or out of order, or too many requests.
[[nodiscard]] bool is_unreachable(const FetchResult& result);

/// @param what  "the provider's keys", for messages
/// @throws SignInProblem  without an object: unreachable, or configuration
[[nodiscard]] nlohmann::json fetch_object(const SignInLibrary& library, const FetchRequest& request,
                                          const char* what);

/// The requests of browsers that may wait for a provider at the same time: others of the server's
/// threads have to stay free.
using Turns = std::counting_semaphore<>;
inline constexpr std::ptrdiff_t kMostTurns = 4;

/// One of them, as long as it lives.
class Turn {
 public:
  /// @throws SignInProblem  busy
  explicit Turn(Turns& turns);
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { turns_.release(); }

 private:
  Turns& turns_;
};

}  // namespace warpgrade
