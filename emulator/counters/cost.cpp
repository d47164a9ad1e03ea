#include "emulator/counters/cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "emulator/counters/atomic_heat.h"
#include "emulator/counters/cache.h"

namespace warpsim {
namespace {

constexpr double kWarp = 32;

// Constants marked so are fitted to an H100's times of the families of kernels in
// emulator/tests/counters, on 27 November 2026; h200_families.csv there is the test of them.

/// Cycles of the card from one block's start to the next one's, wherever they start. Measured: the
/// same from 32 to 512 threads.
constexpr double kBlockStartCycles = 1.19;
/// Cycles of a multiprocessor, for each warp of a block, before a block's first instruction and
/// after its last. Fitted.
constexpr double kBlockCyclesAWarp = 17.5;

// Rates per multiprocessor and cycle, equal for all architectures in the table.
constexpr double kIssue = 4;  // warp instructions, one per scheduler
constexpr double kDataPasses = 1;  // 128 bytes between L1 or shared memory and registers
constexpr double kSectorsAPass = 4;
constexpr double kPassesARequest = 1.6;  // global memory, at least; fitted
constexpr double kSpecialLanes = 16;
constexpr double kSpecialIssue = 8;  // instructions of the sequence that PTX's div or sqrt becomes
constexpr double kL2BytesAProcessor = 64;
constexpr double kSliceBytes = 64;  // per cycle and L2 slice
/// Passes of a shared atomic over its banks: read, change, write. Measured on an H200.
constexpr double kSharedAtomicPass = 2.5;
/// Cycles of a multiprocessor for a match.any or match.all. Measured on an H200.
constexpr double kMatchCycles = 58;
// What a partially stored sector costs more than a whole one: cycles of its multiprocessor, and
// sectors of L2's bandwidth. Measured on an H200 (emulator/tests/counters/spread_kernels.cu); the
// more bytes of a sector a request fills, the more often L1 merges what comes next. Fitted.
constexpr double kPartialStore = 2;
constexpr double kPartialStoreInL2 = 4.3;
constexpr double kMerged = 1.5;

/// Of sectors that are dirty at the end, how many are written before it. Fitted.
constexpr double kWrittenInTime = 0.7;
/// Cycles of a slice for atomics that meet no other at their place. Fitted.
constexpr double kSpreadAtomicCycles = 2.15;
/// Cycles of an update of a word of shared memory by a loop of compare-and-swap. Measured.
constexpr double kContendedCycles = 100;

// Cycles that a warp waits, under load: what others have in flight is part of it. Fitted.
constexpr double kL1Latency = 160;
constexpr double kL2Latency = 410;
constexpr double kDramLatency = 820;
constexpr double kAtomicLatency = 300;
constexpr double kBarrierLatency = 70;
constexpr double kBarrierLatencyAWarp = 2;  // of the block

/// Terms overlap: the time is this norm of them. Fitted, and rounded.
constexpr double kNorm = 3;

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

// Counts to which parts of the time are proportional.

double issued(const CostInputs& in) {
  return in.instructions + in.special * (kSpecialIssue - 1);
}
double global_requests(const CostInputs& in) {
  return in.global_load_requests + in.global_store_requests + in.atomic_requests +
         in.reduction_requests + in.local_load_requests + in.local_store_requests +
         in.copy_requests + in.texture_requests;
}
/// Of 128 bytes each. Those of loads are looked up one by one, whatever is read of them.
double global_passes(const CostInputs& in) {
  return in.global_load_lines +
         (in.global_store_sectors + in.atomic_sectors + in.reduction_sectors +
          in.local_load_sectors + in.local_store_sectors + in.copy_sectors + in.texture_sectors) /
             kSectorsAPass;
}
double partial_stores(const CostInputs& in) {
  return std::max(0.0, in.global_store_sectors - kMerged * in.global_store_ideal_sectors);
}
double shared_wavefronts(const CostInputs& in) {
  return in.shared_load_wavefronts + in.shared_store_wavefronts + in.copy_wavefronts;
}
double read_sectors(const CostInputs& in) {
  return in.global_load_sectors - in.global_load_hits + in.local_load_sectors - in.local_load_hits +
         in.texture_sectors - in.texture_hits + in.copy_sectors;
}
double stored_sectors(const CostInputs& in) {
  return in.global_store_sectors + in.local_store_sectors;
}
double atomic_sectors(const CostInputs& in) {
  return in.atomic_sectors + in.reduction_sectors;
}

template <double CostInputs::*kMember>
double member(const CostInputs& in) {
  return in.*kMember;
}

/// Divides a term in proportion to weights.
CostTerm term(std::string_view name, double seconds, std::vector<CostPart> parts) {
  const double whole =
      std::accumulate(parts.begin(), parts.end(), 0.0,
                      [](double sum, const CostPart& part) { return sum + part.seconds; });
  for (CostPart& part : parts) part.seconds = seconds * ratio(part.seconds, whole);
  return {name, seconds, std::move(parts)};
}

CostTerm term(std::string_view name, double seconds, double (*count)(const CostInputs& in),
              TimeCause cause = TimeCause::instructions) {
  return {name, seconds, {{cause, count, seconds}}};
}

/// Waiting time of warps on the busiest multiprocessor, in cycles of one warp.
std::vector<CostPart> waits(const CostInputs& in) {
  const double l1_hit_rate =
      ratio(in.global_load_hits + in.local_load_hits + in.texture_hits,
            in.global_load_sectors + in.local_load_sectors + in.texture_sectors);
  const double l2_hit_rate = ratio(in.l2_read_hits, in.l2_reads);
  const double beyond_l1 = l2_hit_rate * kL2Latency + (1 - l2_hit_rate) * kDramLatency;
  const double load = l1_hit_rate * kL1Latency + (1 - l1_hit_rate) * beyond_l1;
  const double barrier = kBarrierLatency + kBarrierLatencyAWarp * ratio(in.warps, in.blocks);
  return {{TimeCause::waiting, member<&CostInputs::path_cycles>, in.path_cycles},
          {TimeCause::waiting, member<&CostInputs::load_waits>, in.load_waits * load},
          {TimeCause::waiting, member<&CostInputs::copy_waits>, in.copy_waits * beyond_l1},
          {TimeCause::atomics, member<&CostInputs::atomic_requests>,
           in.atomic_requests * kAtomicLatency},
          {TimeCause::barriers, member<&CostInputs::barriers>, in.barriers * barrier}};
}

CostTerm latency_term(const CostInputs& in, const LaunchShape& shape, double clock) {
  std::vector<CostPart> parts = waits(in);
  double waited = 0;
  for (const CostPart& part : parts) waited += part.seconds;
  // Blocks that follow each other on a multiprocessor each start and end.
  const double blocks = in.warps * kBlockCyclesAWarp * shape.share / shape.resident / clock;
  CostTerm result =
      term("latency", waited * shape.share / shape.active_warps / clock, std::move(parts));
  result.seconds += blocks;
  result.parts.push_back({TimeCause::launches, nullptr, blocks});
  return result;
}

CostTerm first_level_term(const CostInputs& in, double a_processor) {
  // A request takes at least two passes.
  const double by_requests = kPassesARequest * global_requests(in);
  const double by_lines = global_passes(in);
  const double global = std::max(by_requests, by_lines);
  const double partial = kPartialStore * partial_stores(in);
  const double shared = shared_wavefronts(in);
  const double updates = kSharedAtomicPass * in.shared_atomic_wavefronts;
  const double passes = global + partial + shared + updates;
  return term("L1 and shared memory", passes / kDataPasses * a_processor,
              {{TimeCause::global_memory, by_requests >= by_lines ? global_requests : global_passes,
                global},
               {TimeCause::global_memory, partial_stores, partial},
               {TimeCause::shared_memory, shared_wavefronts, shared},
               {TimeCause::atomics, member<&CostInputs::shared_atomic_wavefronts>, updates}});
}

CostTerm second_level_term(const CostInputs& in, double a_processor, const Card& card) {
  const double sectors = in.l2_reads + in.l2_writes + in.l2_atomics;
  const double partial = kPartialStoreInL2 * partial_stores(in);
  const double by_bandwidth = (sectors + partial) * kSectorBytes / card.l2_bandwidth;
  const double by_processor = sectors * kSectorBytes / kL2BytesAProcessor * a_processor;
  return term(
      "L2", std::max(by_bandwidth, by_processor),
      {{TimeCause::global_memory, read_sectors, in.l2_reads},
       {TimeCause::global_memory, stored_sectors, in.l2_writes},
       {TimeCause::global_memory, partial_stores, by_bandwidth >= by_processor ? partial : 0},
       {TimeCause::atomics, atomic_sectors, in.l2_atomics}});
}

CostTerm memory_term(const CostInputs& in, const Card& card) {
  // Misses of atomics are read, and their results written.
  const double loaded = std::min(in.dram_reads, std::max(0.0, in.l2_reads - in.l2_read_hits));
  const double stored = in.dram_writes * ratio(in.l2_writes, in.l2_writes + in.l2_atomics);
  const double later = (1 - kWrittenInTime) * std::min(in.dram_left, in.dram_writes);
  const double all = in.dram_reads + in.dram_writes;
  return term("DRAM", (all - later) * kSectorBytes / (kMemoryEfficiency * card.memory_bandwidth),
              {{TimeCause::global_memory, read_sectors, loaded},
               {TimeCause::global_memory, stored_sectors, stored},
               {TimeCause::atomics, atomic_sectors, all - loaded - stored}});
}

CostTerm atomics_term(const CostInputs& in, double clock, const Card& card) {
  const double slices = std::max(1.0, card.l2_bandwidth / (kSliceBytes * clock));
  const double in_turns = in.hottest_atomics / clock;
  const double side_by_side = in.l2_atomics * kSpreadAtomicCycles / (slices * clock);
  const double seconds = std::max(in_turns, side_by_side);
  return {
      "atomics",
      seconds,
      {{TimeCause::atomics,
        in_turns >= side_by_side ? member<&CostInputs::global_turns> : atomic_sectors, seconds}}};
}

double norm_of(const std::vector<CostTerm>& terms) {
  double sum = 0;
  for (const CostTerm& term : terms) sum += std::pow(term.seconds, kNorm);
  return std::pow(sum, 1 / kNorm);
}

/// Weights of the terms in the time, which they sum to: near 1 for a term that is much longer than
/// all others, and the less for another, the shorter it is.
template <class Use>
void weigh(const std::vector<CostTerm>& terms, Use use) {
  const double norm = norm_of(terms);
  for (const CostTerm& term : terms) use(term, std::pow(ratio(term.seconds, norm), kNorm - 1));
}

double seconds_of(const std::vector<CostTerm>& terms) {
  return kLaunchSeconds + norm_of(terms);
}

double seconds_of(const CostInputs& launch, const LaunchShape& shape, const Card& card) {
  return seconds_of(cost_terms(launch, shape, card));
}

constexpr double kMilli = 1e3;

}  // namespace

std::string_view name_of(TimeCause cause) {
  return kTimeCauseNames[static_cast<std::size_t>(cause)];
}

LaunchShape shape_of(const CostInputs& launch, const Card& card) {
  LaunchShape shape;
  // Blocks are distributed whole: the share of the work on the busiest multiprocessor.
  shape.rounds = std::max(1.0, std::ceil(launch.blocks / card.multiprocessors));
  shape.share = shape.rounds / launch.blocks;
  shape.resident = std::min(shape.rounds, std::max(1.0, launch.blocks_per_multiprocessor));
  shape.active_warps = std::max(1.0, shape.resident * launch.warps / launch.blocks);
  return shape;
}

std::vector<CostTerm> cost_terms(const CostInputs& in, const LaunchShape& shape, const Card& card) {
  const double clock = card.clock_khz * 1e3;
  const double a_processor =
      shape.share / clock;  // cycles of all multiprocessors to seconds of one
  const double single = in.f32 * kWarp / card.fp32_lanes_per_sm;
  const double dual = in.f64 * kWarp / card.fp64_lanes_per_sm;
  const double half = in.f16 * kWarp * 2 / card.fp16_per_clock;
  const double matrix = in.matrix_work / card.tensor_flops_per_clock;
  std::vector<CostTerm> terms;
  terms.reserve(14);
  terms.push_back(term("issue slots", issued(in) / kIssue * a_processor, issued));
  terms.push_back(term("f32 pipe", single * a_processor, member<&CostInputs::f32>));
  terms.push_back(term("f64 pipe", dual * a_processor, member<&CostInputs::f64>));
  terms.push_back(term("f16 pipe", half * a_processor, member<&CostInputs::f16>));
  terms.push_back(term("tensor pipe", matrix * a_processor, member<&CostInputs::matrix_work>));
  terms.push_back(term("special functions", in.special * kWarp / kSpecialLanes * a_processor,
                       member<&CostInputs::special>));
  terms.push_back(
      term("matches", in.matches * kMatchCycles * a_processor, member<&CostInputs::matches>));
  terms.push_back(first_level_term(in, a_processor));
  terms.push_back(second_level_term(in, a_processor, card));
  terms.push_back(memory_term(in, card));
  terms.push_back(atomics_term(in, clock, card));
  terms.push_back(latency_term(in, shape, clock));
  const double loops = in.contended_shared * kContendedCycles / shape.resident * a_processor;
  terms.push_back(term("shared loops", loops, member<&CostInputs::shared_atomic_wavefronts>,
                       TimeCause::atomics));
  const double starts = in.blocks * kBlockStartCycles / clock;
  terms.push_back({"blocks", starts, {{TimeCause::launches, nullptr, starts}}});
  return terms;
}

double modelled_milliseconds(const KernelCounters& launch, const Card& card) {
  const CostInputs inputs = cost_inputs(launch);
  return kMilli * seconds_of(inputs, shape_of(inputs, card), card);
}

double modelled_milliseconds(const CostInputs& launches, const Card& card) {
  if (!(launches.launches > 0) || !(launches.blocks > 0)) return 0;
  const CostInputs one = launches.scaled(1 / launches.launches);
  return kMilli * launches.launches * seconds_of(one, shape_of(one, card), card);
}

double TimeSplit::total() const {
  return std::accumulate(std::begin(ms), std::end(ms), 0.0);
}

void TimeSplit::operator+=(const TimeSplit& other) {
  for (std::size_t i = 0; i < kTimeCauses; ++i) ms[i] += other.ms[i];
}

TimeSplit split_time(const CostInputs& launches, const Card& card) {
  TimeSplit split;
  if (!(launches.launches > 0) || !(launches.blocks > 0)) return split;
  const auto at = [&](TimeCause cause) -> double& {
    return split.ms[static_cast<std::size_t>(cause)];
  };
  const CostInputs one = launches.scaled(1 / launches.launches);
  const double ms = kMilli * launches.launches;
  LaunchShape shape = shape_of(one, card);
  const double actual = seconds_of(one, shape, card);
  shape.share = std::min(shape.share, 1.0 / card.multiprocessors);
  const double even = seconds_of(one, shape, card);
  at(one.blocks < card.multiprocessors ? TimeCause::idle : TimeCause::tail) += ms * (actual - even);
  shape.active_warps = std::max(shape.active_warps, card.max_threads_per_sm / kWarp);
  const std::vector<CostTerm> terms = cost_terms(one, shape, card);
  at(TimeCause::idle) += ms * (even - seconds_of(terms));
  at(TimeCause::launches) += ms * kLaunchSeconds;
  weigh(terms, [&](const CostTerm& term, double weight) {
    for (const CostPart& part : term.parts) at(part.cause) += ms * weight * part.seconds;
  });
  return split;
}

std::vector<CostPart> time_by_count(const CostInputs& launches, const Card& card) {
  std::vector<CostPart> parts;
  if (!(launches.launches > 0) || !(launches.blocks > 0)) return parts;
  const CostInputs one = launches.scaled(1 / launches.launches);
  weigh(cost_terms(one, shape_of(one, card), card), [&](const CostTerm& term, double weight) {
    for (CostPart part : term.parts) {
      if (part.count == nullptr || !(part.seconds > 0)) continue;
      part.seconds *= weight * launches.launches;
      parts.push_back(part);
    }
  });
  return parts;
}

}  // namespace warpsim
