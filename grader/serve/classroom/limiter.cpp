#include "grader/serve/classroom/limiter.h"

namespace warpgrade {

bool Limiter::refuses(const std::string& who, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto it = counts_.find(who);
  return it != counts_.end() && now < it->second.since + window_ && it->second.count >= most_;
}

void Limiter::count(const std::string& who, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  // Windows that are over, so that there are never more entries than failures in one.
  std::erase_if(counts_, [&](const auto& entry) { return now >= entry.second.since + window_; });
  Window& window = counts_[who];
  if (window.count == 0) window.since = now;
  ++window.count;
}

}  // namespace warpgrade
