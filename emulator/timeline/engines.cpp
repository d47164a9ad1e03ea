#include "emulator/timeline/engines.h"

#include <algorithm>

namespace warpsim {
namespace {

/// Shares are quotients of counts of blocks.
constexpr double kRounding = 1e-9;

}  // namespace

bool Engine::is_free(double begin, double end, double share) const {
  // The load is highest where an interval begins, or at `begin`.
  const auto load_at = [&](double time) {
    double load = 0;
    for (const Interval& other : taken_) {
      if (other.begin <= time && time < other.end) load += other.share;
    }
    return load;
  };
  if (load_at(begin) + share > 1 + kRounding) return false;
  return std::none_of(taken_.begin(), taken_.end(), [&](const Interval& other) {
    return other.begin > begin && other.begin < end && load_at(other.begin) + share > 1 + kRounding;
  });
}

double Engine::find(double ready, double duration, double share) const {
  if (ready >= last_end_) return ready;
  double begin = ready;
  while (!is_free(begin, begin + duration, share)) {
    // Room appears only where an interval ends.
    double next = last_end_;
    for (const Interval& other : taken_) {
      if (other.end > begin) next = std::min(next, other.end);
    }
    begin = next;
    if (begin >= last_end_) break;
  }
  return begin;
}

void Engine::take_at(double begin, double duration, double share) {
  taken_.push_back({begin, begin + duration, share});
  last_end_ = std::max(last_end_, begin + duration);
  busy_ += duration * share;
}

double Engine::take(double ready, double duration, double share) {
  const double begin = find(ready, duration, share);
  take_at(begin, duration, share);
  return begin;
}

void Engine::forget_before(double now) {
  std::erase_if(taken_, [&](const Interval& other) { return other.end <= now; });
}

}  // namespace warpsim
