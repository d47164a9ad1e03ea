#include "grader/serve/classroom/limiter.h"

namespace warpgrade {

bool Limiter::refuses(const std::string& who, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto it = failures_.find(who);
  return it != failures_.end() && now < it->second.since + window_ && it->second.count >= most_;
}

void Limiter::count_failure(const std::string& who, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  // Windows that are over, so that there are never more entries than failures in one.
  std::erase_if(failures_, [&](const auto& entry) { return now >= entry.second.since + window_; });
  Failures& failures = failures_[who];
  if (failures.count == 0) failures.since = now;
  ++failures.count;
}

}  // namespace warpgrade
