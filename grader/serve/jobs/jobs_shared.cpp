#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "grader/serve/jobs/jobs.h"
#include "grader/serve/store/schema.h"

// Jobs, as far as workers elsewhere are concerned. The server decides about the order and offers a
// few attempts at a time; workers claim them from the database.

namespace warpgrade {
namespace {

using namespace std::chrono_literals;

/// How often the database is asked what workers do; less often without any.
constexpr auto kFollow = 200ms;
constexpr auto kLookForWorkers = 1s;

}  // namespace

void Jobs::share() {
  for (;;) {
    bool follows = false;
    try {
      follows = share_once();
    } catch (const StoreError& e) {
      // One that does not answer has a line in the terminal already.
      if (e.kind != StoreError::Kind::unreachable) {
        fmt::print(stderr, "warpgrade serve: {}\n", e.what());
      }
    } catch (const std::exception& e) {
      fmt::print(stderr, "warpgrade serve: {}\n", e.what());
    }
    std::unique_lock lock(mutex_);
    if (stopping_) return;
    wake_sharing_.wait_for(lock, follows ? kFollow : kLookForWorkers);
    if (stopping_) return;
  }
}

bool Jobs::share_once() {
  Leases& leases = sharing_->leases;
  const std::string rules = sharing_->rules();
  const Leases::Reaped reaped = leases.reap();
  for (const std::int64_t id : reaped.waiting) {
    fmt::print(stderr, "warpgrade serve: the worker of attempt {} is gone; it waits again\n", id);
  }
  for (const std::int64_t id : reaped.failed) {
    fmt::print(stderr, "warpgrade serve: attempt {} was begun by {} workers, which all ended\n", id,
               kMostClaims);
  }
  const Leases::Places places = leases.places(rules);
  if (places.of_others > 0 && !told_of_others_) {
    fmt::print(stderr,
               "warpgrade serve: there are workers with another version, course.toml, roster, "
               "groups or secret than this server; they get nothing to do\n");
  }
  told_of_others_ = places.of_others > 0;
  std::vector<std::int64_t> handed_over;
  bool follows = false;
  {
    const std::lock_guard lock(mutex_);
    if (places.all > 0) {
      leases.offer_with(rules);
    } else if (!offered_.empty()) {
      for (const KeptAttempt& attempt : leases.withdraw()) {
        elsewhere_.erase(attempt.id);
        enqueue(attempt);
      }
      wake_.notify_all();
    }
    const std::vector<Leases::Offered> offered = leases.offered();
    follow_offered(offered);
    offer_more(places, rules);
    tell_positions();
    follows = places.all > 0 || !elsewhere_.empty();
    for (const Leases::Offered& one : offered) {
      if (one.handed_over) handed_over.push_back(one.id);
    }
  }
  for (const std::int64_t id : handed_over) take_over(id);
  return follows;
}

void Jobs::follow_offered(const std::vector<Leases::Offered>& offered) {
  offered_.clear();
  std::map<std::int64_t, Elsewhere> now;
  for (const Leases::Offered& one : offered) {
    if (!one.running) offered_.push_back(one.id);
    const auto before = elsewhere_.find(one.id);
    const bool told = before != elsewhere_.end() && before->second.running == one.running &&
                      before->second.step == one.step;
    if (one.running && !told) tell_step(one.id, one.step.empty() ? "starting" : one.step);
    now[one.id] = {.running = one.running, .step = one.step};
    if (before != elsewhere_.end()) elsewhere_.erase(before);
  }
  // What is not there any more has ended.
  for (const auto& [id, before] : elsewhere_) {
    if (const std::optional<KeptAttempt> attempt = store_.attempt(id);
        attempt && attempt->state == AttemptState::done) {
      learn_cost(*attempt, FairQueue::Cost(std::max<std::int64_t>(
                               attempt->finished_ms - attempt->claimed_ms, 0)));
    }
    end(id);
  }
  elsewhere_ = std::move(now);
}

void Jobs::offer_more(const Leases::Places& places, const std::string& rules) {
  if (places.all == 0) return;
  // Enough that no worker waits for the next look, and few, because what comes later and is more
  // urgent begins after them.
  const std::size_t running = elsewhere_.size() - offered_.size();
  const std::size_t idle = places.all - std::min(places.all, running);
  const std::size_t wanted = idle + 1 + places.all / 4;
  while (offered_.size() < wanted) {
    const std::optional<std::int64_t> next = queue_.front();
    if (!next) return;
    turn_ = std::max(turn_ + 1, now_ms());  // after those of an earlier server, too
    const bool waits = sharing_->leases.offer(*next, turn_, rules);
    queue_.take();
    if (!waits) continue;
    elsewhere_[*next] = {};
    offered_.push_back(*next);
  }
}

void Jobs::take_over(std::int64_t id) {
  const std::optional<KeptAttempt> attempt = store_.attempt(id);
  if (!attempt || attempt->state != AttemptState::running) return;
  record(*attempt, sharing_->take_over(*attempt, sharing_->leases.handed_over(id)));
}

}  // namespace warpgrade
