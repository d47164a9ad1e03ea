#include <fmt/core.h>

#include <algorithm>

#include "grader/judge/diagnose/lab_clue.h"
#include "grader/judge/diagnose/rules.h"
#include "grader/judge/speed/speed.h"
#include "grader/record/counters/formula.h"
#include "harness/core/plural.h"
#include "harness/lab/counter_names.h"

namespace warpgrade::rules {
namespace {

using warpsim::FindingKind;

/// P19: the loop's stride is one block, so every block repeats the work of others and the work
/// grows with the number of blocks. A loop over a block's own chunk has the same stride without the
/// excess.
bool steps_by_one_block(const Clues& clues) {
  // In CUDA C++ and with Numba: "i += cuda.blockDim.x", "range(cuda.grid(1), n, cuda.blockDim.x)".
  constexpr const char* kStep =
      R"((\+=|(step|stride)\s*=|range\s*\(.*,)\s*(cuda\s*\.\s*)?blockDim\s*\.\s*x\s*([;)]|$))";
  if (!clues.source_matches(kStep)) {
    return false;
  }
  const Evidence& evidence = clues.evidence();
  const CaseOutcome* c = evidence.find_case(evidence.lab->performance_case);
  const auto reference = evidence.references.find(evidence.lab->performance_case);
  if (c == nullptr || !c->emulator || reference == evidence.references.end()) {
    return true;
  }
  constexpr double kShareOfBlocks = 0.1;
  constexpr double kLeastExcess = 3;
  const std::vector<KernelReport>& kernels = c->emulator->kernels;
  const auto own = [&](const char* name) { return counter_value(*find_counter(name), kernels); };
  const auto needed = reference->second.counters.find("global_load_sectors");
  if (needed == reference->second.counters.end() || !(needed->second > 0)) {
    return true;
  }
  return own("global_load_sectors") / needed->second >
         std::max(kLeastExcess, kShareOfBlocks * own("max_launch_blocks"));
}

/// " 1.9 times faster if ...", if the cost model predicts a gain for the pitfall; otherwise empty.
std::string gain_by_pitfall(const Evidence& evidence, const std::string& pitfall) {
  const std::optional<SpeedReport> speed = speed_of(evidence);
  for (const WhatIf& gain : speed ? speed->what_if : std::vector<WhatIf>()) {
    if (!pitfall.empty() && gain.pitfall == pitfall) {
      return fmt::format(" {}.", gain_words(gain));
    }
  }
  return {};
}

}  // namespace

Result clue_on_cost(const Clues& clues) {
  if (!clues.falls_short(Category::concept_check) && !clues.falls_short(Category::performance)) {
    return std::nullopt;
  }
  return clues.any_failure() ? std::nullopt
                             : find_lab_clue(clues, [](const Clue&) { return true; });
}

/// P71: a single block, or a single thread, for the lab's large case.
Result idle_device(const Clues& clues) {
  const Evidence& evidence = clues.evidence();
  const CaseOutcome* c = evidence.find_case(evidence.lab->performance_case);
  const bool falls_short =
      std::any_of(clues.items().begin(), clues.items().end(), [](const Item& item) {
        return item.category == Category::performance && item.status != ItemStatus::passed;
      });
  if (c == nullptr || !c->emulator || c->emulator->kernels.empty() || !falls_short) {
    return std::nullopt;
  }
  // The grid is that of the last launch only; a tree ends with one block, however it began.
  const std::vector<KernelReport>& kernels = c->emulator->kernels;
  const auto count = [&](const char* name) { return counter_value(*find_counter(name), kernels); };
  if (count("blocks") > count("launches")) {
    return std::nullopt;
  }
  const double threads = count("block_threads");
  return Diagnosis{
      fmt::format("Correct, but one block of {:.0f} {} does all the work of case \"{}\", and the "
                  "rest of the device is idle.",
                  threads, noun(threads, "thread"), c->report.name),
      "P71"};
}

Result does_too_much(const Clues& clues) {
  for (const Item& item : clues.items()) {
    if (item.category != Category::concept_check || item.status != ItemStatus::failed) {
      continue;
    }
    if (item.pitfall == "P75" && steps_by_one_block(clues)) {
      return Diagnosis{
          fmt::format("The loop's stride is one block instead of the whole grid: {}", item.message),
          "P19"};
    }
    return Diagnosis{fmt::format("Correct. Still to do: \"{}\". {}{}", item.title, item.message,
                                 gain_by_pitfall(clues.evidence(), item.pitfall)),
                     item.pitfall};
  }
  return std::nullopt;
}

Result slow(const Clues& clues) {
  for (const Item& item : clues.items()) {
    const bool short_of = item.status == ItemStatus::failed || item.status == ItemStatus::partial;
    if (item.category == Category::performance && short_of) {
      const std::optional<SpeedReport> speed = speed_of(clues.evidence());
      if (speed && !speed->what_if.empty()) {
        const WhatIf& gain = speed->what_if.front();
        return Diagnosis{
            fmt::format("Correct; now make it faster: {}. {}", gain_words(gain), item.message),
            gain.pitfall.empty() ? item.pitfall : gain.pitfall};
      }
      return Diagnosis{fmt::format("Correct; now make it faster. {}", item.message), item.pitfall};
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade::rules
