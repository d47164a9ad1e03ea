#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/record/counters/ncu_table.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The metrics requested from ncu: those of labs' formulas, as far as ncu has them, those of a
/// roofline, and the time.
[[nodiscard]] std::vector<std::string> card_metrics();

/// Merges the launches of each kernel: sums, and the maximum of metrics that cannot be summed. Grid
/// and block are the last launch's.
[[nodiscard]] std::vector<KernelReport> kernels_of(const std::vector<ProfiledLaunch>& launches);

/// The counters of a roofline, by their names in formulas (harness/lab/counter_names.h).
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

/// A kernel's counters from the emulator and from the card.
struct ComparedKernel {
  std::string name;
  std::uint64_t emulator_launches = 0;  // 0: only the card ran that kernel
  std::uint64_t card_launches = 0;
  double modelled_ms = 0;
  double card_ms = 0;
  std::vector<ComparedCounter> counters;  // in the order of formulas; without those that are 0
};

/// The emulator's counters beside the card's, kernel by kernel in the order of the emulator's.
[[nodiscard]] std::vector<ComparedKernel> compare_counts(const std::vector<KernelReport>& emulator,
                                                         const std::vector<KernelReport>& card);

}  // namespace warpgrade
