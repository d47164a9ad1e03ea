#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "grader/core/instant.h"

namespace warpgrade {

/// Sign-ins that were begun: between the redirection to the provider and the one back. What is
/// secret is in a cookie of the browser, so that nothing is kept for those who never come back; a
/// restart of the server ends them. Thread-safe.
class PendingSignIns {
 public:
  static constexpr std::chrono::minutes kTime{10};

  PendingSignIns();

  struct Begun {
    std::string cookie;
    std::string state;
    std::string nonce;
    std::string verifier;  // of RFC 7636
  };
  [[nodiscard]] Begun begin(Instant now) const;

  /// What the browser with this cookie began, if `state` belongs to it, it is not too old, and was
  /// not used.
  [[nodiscard]] std::optional<Begun> find(const std::string& cookie, const std::string& state,
                                          Instant now) const;
  /// Uses it up. False if it was before.
  [[nodiscard]] bool use(const Begun& begun, Instant now);

 private:
  [[nodiscard]] Begun from(const std::string& seed, const std::string& until) const;

  std::string key_;  // of this run of the server
  mutable std::mutex mutex_;
  std::map<std::string, Instant> used_;  // cookies, and when they expire
};

}  // namespace warpgrade
