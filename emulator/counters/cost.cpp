#include "emulator/counters/cost.h"

#include <algorithm>

namespace warpsim {
namespace {

constexpr double kLaunchSeconds = 2.5e-6;
constexpr double kSectorBytes = 32;
constexpr double kIssuePerSmPerCycle = 4;  // one warp instruction a scheduler, four schedulers
constexpr double kWavefrontsPerCycle = 1;  // shared memory, a multiprocessor
constexpr double kSectorsPerCycle = 4;  // first-level cache, a multiprocessor
constexpr double kAtomicsPerCycle = 1;  // same-address updates, a slice of the second level

std::size_t at(AccessKind kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace

double modelled_milliseconds(const KernelCounters& launch, const Card& card) {
  const double clock = card.clock_khz * 1e3;
  const auto sum = [&](std::initializer_list<AccessKind> kinds, auto member) {
    double total = 0;
    for (const AccessKind kind : kinds)
      total += static_cast<double>(launch.by_kind[at(kind)].*member);
    return total;
  };
  using enum AccessKind;
  const double blocks = static_cast<double>(launch.blocks) / static_cast<double>(launch.launches);
  // A grid of few blocks leaves multiprocessors idle.
  const double busy = std::clamp(blocks, 1.0, static_cast<double>(card.multiprocessors));
  const double sectors = sum({global_load, global_store, global_atomic, global_reduction,
                              local_load, local_store, global_to_shared, bulk_copy},
                             &Counts::sectors);
  const double share = std::min(1.0, busy * 4 / card.multiprocessors);
  const double memory = sectors * kSectorBytes / (card.memory_bandwidth * share);
  const double issue = static_cast<double>(launch.executed) / (busy * kIssuePerSmPerCycle * clock);
  const double first_level = sectors / (busy * kSectorsPerCycle * clock);
  const double shared =
      sum({shared_load, shared_store, shared_atomic, global_to_shared}, &Counts::wavefronts) /
      (busy * kWavefrontsPerCycle * clock);
  const double atomics = sum({global_atomic, global_reduction}, &Counts::max_multiplicity) /
                         (kAtomicsPerCycle * 32 * clock);
  const double bound = std::max({memory, issue, first_level, shared, atomics});
  // The parts overlap only in part.
  const double rest = memory + issue + first_level + shared + atomics - bound;
  return 1e3 * (kLaunchSeconds + bound + 0.1 * rest);
}

}  // namespace warpsim
