#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "grader/serve/jobs/check_program.h"
#include "grader/serve/jobs/jobs.h"
#include "grader/serve/store/leases.h"
#include "grader/serve/store/store.h"

namespace warpgrade {

/// What a worker does with an attempt.
struct WorkerWork {
  AttemptRunner check;
  /// Grades a submission or a regrade of a class. The grade's files are added to `files`; the
  /// result stays empty. Null on a server for one person, where all attempts are checked.
  std::function<CheckOutcome(const KeptAttempt& attempt, const std::atomic<bool>& stop,
                             FileSet& files)>
      grade;
  /// See WorkerRules.
  std::function<std::string()> rules;
};

/// Claims attempts from a database, some at a time, and brings their results, for a server on
/// another machine or this one.
class Worker {
 public:
  /// @param name   differs between all workers
  /// @param lease  how long others wait for a sign of life before they begin its attempts again
  Worker(Store& store, Leases& leases, std::string name, std::size_t at_once,
         std::chrono::milliseconds lease, WorkerWork work);

  /// Until `stopped` is true; what runs then waits again. Goes on when the database is gone for a
  /// while.
  void run(const std::function<bool()>& stopped);

 private:
  struct Running {
    KeptAttempt attempt;
    std::string step;
    std::string told;  // the step that the database has
    std::chrono::steady_clock::time_point renewed;
    std::atomic<bool>* stop = nullptr;
  };

  void claim_and_work(const std::function<bool()>& stopped);
  [[nodiscard]] bool is_graded(const KeptAttempt& claimed) const {
    return work_.grade && claimed.kind != AttemptKind::check;
  }
  void do_one(const KeptAttempt& claimed, const std::function<bool()>& stopped);
  void deliver(const KeptAttempt& claimed, const CheckOutcome& outcome, const FileSet& files,
               const std::function<bool()>& stopped);
  /// Signs of life, of this worker and of what it runs; stops what is its own no longer.
  void tell();

  Store& store_;
  Leases& leases_;
  std::string name_;
  std::size_t at_once_;
  std::chrono::milliseconds lease_;
  WorkerWork work_;
  std::mutex mutex_;
  std::map<std::int64_t, Running> running_;
  std::chrono::steady_clock::time_point seen_;  // the last sign of life of this worker
  std::atomic<bool> told_of_rules_ = false;
};

}  // namespace warpgrade
