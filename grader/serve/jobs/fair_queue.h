#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/serve/store/store.h"

namespace warpgrade {

/// What waits, in the order in which it begins: by urgency, but so that each urgency gets a share
/// of the time while it waits (kShares), and among the same urgency by deficit round robin over
/// persons (Shreedhar and Varghese, SIGCOMM 1995), so that each person who waits gets the same
/// time, however much each has put in. The attempts of one person and urgency keep their order.
/// Time is that of the expected costs. Not thread-safe.
class FairQueue {
 public:
  using Cost = std::chrono::milliseconds;

  struct Entry {
    std::int64_t id = 0;
    std::string person;
    Urgency urgency = Urgency::interactive;
    Cost cost{0};  // how long it is expected to run, as long as nothing is known of its work
    std::string work = {};  // attempts of a kind at a lab, which take the same time; may be empty
  };

  /// What each person gets per round.
  static constexpr Cost kQuantum{1000};
  static constexpr Cost kMostCost{60'000};
  /// Of the time that attempts take while this urgency waits, at least one part in so many goes to
  /// it, whatever more urgent waits; 0: none but what more urgent leaves. The most urgent gets the
  /// rest, 9 parts of 16.
  static constexpr std::array<std::int64_t, names_of(Urgency()).size()> kShares = {0, 4, 8, 16};

  void add(Entry entry);
  /// How long this work is expected to run, whenever it was added; at most kMostCost counts. If
  /// entries kept the costs of their time, later ones with lower costs would begin before them.
  void set_cost(const std::string& work, Cost cost) { costs_[work] = cost; }
  /// False if it does not wait.
  bool remove(std::int64_t id);
  /// What begins next; the same until it is taken, removed, or something else comes.
  [[nodiscard]] std::optional<std::int64_t> front();
  /// Takes front() out, as it begins.
  void take();
  /// Everything that waits, in the order in which it would begin.
  [[nodiscard]] std::vector<std::int64_t> order() const;

 private:
  struct Share {
    std::deque<Entry> entries;  // never empty
    Cost deficit{0};  // what the person may still use in this round
  };
  /// The persons who wait with one urgency.
  struct Round {
    std::deque<std::string> persons;  // the first one is served
    std::map<std::string, Share> shares;  // of these persons
    /// What its share of the time is worth since it waits, less what it has used: enough for its
    /// next entry lets that begin before what is more urgent.
    Cost credit{0};

    [[nodiscard]] const Entry& front() const;
  };
  [[nodiscard]] Cost cost_of(const Entry& entry) const;
  /// Its first person's share covers the first entry after this.
  void advance(Round& round) const;
  /// The round whose first entry is the next one; null if nothing waits.
  [[nodiscard]] Round* next();

  std::map<std::string, Cost> costs_;  // by work
  std::array<Round, names_of(Urgency()).size()> rounds_;  // by urgency
};

}  // namespace warpgrade
