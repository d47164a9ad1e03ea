#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "grader/serve/http/message.h"
#include "grader/serve/jobs/check_program.h"
#include "grader/serve/jobs/fair_queue.h"
#include "grader/serve/store/leases.h"
#include "grader/serve/store/store.h"

namespace warpgrade {

/// Checks or grades an attempt, in processes of their own; on_step gets "case 3 of 12".
using AttemptRunner = std::function<CheckOutcome(
    const KeptAttempt& attempt, const std::function<void(const std::string&)>& on_step,
    const std::atomic<bool>& stop)>;

/// What lets workers on other machines take part.
struct Sharing {
  Leases& leases;
  /// What a worker needs to have the same of: see WorkerRules.
  std::function<std::string()> rules;
  /// Makes what a worker has handed over for an attempt the class's.
  std::function<CheckOutcome(const KeptAttempt& attempt, const FileSet& files)> take_over;
};

/// Runs the attempts of a store, some at a time, and tells who watches them. Thread-safe.
class Jobs {
 public:
  /// Begins with what an earlier server has left.
  /// @param at_once  checks that run at the same time here; 0: none
  /// @param epoch    differs between runs of the server
  /// @param sharing  nothing: all of them run here
  Jobs(Store& store, AttemptRunner runner, std::size_t at_once, std::string epoch,
       std::optional<Sharing> sharing = std::nullopt);
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;
  /// Stops what runs; it begins again with the next Jobs of this store.
  ~Jobs();

  /// Returns when the attempt is on the disk.
  /// @throws StoreError
  KeptAttempt add(const std::string& person, const std::string& lab, AttemptKind kind,
                  Urgency urgency, const FileSet& files);

  /// Begins a regrade with one attempt per person; nothing while one of this lab is open.
  /// @throws StoreError
  std::optional<KeptRegrade> begin_regrade(const std::string& lab, const std::string& by,
                                           const std::vector<std::string>& persons);
  /// Ends an open regrade; its attempts that wait or run are canceled. False if it is not open.
  bool end_regrade(std::int64_t regrade, RegradeState state);

  /// False if it has ended, or is a submission, which is always graded.
  bool cancel(std::int64_t id);

  /// What happens to an attempt: events `queued`, `step` and at last `end`, each with a JSON
  /// object. Null if there is no such attempt.
  [[nodiscard]] std::shared_ptr<EventLog> events(std::int64_t id);

 private:
  struct Live {
    std::shared_ptr<EventLog> log;
    std::shared_ptr<std::atomic<bool>> stop = std::make_shared<std::atomic<bool>>(false);
    std::optional<std::size_t> before;  // how many begin before it, as who watches knows
  };

  void enqueue(const KeptAttempt& attempt);  // under mutex_
  [[nodiscard]] std::optional<KeptAttempt> claim_next();  // under mutex_
  void work();
  void run(const KeptAttempt& claimed, const Live& watched);
  /// Writes what came of it; waits for as long as the disk is full.
  void record(const KeptAttempt& claimed, const CheckOutcome& outcome);
  Live& live(std::int64_t id);  // under mutex_
  void end(std::int64_t id);  // under mutex_
  void tell_positions();  // under mutex_
  void tell_step(std::int64_t id, const std::string& step);  // under mutex_
  void learn_cost(const KeptAttempt& attempt, FairQueue::Cost cost);  // under mutex_

  // With workers elsewhere, in jobs_shared.cpp.
  void share();
  /// @return whether there is something to follow
  bool share_once();
  void follow_offered(const std::vector<Leases::Offered>& offered);  // under mutex_
  void offer_more(const Leases::Places& places, const std::string& rules);  // under mutex_
  void take_over(std::int64_t id);
  [[nodiscard]] bool sleep_unless_stopped();

  Store& store_;
  AttemptRunner runner_;
  std::string epoch_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::map<std::int64_t, Live> live_;  // waiting and running
  FairQueue queue_;  // what waits
  /// How long an attempt at a lab takes, by the latest ones.
  std::map<std::string, FairQueue::Cost> costs_;

  /// An attempt that is offered to workers elsewhere, or runs there.
  struct Elsewhere {
    bool running = false;
    std::string step;
  };
  std::optional<Sharing> sharing_;
  std::condition_variable wake_sharing_;
  std::map<std::int64_t, Elsewhere> elsewhere_;
  std::vector<std::int64_t> offered_;  // of these, what waits, in its order
  std::int64_t turn_ = 0;  // of the last one that was offered
  bool told_of_others_ = false;  // that workers have other rules

  std::vector<std::jthread> workers_;
};

/// An attempt as the pages' scripts get it.
[[nodiscard]] std::string attempt_json(const KeptAttempt& attempt);

}  // namespace warpgrade
