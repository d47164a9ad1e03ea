#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/attempt_log/attempt_log.h"

// What became of the mistakes that first sentences named.

namespace warpgrade {

/// How often a mistake was named, and gone in the next check.
struct HintUse {
  std::size_t named = 0;  // in checks that another one followed
  std::size_t followed = 0;

  HintUse& operator+=(const HintUse& other) {
    named += other.named;
    followed += other.followed;
    return *this;
  }
};

/// By mistake (OwnAttempt::mistake); those without a page are summed up as "other".
[[nodiscard]] std::map<std::string, HintUse> hint_use(const std::vector<OwnAttempt>& attempts);

[[nodiscard]] HintUse sum_of(const std::map<std::string, HintUse>& uses);

/// Checks from the first one that was not complete to the first complete one after it, both
/// counted; nothing if there are not both.
[[nodiscard]] std::optional<std::size_t> checks_to_full_marks(
    const std::vector<OwnAttempt>& attempts);

}  // namespace warpgrade
