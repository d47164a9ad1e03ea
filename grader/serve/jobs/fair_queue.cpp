#include "grader/serve/jobs/fair_queue.h"

#include <algorithm>

namespace warpgrade {

void FairQueue::add(Entry entry) {
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
      if (round.persons.empty()) round.credit = Cost(0);
      return true;
    }
  }
  return false;
}

FairQueue::Cost FairQueue::cost_of(const Entry& entry) const {
  const auto known = costs_.find(entry.work);
  return std::clamp(known == costs_.end() ? entry.cost : known->second, Cost(1), kMostCost);
}

void FairQueue::advance(Round& round) const {
  for (;;) {
    Share& first = round.shares.at(round.persons.front());
    if (first.deficit >= cost_of(first.entries.front())) return;
    first.deficit += kQuantum;
    round.persons.push_back(std::move(round.persons.front()));
    round.persons.pop_front();
  }
}

const FairQueue::Entry& FairQueue::Round::front() const {
  return shares.at(persons.front()).entries.front();
}

FairQueue::Round* FairQueue::next() {
  Round* first = nullptr;
  for (Round& round : rounds_) {
    if (round.persons.empty()) continue;
    advance(round);
    if (first == nullptr) {
      first = &round;
    } else if (round.credit >= cost_of(round.front())) {
      return &round;
    }
  }
  return first;
}

std::optional<std::int64_t> FairQueue::front() {
  const Round* round = next();
  return round == nullptr ? std::nullopt : std::optional(round->front().id);
}

void FairQueue::take() {
  Round* const round = next();
  if (round == nullptr) return;
  const Cost cost = cost_of(round->front());
  for (std::size_t i = 0; i < rounds_.size(); ++i) {
    if (kShares[i] == 0 || rounds_[i].persons.empty()) continue;
    rounds_[i].credit = std::min(rounds_[i].credit + cost / kShares[i], kMostCost);
  }
  round->credit = std::max(round->credit - cost, Cost(0));
  Share& share = round->shares.at(round->persons.front());
  share.deficit -= cost;
  share.entries.pop_front();
  // Who waits for nothing saves nothing up.
  if (share.entries.empty()) {
    round->shares.erase(round->persons.front());
    round->persons.pop_front();
  }
  if (round->persons.empty()) round->credit = Cost(0);
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
