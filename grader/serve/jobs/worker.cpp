#include "grader/serve/jobs/worker.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <utility>
#include <vector>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 200ms;  // for something to claim
constexpr auto kTell = 250ms;  // a step that has changed
constexpr std::chrono::milliseconds kAlive = kWorkerGone / 3;

void complain(const std::exception& e) {
  const auto* error = dynamic_cast<const StoreError*>(&e);
  // A database that does not answer has a line already.
  if (error != nullptr && error->kind == StoreError::Kind::unreachable) return;
  fmt::print(stderr, "warpgrade serve: {}\n", e.what());
}

}  // namespace

Worker::Worker(Store& store, Leases& leases, std::string name, std::size_t at_once,
               std::chrono::milliseconds lease, WorkerWork work)
    : store_(store),
      leases_(leases),
      name_(std::move(name)),
      at_once_(at_once),
      lease_(lease),
      work_(std::move(work)) {}

void Worker::run(const std::function<bool()>& stopped) {
  leases_.alive(name_, at_once_, work_.rules());
  seen_ = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < at_once_; ++i) {
      threads.emplace_back([&] { claim_and_work(stopped); });
    }
    while (!stopped()) {
      try {
        tell();
      } catch (const std::exception& e) {
        complain(e);
      }
      std::this_thread::sleep_for(kTell);
    }
    const std::lock_guard lock(mutex_);
    for (auto& [id, running] : running_) *running.stop = true;
  }
  try {
    leases_.gone(name_);
  } catch (const std::exception& e) {
    complain(e);
  }
}

void Worker::tell() {
  if (Clock::now() - seen_ > kAlive) {
    leases_.alive(name_, at_once_, work_.rules());
    seen_ = Clock::now();
  }
  std::vector<std::pair<KeptAttempt, std::string>> due;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [id, running] : running_) {
      if (running.step == running.told && Clock::now() - running.renewed < lease_ / 4) continue;
      due.emplace_back(running.attempt, running.step);
    }
  }
  for (const auto& [attempt, step] : due) {
    const bool renewed = leases_.renew(attempt, step, lease_);
    const std::lock_guard lock(mutex_);
    const auto it = running_.find(attempt.id);
    if (it == running_.end() || it->second.attempt.claim != attempt.claim) continue;
    it->second.told = step;
    it->second.renewed = Clock::now();
    if (!renewed) *it->second.stop = true;
  }
}

void Worker::claim_and_work(const std::function<bool()>& stopped) {
  while (!stopped()) {
    try {
      const std::string rules = work_.rules();
      if (const auto claimed = leases_.claim(name_, rules, lease_)) {
        told_of_rules_ = false;
        do_one(*claimed, stopped);
        continue;
      }
      if (leases_.only_for_others(rules) && !told_of_rules_.exchange(true)) {
        fmt::print(stderr,
                   "warpgrade serve: the server has another version of warpgrade or of the labs, "
                   "course.toml, roster, groups or secret than this worker, which gets nothing to "
                   "do until they are the same\n");
      }
    } catch (const std::exception& e) {
      complain(e);
    }
    std::this_thread::sleep_for(kLook);
  }
}

void Worker::do_one(const KeptAttempt& claimed, const std::function<bool()>& stopped) {
  std::atomic<bool> stop = false;
  {
    const std::lock_guard lock(mutex_);
    running_[claimed.id] = {
        .attempt = claimed, .step = {}, .told = {}, .renewed = Clock::now(), .stop = &stop};
    if (stopped()) stop = true;
  }
  CheckOutcome outcome;
  FileSet files;
  try {
    const auto on_step = [&](const std::string& step) {
      const std::lock_guard lock(mutex_);
      running_.at(claimed.id).step = step;
    };
    outcome = is_graded(claimed) ? work_.grade(claimed, stop, files)
                                 : work_.check(claimed, on_step, stop);
  } catch (const std::exception& e) {
    outcome.problem = e.what();
  }
  // Whoever ends this worker may have ended what it had started, too: that says nothing about the
  // attempt.
  if (stopped() && !outcome.problem.empty()) outcome.stopped = true;
  if (!outcome.stopped) deliver(claimed, outcome, files, stopped);
  {
    const std::lock_guard lock(mutex_);
    running_.erase(claimed.id);
  }
  // Changes nothing if it was canceled, or is another's by now.
  if (outcome.stopped) leases_.give_back(claimed);
}

void Worker::deliver(const KeptAttempt& claimed, const CheckOutcome& outcome, const FileSet& files,
                     const std::function<bool()>& stopped) {
  if (!outcome.problem.empty()) {
    fmt::print(stderr, "warpgrade serve: attempt {} at {} failed: {}\n", claimed.id, claimed.lab,
               one_line(outcome.problem));
  }
  while (!stopped()) {
    try {
      // Each of them counts under this claim only, and once.
      if (!outcome.problem.empty()) {
        store_.fail(claimed, outcome.problem);
      } else if (is_graded(claimed)) {
        leases_.hand_over(claimed, files);
      } else {
        store_.finish(claimed, outcome.result);
      }
      return;
    } catch (const std::exception& e) {
      complain(e);
    }
    std::this_thread::sleep_for(1s);
  }
}

}  // namespace warpgrade
