#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "harness/case/case.h"
#include "harness/case/replay.h"

namespace warpgrade {

/// The cases whose work is done again after their own run (harness/case/replay.h), and what came of
/// it. Thread-safe.
class Replays {
 public:
  /// The same case with other inputs; null: its work is not done again.
  using Inputs = std::function<std::shared_ptr<const CaseData>(const CaseData& data)>;

  Replays() = default;
  explicit Replays(Inputs inputs) : inputs_(std::move(inputs)) {}

  [[nodiscard]] std::shared_ptr<const CaseData> inputs_for(const CaseData& data) const {
    return inputs_ ? inputs_(data) : nullptr;
  }
  void set(const std::string& name, CaseReplay replay) {
    const std::lock_guard lock(mutex_);
    by_case_[name] = std::move(replay);
  }
  /// Null where there was none.
  [[nodiscard]] const CaseReplay* find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_case_.find(name);
    return found == by_case_.end() ? nullptr : &found->second;
  }

 private:
  Inputs inputs_;
  mutable std::mutex mutex_;
  std::map<std::string, CaseReplay> by_case_;
};

}  // namespace warpgrade
