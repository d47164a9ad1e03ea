#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/races/epoch.h"

namespace warpsim {

/// Conflicts of a block or a launch, one entry for each pair of instructions and what makes their
/// texts differ: the one in the lowest block, and how many there were.
class ConflictLog {
 public:
  struct Entry {
    Conflict conflict;
    std::uint64_t count = 0;
  };
  void add(const Conflict& conflict, std::uint64_t count = 1) {
    // Most follow one like themselves, of the next lane or the next turn of a loop.
    const std::uint64_t key = key_of(conflict);
    if (entries_.empty() || key != last_key_) {
      const auto [slot, is_new] = places_.try_emplace(key, entries_.size());
      if (is_new) entries_.push_back({conflict, 0});
      last_key_ = key;
      last_ = slot->second;
    }
    Entry& entry = entries_[last_];
    entry.count += count;
    if (conflict.second_block < entry.conflict.second_block) entry.conflict = conflict;
  }
  /// A read whose thread goes on to update the same place by an operation that would notice or
  /// overrule an old value, as in a loop around atomicCAS: it may meet atomics.
  void trust(std::uint32_t site) {
    if (std::ranges::find(trusted_, site) == trusted_.end()) trusted_.push_back(site);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& trusted() const { return trusted_; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  /// The last one that was new; there is one.
  [[nodiscard]] const Entry& latest() const { return entries_.back(); }
  /// In the order in which they were found.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty() && trusted_.empty(); }
  /// Hands over what was found.
  std::vector<Entry> take() {
    places_.clear();
    trusted_.clear();
    return std::exchange(entries_, {});
  }

 private:
  static std::uint64_t key_of(const Conflict& conflict) {
    const bool one_block = conflict.first_block == conflict.second_block;
    const bool one_warp = one_block && conflict.first.warp() == conflict.second.warp();
    return std::uint64_t{conflict.first.site()} << 42 |
           std::uint64_t{conflict.second.site()} << 24 | std::uint64_t{conflict.after_read} << 17 |
           static_cast<std::uint64_t>(conflict.meeting) << 15 |
           std::uint64_t{conflict.first.traits()} << 10 | conflict.second.traits() << 5 |
           std::uint64_t{conflict.shared} << 4 | std::uint64_t{conflict.same_value} << 3 |
           std::uint64_t{conflict.one_instruction} << 2 | std::uint64_t{one_block} << 1 |
           std::uint64_t{one_warp};
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> trusted_;  // sites
  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::uint64_t last_key_ = 0;  // of the conflict that was added last, where there is one
  std::size_t last_ = 0;
};

}  // namespace warpsim
