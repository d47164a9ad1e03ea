#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/counters/ncu_table.h"
#include "grader/grade_record/grade.h"

namespace warpgrade {

/// What ncu is asked for: the counters that labs' formulas may name, as far as ncu has them, what a
/// roofline needs, and the time.
[[nodiscard]] std::vector<std::string> card_metrics();

/// Launches of one kernel as one: sums over launches, of what is no sum the largest. Grid and block
/// are the last launch's.
[[nodiscard]] std::vector<KernelReport> kernels_of(const std::vector<ProfiledLaunch>& launches);

/// What a roofline asks for, by the names of formulas (harness/lab/counter_names.h).
[[nodiscard]] std::map<std::string, double> work_of(const std::vector<KernelReport>& kernels);

/// Milliseconds on the card, of all kernels.
[[nodiscard]] double milliseconds_of(const std::vector<KernelReport>& kernels);

/// A counter that both the emulator and the card have.
struct ComparedCounter {
  std::string_view name;  // "global_load_sectors"
  std::string_view metric;
  std::string_view meaning;
  double emulator = 0;
  double card = 0;
};

/// A kernel as the emulator and as the card saw it.
struct ComparedKernel {
  std::string name;
  std::uint64_t emulator_launches = 0;  // 0: that kernel is known to one of them only
  std::uint64_t card_launches = 0;
  double modelled_ms = 0;
  double card_ms = 0;
  std::vector<ComparedCounter> counters;  // in the order of formulas; without those that are 0
};

/// The emulator's counters beside the card's, kernel by kernel in the order of the emulator's.
[[nodiscard]] std::vector<ComparedKernel> compare_counts(const std::vector<KernelReport>& emulator,
                                                         const std::vector<KernelReport>& card);

}  // namespace warpgrade
