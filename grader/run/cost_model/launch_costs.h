#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "emulator/counters/cost.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// All launches of one run as inputs of the cost model. Change a copy to evaluate a what-if.
class LaunchCosts {
 public:
  /// Launches of one kernel and one shape.
  struct Group {
    std::size_t kernel = 0;  // index into the report's kernels
    warpsim::CostInputs inputs;
  };

  /// @return nothing for a card unknown to the emulator, or a report without launches
  [[nodiscard]] static std::optional<LaunchCosts> of(const EmulatorReport& report);

  /// Modelled time of all launches; before any change it equals the report's, up to rounding.
  [[nodiscard]] double ms() const;
  [[nodiscard]] const warpsim::Card& card() const { return *card_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] std::vector<Group>& groups() { return groups_; }
  /// A factor for the times of single groups: launches of one shape are assumed to be equal, which
  /// is slightly wrong if their work depends on data.
  [[nodiscard]] double scale() const { return scale_; }

  [[nodiscard]] warpsim::CostInputs sum(std::size_t kernel) const;
  [[nodiscard]] warpsim::CostInputs sum() const;

  /// Replaces part of a kernel's counts, distributed over its groups in proportion to the old
  /// counts; a count that was 0 is distributed like the instructions.
  void replace(std::size_t kernel, const warpsim::CostInputs& before,
               const warpsim::CostInputs& after);

 private:
  const warpsim::Card* card_ = nullptr;
  std::vector<Group> groups_;
  double scale_ = 1;
};

}  // namespace warpgrade
