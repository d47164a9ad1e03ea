#include "emulator/counters/cost.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace warpsim {
namespace {

using enum AccessKind;

constexpr double kSectorBytes = 32;
constexpr double kWarp = 32;

// What a launch and a block cost before their first instruction.
constexpr double kLaunchSeconds = 2.5e-6;
constexpr double kBlockCycles = 100;

// Rates of a multiprocessor, a cycle: the same for all architectures of the table.
constexpr double kIssue = 4;  // warp instructions, one a scheduler
constexpr double kDataPasses = 1;  // 128 bytes between L1 or shared memory and registers
constexpr double kSectorsAPass = 4;
constexpr double kPassesARequest = 2;  // global memory, at least: 64-bit addresses and tags
constexpr double kSpecialLanes = 16;
constexpr double kSpecialIssue = 8;  // instructions of the sequence that PTX's div or sqrt becomes
constexpr double kL2BytesAProcessor = 64;
constexpr double kSliceBytes = 64;  // a cycle, of one slice of the second level
constexpr double kAtomicsASlice = 1;
/// Passes of a shared atomic over its banks: read, change, write. Measured on an H200.
constexpr double kSharedAtomicPass = 2.5;
/// Cycles of a multiprocessor for a match of all lanes with all. Measured on an H200.
constexpr double kMatchCycles = 58;
/// Cycles of a multiprocessor for a sector that a store fills only in part. Measured on an H200.
constexpr double kPartialStore = 4;

// Cycles that a warp waits for a result, after the published microbenchmarks of Volta to Hopper.
constexpr double kInstructionLatency = 4;
constexpr double kSharedLatency = 25;
constexpr double kL1Latency = 33;
constexpr double kL2Latency = 220;
constexpr double kDramLatency = 500;
constexpr double kBarrierLatency = 30;
/// Loads of a warp that are on their way at the same time.
constexpr double kLoadsInFlight = 2;
/// Share of the shorter terms that the longest does not hide.
constexpr double kNotHidden = 0.1;

double sum(const Totals& totals, std::initializer_list<AccessKind> kinds,
           std::uint64_t Counts::*member) {
  double total = 0;
  for (const AccessKind kind : kinds) total += static_cast<double>(totals[kind].*member);
  return total;
}

double warps(const Totals& totals, std::initializer_list<Arithmetic> which) {
  double total = 0;
  for (const Arithmetic a : which) {
    total += static_cast<double>(totals.arithmetic_warps[static_cast<std::size_t>(a)]);
  }
  return total;
}

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

std::uint64_t at(const std::array<std::uint64_t, kL2Kinds>& values, L2Kind kind) {
  return values[static_cast<std::size_t>(kind)];
}

/// Traffic beyond the first level; without the cache model, everything misses.
CacheTotals traffic_of(const KernelCounters& launch) {
  if (launch.caches.all_sectors() != 0) return launch.caches;
  const auto sectors = [&](std::initializer_list<AccessKind> kinds) {
    return static_cast<std::uint64_t>(sum(launch.totals, kinds, &Counts::sectors));
  };
  CacheTotals all;
  all.sectors = {sectors({global_load, local_load, texture_load}),
                 sectors({global_store, local_store}), sectors({global_atomic}),
                 sectors({global_reduction})};
  all.dirty_at_end = all.all_sectors() - at(all.sectors, L2Kind::read);
  all.dram_reads = all.all_sectors() - at(all.sectors, L2Kind::write);
  return all;
}

/// Cycles that the busiest multiprocessor would need if it only waited for results.
double latency_cycles(const KernelCounters& launch, const CacheTotals& traffic, double share,
                      double active_warps) {
  const Totals& t = launch.totals;
  const double l1_hit_rate =
      ratio(sum(t, {global_load, local_load, texture_load}, &Counts::l1_hits),
            sum(t, {global_load, local_load, texture_load}, &Counts::sectors));
  const double l2_hit_rate = ratio(static_cast<double>(at(traffic.hits, L2Kind::read)),
                                   static_cast<double>(at(traffic.sectors, L2Kind::read)));
  const double beyond_l1 = l2_hit_rate * kL2Latency + (1 - l2_hit_rate) * kDramLatency;
  const double load = l1_hit_rate * kL1Latency + (1 - l1_hit_rate) * beyond_l1;
  const double loads = sum(t, {global_load, local_load, texture_load}, &Counts::requests);
  const double shared = sum(t, {shared_load, shared_atomic}, &Counts::requests);
  const double atomics = sum(t, {global_atomic}, &Counts::requests);
  const double waited = static_cast<double>(t.executed) * kInstructionLatency +
                        (loads * load + shared * kSharedLatency) / kLoadsInFlight +
                        atomics * kL2Latency + static_cast<double>(t.barriers) * kBarrierLatency;
  return waited * share / active_warps;
}

}  // namespace

