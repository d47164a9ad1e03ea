#include "grader/cli/attempt_log/hint_use.h"

#include <algorithm>

namespace warpgrade {

std::map<std::string, HintUse> hint_use(const std::vector<OwnAttempt>& attempts) {
  std::map<std::string, HintUse> uses;
  for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
    const std::string& mistake = attempts[i].mistake;
    if (mistake.empty()) continue;
    HintUse& use = uses[mistake.starts_with("P") ? mistake : "other"];
    ++use.named;
    use.followed += attempts[i + 1].mistake != mistake ? 1 : 0;
  }
  return uses;
}

HintUse sum_of(const std::map<std::string, HintUse>& uses) {
  HintUse sum;
  for (const auto& [mistake, use] : uses) sum += use;
  return sum;
}

std::optional<std::size_t> checks_to_full_marks(const std::vector<OwnAttempt>& attempts) {
  const auto complete = [](const OwnAttempt& attempt) { return attempt.is_complete(); };
  const auto first = std::find_if_not(attempts.begin(), attempts.end(), complete);
  const auto last = std::find_if(first, attempts.end(), complete);
  if (first == attempts.end() || last == attempts.end()) return std::nullopt;
  return static_cast<std::size_t>(last - first) + 1;
}

}  // namespace warpgrade
