#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "emulator/counters/cost.h"
#include "grader/counters/emulator_report.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// All launches of one run as the cost model takes them. A copy can be changed and asked for its
/// time: what would be if.
class LaunchCosts {
 public:
  /// Launches of one kernel and one shape.
  struct Group {
    std::size_t kernel = 0;  // index into the report's kernels
    warpsim::CostInputs inputs;
  };

  /// @return nothing for a card that the emulator does not have, or a report without launches
  [[nodiscard]] static std::optional<LaunchCosts> of(const EmulatorReport& report);

  /// Modelled time of all launches; before any change it is the report's own, to the last digit
  /// but rounding.
  [[nodiscard]] double ms() const;
  [[nodiscard]] const warpsim::Card& card() const { return *card_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] std::vector<Group>& groups() { return groups_; }
  /// What times of single groups are multiplied with: launches of one shape are taken as alike,
  /// which is off by a trifle where data decide what they do.
  [[nodiscard]] double scale() const { return scale_; }

  [[nodiscard]] warpsim::CostInputs sum(std::size_t kernel) const;
  [[nodiscard]] warpsim::CostInputs sum() const;

  /// Replaces one part of a kernel's counts: each group has the share of a count that it has of the
  /// kernel's; a count that is new goes with the instructions.
  void replace(std::size_t kernel, const warpsim::CostInputs& before,
               const warpsim::CostInputs& after);

 private:
  const warpsim::Card* card_ = nullptr;
  std::vector<Group> groups_;
  double scale_ = 1;
};

}  // namespace warpgrade
