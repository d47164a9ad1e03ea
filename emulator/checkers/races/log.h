#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/races/epoch.h"
#include "emulator/checkers/races/line_run.h"

namespace warpsim {

/// Two blocks write to one place in pieces of different shapes, whose hashes cannot be compared.
/// Where memory has, when the kernel ends, what both pieces wrote, the values are equal.
struct OpenConflict {
  Conflict conflict;
  LineRun first, second;
  std::uint64_t line_address = 0;
};

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
  /// One of which the end of the kernel decides whether the values are equal. Beyond so many they
  /// count as different.
  void add_open(const OpenConflict& open) {
    constexpr std::size_t kMostOpen = 1 << 14;
    if (open_.size() < kMostOpen) {
      open_.push_back(open);
    } else {
      add(open.conflict);
    }
  }
  [[nodiscard]] const std::vector<OpenConflict>& open() const { return open_; }
  /// Decides those: equal where memory has what all of a line's wrote. Of two that differ it has
  /// one, and which depends on the host's threads; so one that differs decides for its line.
  /// @param written  whether memory has it: bool(const LineRun&, std::uint64_t line_address)
  template <class F>
  void decide(F written) {
    std::unordered_map<std::uint64_t, bool> equal;  // by line
    for (const OpenConflict& open : open_) {
      bool& all = equal.try_emplace(open.line_address, true).first->second;
      all =
          all && written(open.first, open.line_address) && written(open.second, open.line_address);
    }
    for (OpenConflict& open : std::exchange(open_, {})) {
      open.conflict.same_value = equal.at(open.line_address);
      add(open.conflict);
    }
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
  [[nodiscard]] bool empty() const { return entries_.empty() && open_.empty() && trusted_.empty(); }
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
  std::vector<OpenConflict> open_;
  std::vector<std::uint32_t> trusted_;  // sites
  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::uint64_t last_key_ = 0;  // of the conflict that was added last, where there is one
  std::size_t last_ = 0;
};

}  // namespace warpsim
