#include "grader/serve/jobs/jobs.h"

#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

/// Of the first attempt at a lab.
constexpr FairQueue::Cost kUnknownCost{5000};

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What takes about the same time.
std::string work_of(const KeptAttempt& attempt) {
  return fmt::format("{} {}", attempt.lab, slug(attempt.kind));
}

}  // namespace

std::string attempt_json(const KeptAttempt& attempt) {
  Json json = {{"id", attempt.id},
               {"lab", attempt.lab},
               {"kind", slug(attempt.kind)},
               {"state", slug(attempt.state)},
               {"requested_ms", attempt.requested_ms},
               {"finished_ms", attempt.finished_ms},
               {"files_hash", attempt.files_hash},
               {"message", attempt.message}};
  if (attempt.result) {
    json["score"] = attempt.result->score;
    json["max_score"] = attempt.result->max_score;
    json["passed"] = attempt.result->passed;
    json["headline"] = attempt.result->headline;
  }
  if (attempt.result && attempt.result->max_score > 0) {
    json["points"] = fmt::format("{} of {}", human_points(attempt.result->score),
                                 human_points(attempt.result->max_score));
  }
  return text_of(json);
}

Jobs::Jobs(Store& store, AttemptRunner runner, std::size_t at_once, std::string epoch,
           std::optional<Sharing> sharing)
    : store_(store),
      runner_(std::move(runner)),
      epoch_(std::move(epoch)),
      sharing_(std::move(sharing)) {
  store_.requeue_running();
  for (const KeptAttempt& attempt : store_.waiting()) enqueue(attempt);
  for (std::size_t i = 0; i < at_once; ++i) workers_.emplace_back([this] { work(); });
  if (sharing_) workers_.emplace_back([this] { share(); });
}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (auto& [id, live] : live_) *live.stop = true;
  }
  wake_.notify_all();
  wake_sharing_.notify_all();
  workers_.clear();
}

void Jobs::enqueue(const KeptAttempt& attempt) {
  queue_.add({.id = attempt.id,
              .person = attempt.person,
              .urgency = attempt.urgency,
              .cost = kUnknownCost,
              .work = work_of(attempt)});
}

std::optional<KeptAttempt> Jobs::claim_next() {
  while (const std::optional<std::int64_t> next = queue_.front()) {
    std::optional<KeptAttempt> claimed = store_.claim(*next);
    queue_.take();
    if (claimed) return claimed;
  }
  return std::nullopt;
}

KeptAttempt Jobs::add(const std::string& person, const std::string& lab, AttemptKind kind,
                      Urgency urgency, const FileSet& files) {
  const std::lock_guard lock(mutex_);
  std::vector<std::int64_t> replaced;
  KeptAttempt attempt = store_.add(person, lab, kind, urgency, files, replaced);
  for (const std::int64_t id : replaced) end(id);
  enqueue(attempt);
  live(attempt.id);
  tell_positions();
  wake_.notify_one();
  wake_sharing_.notify_one();
  return attempt;
}

std::optional<KeptRegrade> Jobs::begin_regrade(const std::string& lab, const std::string& by,
                                               const std::vector<std::string>& persons) {
  const std::lock_guard lock(mutex_);
  std::vector<KeptAttempt> attempts;
  const std::optional<KeptRegrade> regrade = store_.begin_regrade(lab, by, persons, attempts);
  for (const KeptAttempt& attempt : attempts) enqueue(attempt);
  wake_.notify_all();
  return regrade;
}

bool Jobs::end_regrade(std::int64_t regrade, RegradeState state) {
  const std::lock_guard lock(mutex_);
  std::vector<std::int64_t> canceled;
  if (!store_.end_regrade(regrade, state, canceled)) return false;
  for (const std::int64_t id : canceled) end(id);
  return true;
}

bool Jobs::cancel(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  if (!store_.cancel(id)) return false;
  end(id);
  tell_positions();
  return true;
}

