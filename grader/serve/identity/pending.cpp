#include "grader/serve/identity/pending.h"

#include <fmt/core.h>

#include <charconv>

#include "grader/core/sha256.h"
#include "grader/serve/http/guard.h"

namespace warpgrade {

PendingSignIns::PendingSignIns() : key_(random_token()) {}

/// All from 256 random bits and the server's key: who sees one of them cannot compute another.
PendingSignIns::Begun PendingSignIns::from(const std::string& seed,
                                           const std::string& until) const {
  const auto derived = [&](const char* purpose) {
    Sha256 sha;
    for (const std::string& part : {key_, std::string(purpose), seed, until}) sha.add_field(part);
    return sha.hex();
  };
  return {.cookie = fmt::format("{}.{}.{}", seed, until, derived("cookie")),
          .state = derived("state"),
          .nonce = derived("nonce"),
          .verifier = derived("verifier")};
}

PendingSignIns::Begun PendingSignIns::begin(Instant now) const {
  return from(random_token(), std::to_string((now + kTime).time_since_epoch().count()));
}

std::optional<PendingSignIns::Begun> PendingSignIns::find(const std::string& cookie,
                                                          const std::string& state,
                                                          Instant now) const {
  const std::size_t first = cookie.find('.');
  const std::size_t second = first == cookie.npos ? first : cookie.find('.', first + 1);
  if (second == cookie.npos) return std::nullopt;
  const std::string until = cookie.substr(first + 1, second - first - 1);
  Begun begun = from(cookie.substr(0, first), until);
  if (!equal_in_constant_time(begun.cookie, cookie) ||
      !equal_in_constant_time(begun.state, state)) {
    return std::nullopt;
  }
  std::int64_t expires = 0;  // this server has written it
  std::from_chars(until.data(), until.data() + until.size(), expires);
  const std::lock_guard lock(mutex_);
  if (expires <= now.time_since_epoch().count() || used_.contains(cookie)) return std::nullopt;
  return begun;
}

bool PendingSignIns::use(const Begun& begun, Instant now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(used_, [&](const auto& one) { return one.second <= now; });
  return used_.emplace(begun.cookie, now + kTime).second;
}

}  // namespace warpgrade
