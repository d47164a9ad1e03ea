#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/serve/store/store.h"

namespace warpgrade {

class Database;

/// A worker without a sign of life for this long is not counted any more.
inline constexpr std::chrono::seconds kWorkerGone{15};
/// An attempt that so many workers have begun and not brought to an end fails: it is more likely
/// that it ends them than that all of them were lost.
inline constexpr std::int64_t kMostClaims = 5;

/// The part of the queue that workers on other machines share with the server. The server offers
/// attempts in the order in which they are to begin; a worker claims the first offered one for the
/// time of its lease, renews that while it works, and what it brings counts under its claim only.
/// Times are those of the database's clock. Thread-safe. All throw StoreError.
class Leases {
 public:
  /// @param address  the Store's
  explicit Leases(const DatabaseAddress& address);
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;
  ~Leases();

  // The server's.

  struct Places {
    std::size_t all = 0;  // attempts that all workers with these rules run at once
    std::size_t of_others = 0;  // of workers with other rules
    std::size_t workers = 0;  // with these rules
  };
  /// Of the workers that are there.
  /// @param rules  see WorkerRules
  [[nodiscard]] Places places(const std::string& rules);
  /// Offers a waiting attempt after those that were offered before. False if it does not wait.
  bool offer(std::int64_t attempt, std::int64_t turn, const std::string& rules);
  /// The rules have changed: what is still to be claimed is offered with the new ones.
  void offer_with(const std::string& rules);
  /// What is still to be claimed is not offered any more. @returns the attempts
  std::vector<KeptAttempt> withdraw();

  struct Offered {
    std::int64_t id = 0;
    bool running = false;
    std::string step;
    bool handed_over = false;
  };
  /// Which wait or run, in the order in which they are to be claimed.
  [[nodiscard]] std::vector<Offered> offered();

  struct Reaped {
    std::vector<std::int64_t> waiting;  // they wait again, and are the first
    std::vector<std::int64_t> failed;  // because of kMostClaims
  };
  /// Ends claims whose lease has expired.
  Reaped reap();

  /// What a worker has handed over for an attempt.
  [[nodiscard]] FileSet handed_over(std::int64_t attempt);

  // A worker's.

  /// A sign of life.
  void alive(const std::string& worker, std::size_t at_once, const std::string& rules);
  /// It ends.
  void gone(const std::string& worker);
  /// Claims the first offered attempt with these rules; nothing if there is none.
  [[nodiscard]] std::optional<KeptAttempt> claim(const std::string& worker,
                                                 const std::string& rules,
                                                 std::chrono::milliseconds lease);
  /// Whether attempts are offered to workers with other rules only.
  [[nodiscard]] bool only_for_others(const std::string& rules);
  /// False if the claim has ended: it expired, or the attempt was canceled.
  bool renew(const KeptAttempt& claimed, const std::string& step, std::chrono::milliseconds lease);
  /// Gives the grade's files to the server, which ends the attempt. False if the claim has ended.
  bool hand_over(const KeptAttempt& claimed, const FileSet& files);
  /// Lets the attempt wait again, if the claim has not ended.
  void give_back(const KeptAttempt& claimed);

 private:
  std::mutex mutex_;
  std::unique_ptr<Database> database_;
};

}  // namespace warpgrade
