#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/record/fields.h"
#include "harness/core/names.h"

namespace warpgrade {

/// What a program did and how long it took: a point under the card's roof.
struct RooflinePoint {
  double operations = 0;
  double bytes = 0;  // to and from the device's memory, modelled
  double ms = 0;
  double floor_ms = 0;  // lower bound for this work; 0 if unknown
};
WARPGRADE_FIELDS(
    RooflinePoint, operations, (bytes, "To and from the device's memory."), ms,
    (floor_ms, "The least time that the card needs for these operations and bytes; 0: not known.",
     {.optional = true}))

inline constexpr std::array<std::string_view, 4> kRoofTypes = {"f16", "f32", "f64", "tensor"};

/// The card's peak for one type of operation.
struct Roof {
  std::string type;
  double operations_per_second = 0;
};
WARPGRADE_FIELDS(Roof, (type, "", {.one_of = kRoofTypes}), operations_per_second)

/// What a stage of the lab's ladder reaches.
struct RungPoint {
  std::size_t rung = 0;  // from 1
  std::string title;
  RooflinePoint point;
};
WARPGRADE_FIELDS(RungPoint, (rung, "From 1, the lowest.", {.from = 1}), title, point)

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
WARPGRADE_FIELDS(
    Roofline,
    (operation, "Operations on floats of any type; or warp instructions if there are none."),
    (operations_per_second, "The card's highest peak among `roofs`."), bytes_per_second, submission,
    reference,
    (roofs, "The card's peaks for the types of operation that occur, ascending.",
     {.optional = true}),
    (rungs, "What the stages of the lab's ladder reach, from the lowest.", {.optional = true}),
    (counted_by,
     "Who counted operations and bytes: the emulator; ncu, in the call that is timed; or task, not "
     "counted: the operations that the task needs, and each array moved once. Missing: emulator.",
     {.optional = true}),
    (limits, "measured: those of memory and f32, on this card. Missing: data_sheet.",
     {.optional = true}),
    (kernels_only, "ms is the kernels' time under ncu, because the timed call includes copies.",
     {.optional = true}))

/// A step of the performance points.
struct TimingTier {
  double ratio = 0;  // up to this many times the reference's time
  double points = 0;
};
WARPGRADE_FIELDS(TimingTier, (ratio, "Up to this many times the reference's time."), points)

/// The state of a card at one moment, from NVIDIA's management library (NVML).
struct CardState {
  double sm_mhz = 0;
  double memory_mhz = 0;
  double celsius = 0;
  double watts = 0;
  std::string throttle;  // why its clock was reduced: "sw-power-cap"; may be empty
};
WARPGRADE_FIELDS(CardState, sm_mhz, memory_mhz, (celsius, "", {.floats = record::Floats::finite}),
                 watts, (throttle, "Why the clock was lower than it could be; may be empty."))

/// Measured peaks of a card.
struct CardPeaks {
  double copy_bytes_per_second = 0;  // read and written
  double fma_per_second = 0;  // fused multiply-adds in float
};
WARPGRADE_FIELDS(CardPeaks, (copy_bytes_per_second, "Read and written."),
                 (fma_per_second, "Fused multiply-adds in float."))

/// The card that times were measured on.
struct CardRecord {
  std::string name;
  std::string uuid;
  std::string driver;  // empty if unknown
  std::optional<CardState> before;  // nothing if NVML is not installed
  std::optional<CardState> after;
  std::optional<CardPeaks> peaks;
};
WARPGRADE_FIELDS(CardRecord, name, uuid, (driver, "Empty if unknown."),
                 (before, "By NVIDIA's management library; null if it is not installed."), after,
                 (peaks, "Measured; null if that failed."))

/// Times of single runs on a GPU, with the two programs interleaved.
struct MeasuredRuns {
  std::vector<double> submission_ms;  // the i-th of each program make a pair
  std::vector<double> reference_ms;
  /// Pairs per round, in this order; each round has new processes.
  std::vector<std::size_t> rounds = {};
  std::optional<double> ratio_low = std::nullopt;  // 95 % confidence interval of the ratio
  std::optional<double> ratio_high = std::nullopt;
};
WARPGRADE_FIELDS(MeasuredRuns,
                 (submission_ms,
                  "Of each run, the two programs in turns; the i-th of each make a pair."),
                 reference_ms,
                 (rounds, "Pairs per round, in this order; each round has new processes.",
                  {.optional = true, .from = 1}),
                 (ratio_low,
                  "95 % confidence interval of ratio, if it is known. Points: docs/performance.md, "
                  "Timing on a GPU.",
                  {.floats = record::Floats::finite}),
                 (ratio_high, "", {.floats = record::Floats::finite}))

/// A measured ratio may exceed a tier's by this much: two measurements of one program may differ by
/// as much.
constexpr double kTierTolerance = 0.02;

/// By the emulator; on a GPU.
inline constexpr std::array<std::string_view, 2> kTimingSources = {"modelled", "measured"};

struct Timing {
  std::string name;  // the case
  std::string source;
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
WARPGRADE_FIELDS(
    Timing, (name, "", {.key = "case"}), (source, "", {.one_of = kTimingSources}),
    (submission_ms, "Measured: the median of its calls."), reference_ms,
    (ratio, "Modelled: of the two times. Measured: the median of the pairs' ratios.",
     {.floats = record::Floats::any}),
    (tiers, "Points for a ratio up to this one, ascending.", {.optional = true}),
    (roofline, "The card's limits and what the runs of this case reached; null if one is unknown.",
     {.optional = true}),
    (runs, "Of a measured time.", {.optional = true}),
    (shape, "Of the timed case: on a GPU a size that fills it.", {.optional = true}),
    (card, "On which times were measured; null on the emulator.", {.optional = true}))

}  // namespace warpgrade
