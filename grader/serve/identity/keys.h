#pragma once

#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/serve/identity/sign_in_library.h"

namespace warpgrade {

/// Documents and keys of a provider are fetched again after this time, and keys at once if one
/// is unknown, but not more often than kPause.
inline constexpr std::chrono::hours kKept{1};
inline constexpr std::chrono::seconds kPause{60};

/// The public keys of a provider of accounts or of a learning platform. Thread-safe.
class ProviderKeys {
 public:
  ProviderKeys(const SignInLibrary& library, std::function<Instant()> now)
      : library_(library), now_(std::move(now)) {}

  /// The keys with this id, or all if it is empty. They are fetched again when they are old, so
  /// that a key that the provider has withdrawn ends, and when one is unknown, since providers
  /// change them.
  /// @param url  of the key set, always the same
  /// @throws SignInProblem  unreachable, or configuration
  [[nodiscard]] std::vector<nlohmann::json> find(const std::string& url, const std::string& id);

 private:
  struct Fetched {
    nlohmann::json object;
    Instant at;
  };
  const SignInLibrary& library_;
  std::function<Instant()> now_;
  std::mutex mutex_;
  std::optional<Fetched> keys_;
};

}  // namespace warpgrade