std::vector<CostTerm> cost_terms(const KernelCounters& launch, const Card& card) {
  const Totals& t = launch.totals;
  const double clock = card.clock_khz * 1e3;
  const double blocks = static_cast<double>(launch.blocks);
  // Whole blocks are dealt out: the part of the work that the busiest multiprocessor gets.
  const std::uint64_t full_rounds =
      (launch.blocks - 1) / static_cast<std::uint64_t>(card.multiprocessors);
  const double rounds = std::max(1.0, static_cast<double>(full_rounds + 1));
  const double share = rounds / blocks;
  const double resident = std::min(rounds, std::max(1.0, double(launch.blocks_per_multiprocessor)));
  const double active_warps = std::max(1.0, resident * static_cast<double>(launch.warps) / blocks);
  const CacheTotals traffic = traffic_of(launch);
  const auto l2_sectors = static_cast<double>(traffic.all_sectors());
  const auto atomic_sectors = static_cast<double>(at(traffic.sectors, L2Kind::atomic) +
                                                  at(traffic.sectors, L2Kind::reduction));
  const auto dram_sectors =
      static_cast<double>(traffic.dram_reads + traffic.dram_writes + traffic.dirty_at_end);

  // A request takes two passes at least, and one for every four sectors.
  const auto global = [&](std::uint64_t Counts::*member) {
    return sum(t,
               {global_load, global_store, global_atomic, global_reduction, local_load, local_store,
                global_to_shared, texture_load},
               member);
  };
  const double global_passes = std::max(kPassesARequest * global(&Counts::requests),
                                        global(&Counts::sectors) / kSectorsAPass);
  const double partial_stores =
      sum(t, {global_store}, &Counts::sectors) - sum(t, {global_store}, &Counts::ideal_sectors);
  const double passes = global_passes + kPartialStore * std::max(0.0, partial_stores) +
                        sum(t, {shared_load, shared_store, global_to_shared}, &Counts::wavefronts) +
                        kSharedAtomicPass * sum(t, {shared_atomic}, &Counts::wavefronts);
  const auto special = static_cast<double>(t.special);
  using enum Arithmetic;
  const double single = warps(t, {fadd, fmul, ffma, fother}) * kWarp / card.fp32_lanes_per_sm;
  const double dual = warps(t, {dadd, dmul, dfma, dother}) * kWarp / card.fp64_lanes_per_sm;
  const double half = warps(t, {hadd, hmul, hfma, hother}) * kWarp * 2 / card.fp16_per_clock;
  const double matrix = static_cast<double>(t.matrix_work) / card.tensor_flops_per_clock;
  const double slices = std::max(1.0, card.l2_bandwidth / (kSliceBytes * clock));
  const double a_processor = share / clock;  // cycles of all multiprocessors to seconds of one

  return {
      {"issue slots",
       (static_cast<double>(t.executed) + special * (kSpecialIssue - 1)) / kIssue * a_processor},
      {"f32 pipe", single * a_processor},
      {"f64 pipe", dual * a_processor},
      {"f16 pipe", half * a_processor},
      {"tensor pipe", matrix * a_processor},
      {"special functions", special * kWarp / kSpecialLanes * a_processor},
      {"matches", static_cast<double>(t.matches) * kMatchCycles * a_processor},
      {"L1 and shared memory", passes / kDataPasses * a_processor},
      {"L2", std::max(l2_sectors * kSectorBytes / card.l2_bandwidth,
                      l2_sectors * kSectorBytes / kL2BytesAProcessor * a_processor)},
      {"DRAM", dram_sectors * kSectorBytes / card.memory_bandwidth},
      {"atomics", std::max(static_cast<double>(launch.hottest_kibibyte) / clock,
                           atomic_sectors / (kAtomicsASlice * slices * clock))},
      {"latency", latency_cycles(launch, traffic, share, active_warps) / clock},
      {"blocks", rounds / resident * kBlockCycles / clock},
  };
}

double modelled_milliseconds(const KernelCounters& launch, const Card& card) {
  double longest = 0;
  double all = 0;
  for (const CostTerm& term : cost_terms(launch, card)) {
    longest = std::max(longest, term.seconds);
    all += term.seconds;
  }
  return 1e3 * (kLaunchSeconds + longest + kNotHidden * (all - longest));
}

}  // namespace warpsim
