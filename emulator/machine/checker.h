#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "emulator/machine/launch.h"
#include "emulator/machine/observer.h"

// What the machine asks of a checker of device code, and the list of them. The machine declares
// both; checkers/list.cpp has the list, so that the machine knows no checker.

namespace warpsim {

struct LaunchState;

/// A checker, for as long as the machine lives.
class Checker {
 public:
  Checker() = default;
  virtual ~Checker() = default;
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  /// A launch is about to run. @returns the observer of its accesses, or null
  [[nodiscard]] virtual AccessObserver* begin(LaunchState& launch) = 0;
  /// Whether the launch has to run on one host thread.
  [[nodiscard]] virtual bool needs_one_thread(const LaunchState& launch) const = 0;
  /// All blocks have ended.
  virtual void end(LaunchState& launch) = 0;

  /// A copy reads device memory, [begin, end).
  virtual void read_by_copy(std::uint64_t begin, std::uint64_t end);
  /// The program ends, and nothing will be read any more: logs what only that tells.
  virtual void finish(FindingLog& findings);
};

/// A row of the list.
struct CheckerEntry {
  std::string_view name;  // of `--check`
  /// What switches it on; null: only its name does, which `all` does not stand for.
  bool CheckOptions::*option = nullptr;
  std::unique_ptr<Checker> (*make)() = nullptr;
};

/// Their observers are called in this order.
[[nodiscard]] std::span<const CheckerEntry> all_checkers();
/// Whether the options switch on an entry of the list.
[[nodiscard]] bool is_on(const CheckOptions& options, const CheckerEntry& entry);

}  // namespace warpsim