std::shared_ptr<EventLog> Jobs::events(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  const std::optional<KeptAttempt> attempt = store_.attempt(id);
  if (!attempt) return nullptr;
  if (attempt->state == AttemptState::waiting || attempt->state == AttemptState::running) {
    const bool known = live_.contains(id);
    std::shared_ptr<EventLog> log = live(id).log;
    if (!known) {
      tell_positions();
      if (const auto it = elsewhere_.find(id); it != elsewhere_.end() && it->second.running) {
        tell_step(id, it->second.step);
      }
    }
    return log;
  }
  auto log = std::make_shared<EventLog>(epoch_);
  log->close("end", attempt_json(*attempt));
  return log;
}

Jobs::Live& Jobs::live(std::int64_t id) {
  Live& live = live_[id];
  if (!live.log) live.log = std::make_shared<EventLog>(epoch_);
  return live;
}

void Jobs::end(std::int64_t id) {
  queue_.remove(id);
  const auto it = live_.find(id);
  if (it == live_.end()) return;
  *it->second.stop = true;
  if (const std::optional<KeptAttempt> attempt = store_.attempt(id)) {
    it->second.log->close("end", attempt_json(*attempt));
  }
  live_.erase(it);
}

void Jobs::tell_positions() {
  std::vector<std::int64_t> order = offered_;
  const std::vector<std::int64_t> queued = queue_.order();
  order.insert(order.end(), queued.begin(), queued.end());
  for (std::size_t before = 0; before < order.size(); ++before) {
    const auto it = live_.find(order[before]);
    if (it == live_.end() || it->second.before == before) continue;
    it->second.before = before;
    it->second.log->add("queued", text_of({{"before", before}}));
  }
}

void Jobs::tell_step(std::int64_t id, const std::string& step) {
  const auto it = live_.find(id);
  if (it != live_.end()) it->second.log->add("step", text_of({{"text", step}}));
}

void Jobs::learn_cost(const KeptAttempt& attempt, FairQueue::Cost cost) {
  FairQueue::Cost& usual = costs_.try_emplace(work_of(attempt), cost).first->second;
  usual = (3 * usual + cost) / 4;
  queue_.set_cost(work_of(attempt), usual);
}

bool Jobs::sleep_unless_stopped() {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, std::chrono::seconds(1), [&] { return stopping_; });
  return !stopping_;
}

void Jobs::work() {
  for (;;) {
    try {
      std::optional<KeptAttempt> claimed;
      Live watched;
      {
        std::unique_lock lock(mutex_);
        while (!stopping_ && !(claimed = claim_next())) wake_.wait(lock);
        if (stopping_) return;  // a claimed one waits again after the next start
        watched = live(claimed->id);
        tell_positions();
      }
      run(*claimed, watched);
    } catch (const std::exception& e) {
      fmt::print(stderr, "warpgrade serve: {}\n", e.what());
      if (!sleep_unless_stopped()) return;
    }
  }
}

void Jobs::run(const KeptAttempt& claimed, const Live& watched) {
  const auto tell = [&](const std::string& step) {
    watched.log->add("step", text_of({{"text", step}}));
  };
  const auto begin = std::chrono::steady_clock::now();
  CheckOutcome outcome;
  try {
    tell("starting");
    outcome = runner_(claimed, tell, *watched.stop);
  } catch (const std::exception& e) {
    outcome.problem = e.what();
  }
  if (outcome.stopped) return;
  if (!outcome.problem.empty() && claimed.kind == AttemptKind::check) {
    fmt::print(stderr, "warpgrade serve: check {} at {} failed: {}\n", claimed.id, claimed.lab,
               one_line(outcome.problem));
  }
  const auto cost =
      std::chrono::duration_cast<FairQueue::Cost>(std::chrono::steady_clock::now() - begin);
  {
    const std::lock_guard lock(mutex_);
    learn_cost(claimed, cost);
  }
  record(claimed, outcome);
}

void Jobs::record(const KeptAttempt& claimed, const CheckOutcome& outcome) {
  for (;;) {
    try {
      const std::lock_guard lock(mutex_);
      // Nothing changes if it was canceled meanwhile.
      if (outcome.problem.empty()) {
        store_.finish(claimed, outcome.result);
      } else {
        store_.fail(claimed, outcome.problem);
      }
      end(claimed.id);
      return;
    } catch (const StoreError& e) {
      fmt::print(stderr, "warpgrade serve: {}\n", e.what());
    }
    if (!sleep_unless_stopped()) return;
  }
}

}  // namespace warpgrade
