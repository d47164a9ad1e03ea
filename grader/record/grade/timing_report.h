#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/fields.h"
#include "harness/core/names.h"

namespace warpgrade {

/// What a program did and how long it took: a point under the card's roof.
struct RooflinePoint {
  double operations = 0;
  double bytes = 0;  // to and from the device's memory, modelled
  double ms = 0;
  double floor_ms = 0;  // lower bound for this work; 0 if unknown
};
WARPGRADE_FIELDS(RooflinePoint, operations, bytes, ms, floor_ms)

/// The card's peak for one type of operation.
struct Roof {
  std::string type;  // "f16", "f32", "f64", "tensor"
  double operations_per_second = 0;
};
WARPGRADE_FIELDS(Roof, type, operations_per_second)

/// What a stage of the lab's ladder reaches.
struct RungPoint {
  std::size_t rung = 0;  // from 1
  std::string title;
  RooflinePoint point;
};
WARPGRADE_FIELDS(RungPoint, rung, title, point)

/// Who counted the operations and bytes of the program in the roofline plot.
enum class CountSource : std::uint8_t {
  emulator,
  ncu,  // on the card, in the timed call itself
  task,  // not counted: the operations that the task needs, and each input and output moved once
};
constexpr auto names_of(CountSource) {
  return names_up_to<CountSource::task>("emulator", "ncu", "task");
}

/// The unit of work in the roofline plot: floating-point operations, or warp instructions if there
/// are none.
enum class RoofOperation : std::uint8_t { flop, instruction };
constexpr auto names_of(RoofOperation) {
  return names_up_to<RoofOperation::instruction>("flop", "instruction");
}

/// Where the limits for memory and f32 come from: the card's data sheet, like all others, or a
/// measurement on this card.
enum class LimitSource : std::uint8_t { data_sheet, measured };
constexpr auto names_of(LimitSource) {
  return names_up_to<LimitSource::measured>("data_sheet", "measured");
}

/// The card's limits, and what the programs achieved.
struct Roofline {
  RoofOperation operation = RoofOperation::flop;
  double operations_per_second = 0;  // the card's highest peak among `roofs`
  double bytes_per_second = 0;
  RooflinePoint submission;
  RooflinePoint reference;
  std::vector<Roof> roofs = {};  // of the types that are used, the highest last
  std::vector<RungPoint> rungs = {};  // from the lowest; only those with a known cost
  CountSource counted_by = CountSource::emulator;
  LimitSource limits = LimitSource::data_sheet;
  /// Times are of the kernels alone, by ncu, because the timed call includes copies.
  bool kernels_only = false;

  [[nodiscard]] bool counts_flops() const { return operation == RoofOperation::flop; }
};
WARPGRADE_FIELDS(Roofline, operation, operations_per_second, bytes_per_second, submission,
                 reference, roofs, rungs, counted_by, limits, kernels_only)

/// A step of the performance points.
struct TimingTier {
  double ratio = 0;  // up to this many times the reference's time
  double points = 0;
};
WARPGRADE_FIELDS(TimingTier, ratio, points)

/// The state of a card at one moment, from NVIDIA's management library (NVML).
struct CardState {
  double sm_mhz = 0;
  double memory_mhz = 0;
  double celsius = 0;
  double watts = 0;
  std::string throttle;  // why its clock was reduced: "sw-power-cap"; may be empty
};
WARPGRADE_FIELDS(CardState, sm_mhz, memory_mhz, celsius, watts, throttle)

/// Measured peaks of a card.
struct CardPeaks {
  double copy_bytes_per_second = 0;  // read and written
  double fma_per_second = 0;  // fused multiply-adds in float
};
WARPGRADE_FIELDS(CardPeaks, copy_bytes_per_second, fma_per_second)

/// The card that times were measured on.
struct CardRecord {
  std::string name;
  std::string uuid;
  std::string driver;  // empty if unknown
  std::optional<CardState> before;  // nothing if NVML is not installed
  std::optional<CardState> after;
  std::optional<CardPeaks> peaks;
};
WARPGRADE_FIELDS(CardRecord, name, uuid, driver, before, after, peaks)

/// Times of single runs on a GPU, with the two programs interleaved.
struct MeasuredRuns {
  std::vector<double> submission_ms;  // the i-th of each program make a pair
  std::vector<double> reference_ms;
  /// Pairs per round, in this order; each round has new processes.
  std::vector<std::size_t> rounds = {};
  std::optional<double> ratio_low = std::nullopt;  // 95 % confidence interval of the ratio
  std::optional<double> ratio_high = std::nullopt;
};
WARPGRADE_FIELDS(MeasuredRuns, submission_ms, reference_ms, rounds, ratio_low, ratio_high)

/// A measured ratio may exceed a tier's by this much: two measurements of one program may differ by
/// as much.
constexpr double kTierTolerance = 0.02;

struct Timing {
  std::string name;  // the case
  std::string source;  // "modelled" (emulator), "measured" (GPU)
  double submission_ms = 0;  // measured: the median of its calls
  double reference_ms = 0;
  double ratio = 0;  // of the two; measured: the median of the pairs' ratios
  std::vector<TimingTier> tiers = {};  // ascending in ratio
  std::optional<Roofline> roofline = std::nullopt;
  std::optional<MeasuredRuns> runs = std::nullopt;  // of a measured time
  std::map<std::string, std::int64_t> shape = {};  // of the timed case: {"n": 33554432}
  std::optional<CardRecord> card = std::nullopt;  // on which it was timed

  /// The ratio that is compared with tiers: for a measured time the lower end of its interval or
  /// the ratio less kTierTolerance, whichever is smaller, so that the student gets the benefit of
  /// the doubt.
  [[nodiscard]] double deciding_ratio() const;

  /// The best tier reached; null if none.
  [[nodiscard]] const TimingTier* reached() const;
};
WARPGRADE_FIELDS(Timing, name, source, submission_ms, reference_ms, ratio, tiers, roofline, runs,
                 shape, card)

}  // namespace warpgrade
