#include "grader/serve/jobs/fair_queue.h"

#include <algorithm>

namespace warpgrade {

void FairQueue::add(Entry entry) {
  entry.cost = std::clamp(entry.cost, Cost(1), kMostCost);
  Round& round = rounds_[static_cast<std::size_t>(entry.urgency)];
  const auto [share, is_new] = round.shares.try_emplace(entry.person);
  if (is_new) round.persons.push_back(entry.person);
  share->second.entries.push_back(std::move(entry));
}

bool FairQueue::remove(std::int64_t id) {
  for (Round& round : rounds_) {
    for (auto& [person, share] : round.shares) {
      const auto it = std::find_if(share.entries.begin(), share.entries.end(),
                                   [&](const Entry& entry) { return entry.id == id; });
      if (it == share.entries.end()) continue;
      share.entries.erase(it);
      if (share.entries.empty()) {
        std::erase(round.persons, person);
        round.shares.erase(person);
      }
      return true;
    }
  }
  return false;
}

void FairQueue::advance(Round& round) {
  for (;;) {
    Share& first = round.shares.at(round.persons.front());
    if (first.deficit >= first.entries.front().cost) return;
    first.deficit += kQuantum;
    round.persons.push_back(std::move(round.persons.front()));
    round.persons.pop_front();
  }
}

std::optional<std::int64_t> FairQueue::front() {
  for (Round& round : rounds_) {
    if (round.persons.empty()) continue;
    advance(round);
    return round.shares.at(round.persons.front()).entries.front().id;
  }
  return std::nullopt;
}

void FairQueue::take() {
  for (Round& round : rounds_) {
    if (round.persons.empty()) continue;
    advance(round);
    Share& first = round.shares.at(round.persons.front());
    first.deficit -= first.entries.front().cost;
    first.entries.pop_front();
    // Who waits for nothing saves nothing up.
    if (first.entries.empty()) {
      round.shares.erase(round.persons.front());
      round.persons.pop_front();
    }
    return;
  }
}

std::vector<std::int64_t> FairQueue::order() const {
  FairQueue rest = *this;
  std::vector<std::int64_t> order;
  while (const std::optional<std::int64_t> id = rest.front()) {
    order.push_back(*id);
    rest.take();
  }
  return order;
}

}  // namespace warpgrade
