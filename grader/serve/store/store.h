#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/serve/store/address.h"
#include "grader/serve/store/store_error.h"
#include "harness/core/names.h"

namespace warpgrade {

enum class AttemptKind : std::uint8_t {
  check,
  submission,
  regrade,  // of a student's submissions at a lab, for the staff: nobody else gets to know of it
};
constexpr auto names_of(AttemptKind) {
  return names_up_to<AttemptKind::regrade>("check", "submission", "regrade");
}

enum class AttemptState : std::uint8_t {
  waiting,
  running,
  done,
  failed,  // because of an internal or environment error; there is no result
  canceled,  // by its person
  replaced,  // by a newer check of the same lab, before it ran
};
constexpr auto names_of(AttemptState) {
  return names_up_to<AttemptState::replaced>("waiting", "running", "done", "failed", "canceled",
                                             "replaced");
}

/// How soon an attempt begins.
enum class Urgency : std::uint8_t {
  interactive,  // a check, for which somebody waits
  near_due,  // a submission near its due date
  later,  // any other submission
  batch,  // a regrade
};
constexpr auto names_of(Urgency) {
  return names_up_to<Urgency::batch>("interactive", "near_due", "later", "batch");
}

/// Files by name.
using FileSet = std::map<std::string, std::string>;

/// What a check or submission gave.
struct AttemptResult {
  double score = 0;
  double max_score = 0;
  bool passed = false;
  std::string headline;  // the first sentence
  std::string pitfall = {};  // the page of docs/pitfalls that it names; may be empty
  std::string problems;  // `warpgrade check --format json`
  std::string report;  // `warpgrade check --html`; empty where only a summary was asked for
};

/// A check that has a result, as far as the progress of a class needs it.
struct MadeCheck {
  std::string person;
  std::string lab;
  std::int64_t requested_ms = 0;
  bool complete = false;  // all points
  std::string pitfall;
};

struct KeptAttempt {
  std::int64_t id = 0;
  std::string person;  // whose; empty on a server for one person
  std::string lab;
  AttemptKind kind = AttemptKind::check;
  Urgency urgency = Urgency::interactive;
  AttemptState state = AttemptState::waiting;
  std::int64_t requested_ms = 0;  // since 1970, UTC; all times
  std::int64_t claimed_ms = 0;  // 0: not yet
  std::int64_t finished_ms = 0;
  std::int64_t claim = 0;  // the number of times that it was begun; a result names the last one
  std::string files_hash;  // of names and contents
  std::string message;  // why it failed
  std::int64_t regrade = 0;  // the KeptRegrade that it belongs to; 0: none
  std::optional<AttemptResult> result;  // without pitfall, problems and report
};

enum class RegradeState : std::uint8_t {
  open,  // a preview, while and after its submissions are graded
  applied,  // its grades are the class's
  discarded,
};
constexpr auto names_of(RegradeState) {
  return names_up_to<RegradeState::discarded>("open", "applied", "discarded");
}

/// A regrade of submissions at a lab: one attempt per student, for the submissions before it.
struct KeptRegrade {
  std::int64_t id = 0;
  std::string lab;
  std::string by;  // who began it
  std::int64_t begun_ms = 0;
  RegradeState state = RegradeState::open;
};

/// What waits and runs, for those who watch a server.
struct QueueState {
  struct Count {
    AttemptState state = AttemptState::waiting;
    Urgency urgency = Urgency::interactive;
    std::int64_t attempts = 0;
    std::int64_t oldest_ms = 0;  // when the first one of them was requested
  };
  std::vector<Count> counts;  // those that are not 0
  std::int64_t workers = 0;  // elsewhere
};

/// Everything that `warpgrade serve` keeps, in one database. What a function has returned from is
/// on the disk, but for drafts. Thread-safe. All throw StoreError.
class Store {
 public:
  /// Opens or creates the database, and brings one of an earlier version up to date.
  explicit Store(const DatabaseAddress& address);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  /// A new attempt, waiting. A check replaces the person's waiting checks of the same lab, whose
  /// ids are added to `replaced`.
  [[nodiscard]] KeptAttempt add(const std::string& person, const std::string& lab, AttemptKind kind,
                                Urgency urgency, const FileSet& files,
                                std::vector<std::int64_t>& replaced);

  /// Begins a waiting attempt; nothing if it does not wait.
  [[nodiscard]] std::optional<KeptAttempt> claim(std::int64_t id);
  /// All attempts that wait, in the order of their ids.
  [[nodiscard]] std::vector<KeptAttempt> waiting() const;

  /// A new regrade with one waiting attempt per person, which are added to `attempts`. Nothing, and
  /// nothing changes, while one of this lab is open.
  [[nodiscard]] std::optional<KeptRegrade> begin_regrade(const std::string& lab,
                                                         const std::string& by,
                                                         const std::vector<std::string>& persons,
                                                         std::vector<KeptAttempt>& attempts);
  [[nodiscard]] std::optional<KeptRegrade> open_regrade(const std::string& lab) const;
  /// In the order of their ids.
  [[nodiscard]] std::vector<KeptAttempt> regrade_attempts(std::int64_t regrade) const;
  /// Ends an open regrade, and cancels its attempts that wait or run, whose ids are added to
  /// `canceled`. False if it is not open.
  bool end_regrade(std::int64_t regrade, RegradeState state, std::vector<std::int64_t>& canceled);

  /// Ends an attempt that is running under this claim; false, and nothing changes, if it is not.
  bool finish(const KeptAttempt& claimed, const AttemptResult& result);
  bool fail(const KeptAttempt& claimed, const std::string& message);
  /// A running one needs its claim, a waiting one has none. Only for checks.
  bool cancel(std::int64_t id);

  /// After a start: what an earlier server had begun waits again, and nothing that waits is offered
  /// to workers. What a worker has claimed goes on there.
  /// @returns their number
  std::size_t requeue_running();

  [[nodiscard]] std::optional<KeptAttempt> attempt(std::int64_t id) const;
  /// The person's latest checks and submissions at a lab, the newest first.
  [[nodiscard]] std::vector<KeptAttempt> attempts(const std::string& person, const std::string& lab,
                                                  std::size_t limit) const;
  /// A person's submissions at a lab, in their order: their indices are the numbers of attempts,
  /// from 0.
  [[nodiscard]] std::vector<KeptAttempt> submissions(const std::string& person,
                                                     const std::string& lab) const;
  /// All submissions of a class, in their order.
  [[nodiscard]] std::vector<KeptAttempt> all_submissions() const;
  /// All checks with a result, in their order.
  [[nodiscard]] std::vector<MadeCheck> made_checks() const;
  [[nodiscard]] FileSet files(std::int64_t id) const;
  /// With problems and report.
  [[nodiscard]] std::optional<AttemptResult> result(std::int64_t id) const;
  [[nodiscard]] std::size_t waiting(const std::string& person, AttemptKind kind) const;

  [[nodiscard]] QueueState queue() const;

  struct LabProgress {
    std::size_t attempts = 0;
    std::optional<double> best;  // points
    std::optional<double> submitted;  // points of the best submission
    double max_score = 0;
  };
  /// By lab.
  [[nodiscard]] std::map<std::string, LabProgress> progress(const std::string& person) const;

  /// What stands in a lab's editor. It survives a crash of the server but, until something else is
  /// written, not of the system.
  void save_draft(const std::string& person, const std::string& lab, const FileSet& files);
  [[nodiscard]] FileSet draft(const std::string& person, const std::string& lab) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace warpgrade
