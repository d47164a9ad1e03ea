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

/// What waits, in the order in which it begins: by urgency, and among the same urgency by deficit
/// round robin over persons (Shreedhar and Varghese, SIGCOMM 1995), so that each person who waits
/// gets the same time, however much each has put in. The attempts of one person and urgency keep
/// their order. Not thread-safe.
class FairQueue {
 public:
  using Cost = std::chrono::milliseconds;

  struct Entry {
    std::int64_t id = 0;
    std::string person;
    Urgency urgency = Urgency::interactive;
    Cost cost{0};  // how long it is expected to run; at most kMostCost counts
  };

  /// What each person gets per round.
  static constexpr Cost kQuantum{1000};
  static constexpr Cost kMostCost{60'000};

  void add(Entry entry);
  /// False if it does not wait.
  bool remove(std::int64_t id);
  /// What begins next; the same until it is taken, removed, or something more urgent comes.
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
  };
  /// Its first person's share covers the first entry after this.
  static void advance(Round& round);
  static void erase_first(Round& round);

  std::array<Round, names_of(Urgency()).size()> rounds_;  // by urgency
};

}  // namespace warpgrade
