#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/counters/cost_inputs.h"
#include "emulator/findings/finding_kinds.h"
#include "grader/core/fields.h"
#include "grader/grade_record/speed_report.h"
#include "harness/core/names.h"
#include "harness/tolerance/wrong_map.h"

namespace warpgrade {

enum class ItemStatus : std::uint8_t {
  passed,
  partial,
  failed,
  not_assessed,  // this machine cannot tell; the message says what would
  error,  // ours; costs nothing
};
constexpr auto names_of(ItemStatus) {
  return names_up_to<ItemStatus::error>("passed", "partial", "failed", "not_assessed", "error");
}

/// The rubric's categories, in the order in which they are graded and shown.
enum class Category : std::uint8_t { build, correctness, safety, concept_check, performance };
constexpr auto names_of(Category) {
  return names_up_to<Category::performance>("build", "correctness", "safety", "concept",
                                            "performance");
}

/// A concept check as numbers: right if `measured` is from `at_least` to `at_most` times
/// `expected`.
struct ConceptNumbers {
  std::string unit;  // "sectors"
  std::string measured_formula;  // over counters, as in lab.toml
  std::string expected_formula;  // over extents
  double measured = 0;
  double expected = 0;
  double at_least = 0;
  double at_most = 0;
  std::optional<double> reference = std::nullopt;  // what the reference solution measures
};
WARPGRADE_FIELDS(ConceptNumbers, unit, measured_formula, expected_formula, measured, expected,
                 at_least, at_most, reference)

/// One line of the rubric.
struct Item {
  std::string id;  // "correctness/one element"; unique in a grade
  Category category = Category::build;
  std::string title;
  double points = 0;
  double max_points = 0;
  ItemStatus status = ItemStatus::not_assessed;
  std::string message;  // what happened, one sentence
  std::string hint;  // what to look at next
  std::string pitfall;  // "P3", or empty
  std::optional<ConceptNumbers> numbers = std::nullopt;  // of a concept check that was counted
};
WARPGRADE_FIELDS(Item, id, category, title, points, max_points, status, message, hint, pitfall,
                 numbers)

/// An element of an output that is outside the error model.
struct MismatchedElement {
  std::string parameter;
  std::uint64_t index = 0;
  double got = 0;
  double want = 0;
  double bound = 0;
};
WARPGRADE_FIELDS(MismatchedElement, parameter, index, got, want, bound)

WARPGRADE_FIELDS(WrongMap, parameter, rows, columns, folded, cell_rows, cell_columns, cells)

enum class CaseVerdict : std::uint8_t {
  passed,
  wrong,
  broke_contract,
  cuda_error,
  crashed,  // a signal, or an exit before the harness finished
  never_ends,  // instruction budget or time-out
  not_run,  // an earlier step failed
  not_assessed,  // it needs what the emulator lacks; no fault of the submission
  error,  // ours
};
constexpr auto names_of(CaseVerdict) {
  return names_up_to<CaseVerdict::error>("passed", "wrong", "broke_contract", "cuda_error",
                                         "crashed", "never_ends", "not_run", "not_assessed",
                                         "error");
}

struct CaseReport {
  std::string name;
  bool visible = true;
  std::map<std::string, std::int64_t> shape;  // {"n": 1000}
  CaseVerdict verdict = CaseVerdict::not_run;
  std::string message;
  std::string pattern;  // slug of where it is wrong: "tail"; empty if it is not
  std::string pattern_detail;
  std::uint64_t elements = 0;
  std::uint64_t wrong_elements = 0;
  double max_error = 0;
  double bound = 0;
  std::vector<MismatchedElement> first_mismatches;
  double seconds = 0;
  std::optional<WrongMap> wrong_map = std::nullopt;  // of the output in first_mismatches
};
WARPGRADE_FIELDS(CaseReport, name, visible, shape, verdict, message, pattern, pattern_detail,
                 elements, wrong_elements, max_error, bound, first_mismatches, seconds, wrong_map)

/// A checker's finding, as the emulator reports it, folded over the cases.
struct ReportedFinding {
  std::string pitfall;
  std::string kind;
  std::string severity;  // "error", "warning", "note"
  std::string file;
  std::uint32_t line = 0;
  std::string kernel;
  std::string message;
  std::string where;
  std::string who;
  std::string got;
  std::string want;
  std::string next;
  std::uint64_t count = 1;
  std::vector<std::string> cases;  // in which it was seen

  [[nodiscard]] bool is_error() const { return severity == "error"; }
  [[nodiscard]] bool is(warpsim::FindingKind of) const { return kind == warpsim::slug(of); }
  [[nodiscard]] bool is_about(warpsim::FindingTopic topic) const;
  /// It says what happened, but the cause could be one of many.
  [[nodiscard]] bool has_many_causes() const;
  /// Leaves memory intact and every result right.
  [[nodiscard]] bool is_tidiness() const;
  /// What no rule promises, although it went well here: lanes in step without __syncwarp(), a
  /// barrier that some warps never reach, blocks that start by their number.
  [[nodiscard]] bool relies_on_luck() const;
  /// Names what the emulator does not know: nothing that the program did wrong.
  [[nodiscard]] bool is_lack_of_emulator() const;
  /// It costs points for safety.
  [[nodiscard]] bool counts() const { return is_error() || relies_on_luck(); }
};
WARPGRADE_FIELDS(ReportedFinding, pitfall, kind, severity, file, line, kernel, message, where, who,
                 got, want, next, count, cases)

struct KernelLine {
  std::string file;
  std::uint32_t line = 0;
  std::map<std::string, double> counters;
  warpsim::CostInputs cost = {};  // not in grade.json, where the times that follow from it are
};
WARPGRADE_FIELDS(KernelLine, file, line, counters, cost)

struct KernelReport {
  std::string name;
  std::uint64_t launches = 0;
  std::vector<std::uint64_t> grid;
  std::vector<std::uint64_t> block;
  std::map<std::string, double> counters;  // by ncu's metric names
  std::vector<KernelLine> lines;
  // Of a run of the emulator; not in grade.json.
  std::string file = {};  // where the kernel is written
  std::string occupancy_limiter = {};
  std::vector<warpsim::CostInputs> shapes = {};  // launches of one shape each

  /// 0 where it was not counted.
  [[nodiscard]] double counter(std::string_view metric) const {
    const auto it = counters.find(std::string(metric));
    return it == counters.end() ? 0 : it->second;
  }
};
WARPGRADE_FIELDS(KernelReport, name, launches, grid, block, counters, lines, file,
                 occupancy_limiter, shapes)

/// What a program did and how long it took: a point under the card's roof.
struct RooflinePoint {
  double operations = 0;
  double bytes = 0;  // to and from the device's memory, modelled
  double ms = 0;
  double floor_ms = 0;  // no program that does this much can be faster; 0 if it is not known
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

/// Who counted what a program did in the run that is drawn under the roof.
enum class CountSource : std::uint8_t {
  emulator,
  ncu,  // on the card, in the very call that is timed
  task,  // nobody: the operations that the task takes, and its inputs and outputs moved once
};
constexpr auto names_of(CountSource) {
  return names_up_to<CountSource::task>("emulator", "ncu", "task");
}

/// What is counted under the roof: operations on floats, or warp instructions where the work has no
/// floats.
enum class RoofOperation : std::uint8_t { flop, instruction };
constexpr auto names_of(RoofOperation) {
  return names_up_to<RoofOperation::instruction>("flop", "instruction");
}

/// Where the limits of memory and of f32 are from: the card's data sheet, as all others are, or a
/// measurement on this card.
enum class LimitSource : std::uint8_t { data_sheet, measured };
constexpr auto names_of(LimitSource) {
  return names_up_to<LimitSource::measured>("data_sheet", "measured");
}

/// The card's limits, and what was reached of them.
struct Roofline {
  RoofOperation operation = RoofOperation::flop;
  double operations_per_second = 0;  // the card's highest peak among `roofs`
  double bytes_per_second = 0;
  RooflinePoint submission;
  RooflinePoint reference;
  std::vector<Roof> roofs = {};  // of the types that occur, the highest last
  std::vector<RungPoint> rungs = {};  // from the lowest; those whose cost is known
  CountSource counted_by = CountSource::emulator;
  LimitSource limits = LimitSource::data_sheet;
  /// Times are those of the kernels alone, by ncu: the call that was timed has copies in it.
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

/// How a card was at a moment, as NVIDIA's management library tells.
struct CardState {
  double sm_mhz = 0;
  double memory_mhz = 0;
  double celsius = 0;
  double watts = 0;
  std::string throttle;  // why its clock was lower than it could be: "sw-power-cap"; may be empty
};
WARPGRADE_FIELDS(CardState, sm_mhz, memory_mhz, celsius, watts, throttle)

/// What a card can do, measured.
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
  std::optional<CardState> before;  // nothing where the management library is not installed
  std::optional<CardState> after;
  std::optional<CardPeaks> peaks;
};
WARPGRADE_FIELDS(CardRecord, name, uuid, driver, before, after, peaks)

/// Times of single runs on a GPU, the two programs interleaved.
struct MeasuredRuns {
  std::vector<double> submission_ms;  // one of each program, at the same place, makes a pair
  std::vector<double> reference_ms;
  std::vector<std::size_t> rounds = {};  // pairs of each, in this order; each has new processes
  std::optional<double> ratio_low = std::nullopt;  // 95 % confidence interval of the ratio
  std::optional<double> ratio_high = std::nullopt;
};
WARPGRADE_FIELDS(MeasuredRuns, submission_ms, reference_ms, rounds, ratio_low, ratio_high)

/// So much may a measured ratio lie above a tier's and still reach it: as much as two measurements
/// of one program may differ.
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
  std::map<std::string, std::int64_t> shape = {};  // that was timed: {"n": 33554432}
  std::optional<CardRecord> card = std::nullopt;  // that it was timed on

  /// The ratio that tiers are held against: of a measured time its interval's low end or what is
  /// kTierTolerance below the ratio, whichever is less. The doubt is the student's.
  [[nodiscard]] double deciding_ratio() const;

  /// The best tier that is reached; null if none is.
  [[nodiscard]] const TimingTier* reached() const;
};
WARPGRADE_FIELDS(Timing, name, source, submission_ms, reference_ms, ratio, tiers, roofline, runs,
                 shape, card)

/// How a run under one of NVIDIA's tools ended.
enum class ToolEnd : std::uint8_t {
  done,
  missing,
  not_permitted,  // the driver shows the counters to administrators only
  out_of_time,
  failed,
  not_run,
};
constexpr auto names_of(ToolEnd) {
  return names_up_to<ToolEnd::not_run>("done", "missing", "not_permitted", "out_of_time", "failed",
                                       "not_run");
}

/// A run under one of NVIDIA's tools.
struct ToolRun {
  std::string tool;  // "ncu", "memcheck", ...; "compute-sanitizer" for all of its tools
  std::string name;  // the case; may be empty
  ToolEnd end = ToolEnd::not_run;
  std::string message;  // what it came to; where it gave nothing, why and what to do
  double seconds = 0;
};
WARPGRADE_FIELDS(ToolRun, tool, name, end, message, seconds)

/// What ncu counted in one run on the card.
struct CardCounts {
  std::string program;  // "submission", "reference"
  std::string name;  // the case
  bool timed = false;  // the call whose time was measured; else the case as it is judged
  std::map<std::string, std::int64_t> shape;
  std::vector<KernelReport> kernels;  // without lines
};
WARPGRADE_FIELDS(CardCounts, program, name, timed, shape, kernels)

/// What compute-sanitizer says about a mistake; equal ones of several threads are one.
struct ToolFinding {
  std::string tool;  // "memcheck"
  std::string kind;  // "access", "misaligned", "race", "uninitialized", "barrier", "leak", "copy",
                     // "free", "api", or "other"
  std::string message;  // in its own words, without addresses
  std::string kernel;
  std::string file;
  std::uint32_t line = 0;
  std::string who;  // the first thread: "thread (32,0,0) in block (3,0,0)"
  std::uint64_t count = 1;
};
WARPGRADE_FIELDS(ToolFinding, tool, kind, message, kernel, file, line, who, count)

/// Results of NVIDIA's tools (`--profile`). For information only: a program could have
/// written anything there, and no point depends on it.
struct CardProfile {
  std::vector<ToolRun> runs;
  std::vector<CardCounts> counts;
  std::vector<ToolFinding> findings;

  /// The counts of a program's run; null where there are none.
  [[nodiscard]] const CardCounts* find(std::string_view program, bool timed) const;
};
WARPGRADE_FIELDS(CardProfile, runs, counts, findings)

/// The rung of a submission on the lab's ladder of stages.
struct RungReport {
  std::size_t index = 0;  // from 1
  std::size_t count = 0;  // rungs of the ladder
  std::string stage;  // "04_shared_tree"
  std::string title;
  std::string next_title;  // of the rung above; empty at the top
  std::string next;  // what is to be gained, one sentence; may be empty
  /// By the cost model, with what the next rung changes; 0 where the lab does not say. Below 1 it
  /// costs first.
  double next_times_faster = 0;
};
WARPGRADE_FIELDS(RungReport, index, count, stage, title, next_title, next, next_times_faster)

/// A flag for manual review; never changes points by itself.
struct IntegrityFlag {
  std::string kind;
  std::string message;
  std::string evidence;
};
WARPGRADE_FIELDS(IntegrityFlag, kind, message, evidence)

struct DeviceReport {
  std::string kind = "none";  // "emulator", "cuda", "none"
  std::string name;
};
WARPGRADE_FIELDS(DeviceReport, kind, name)

struct SourceFile {
  std::string name;  // relative to the submission
  std::string text;
};
WARPGRADE_FIELDS(SourceFile, name, text)

enum class GradeStatus : std::uint8_t {
  graded,
  partial,  // some items could not be assessed on this machine
  error,  // an internal or machine error; to be graded again
};
constexpr auto names_of(GradeStatus) {
  return names_up_to<GradeStatus::error>("graded", "partial", "error");
}

/// What kept a submission from all its points; see grader/grade_record/failure.h, which decides it.
/// In the order in which one explains the next.
enum class Failure : std::uint8_t {
  none,
  environment,  // this machine or cluster; never the student's
  harness_fault,  // the grader; never the student's
  no_submission,
  compile_error,
  link_error,
  not_allowed,  // asks the system for what a submission has no business with
  hang,
  illegal_address,
  launch_error,
  crash,
  race,
  wrong,
  unsafe,  // a leak, a read of uninitialized memory, ...
  concept_missed,
  too_slow,
};
constexpr auto names_of(Failure) {
  return names_up_to<Failure::too_slow>("none", "environment", "harness_fault", "no_submission",
                                        "compile_error", "link_error", "not_allowed", "hang",
                                        "illegal_address", "launch_error", "crash", "race", "wrong",
                                        "unsafe", "concept_missed", "too_slow");
}

/// What was changed in runs of a program to find out why its cases fail.
enum class CauseKind : std::uint8_t {
  direction,  // of copies
  launch,  // one that the card refuses
  outside,  // accesses out of range
  barrier,
  indivisible,  // an update of one place by several lanes
  uninitialized,  // a read of uninitialized memory
  outputs,  // what they hold before the call
  blocks,  // one more or fewer
  axes,  // x and y
  block_size,
};
constexpr auto names_of(CauseKind) {
  return names_up_to<CauseKind::block_size>("direction", "launch", "outside", "barrier",
                                            "indivisible", "uninitialized", "outputs", "blocks",
                                            "axes", "block_size");
}

/// A cause shown by experiment: with one thing changed in the emulator, failing cases are right.
struct Cause {
  CauseKind kind = CauseKind::barrier;
  std::string
      change;  // what `warpsim --change` is given; "" where only the harness changed a thing
  std::string file;  // of the submission; empty where it is about no line
  std::uint32_t line = 0;
  std::string pitfall;  // may be empty
  std::string message;  // the proof, one sentence
  std::vector<std::string> cases;  // that failed and are right with the change
  std::size_t tried = 0;  // cases that were run with it
  std::size_t right = 0;  // of these, those that are right
  std::size_t runs = 0;  // of all experiments together
  bool from_hidden = false;  // made with hidden cases: not for students before their release
};
WARPGRADE_FIELDS(Cause, kind, change, file, line, pitfall, message, cases, tried, right, runs,
                 from_hidden)

/// What may be said of a submission before its hidden cases are released: made from the
/// submission itself, from visible cases, and from runs on public data. Of hidden cases it has
/// points, statuses, and kinds of findings.
struct BeforeRelease {
  std::size_t hidden_cases = 0;  // of the lab; without any, the rest is empty
  std::string summary = {};
  std::string pitfall = {};
  std::optional<Cause> cause = std::nullopt;
  std::vector<Item> items = {};  // with one for all hidden cases
  std::vector<ReportedFinding> findings = {};
  std::vector<std::string> hidden_kinds = {};  // of findings that only hidden cases showed
  std::string kernels_case = {};
  std::vector<KernelReport> kernels = {};
  std::optional<Timing> timing = std::nullopt;
  std::optional<RungReport> rung = std::nullopt;
  std::optional<SpeedReport> speed = std::nullopt;
  /// Hidden cases that may be shown by name, as what was counted in them was counted on public
  /// data.
  std::vector<std::string> public_cases = {};
};
WARPGRADE_FIELDS(BeforeRelease, hidden_cases, summary, pitfall, cause, items, findings,
                 hidden_kinds, kernels_case, kernels, timing, rung, speed, public_cases)

/// Adds a hidden case's points and status to the item that stands for all of them.
void add_hidden_case(const Item& item, Item& sum);

/// All that is known about one submission; the only input of every report and export. It is the
/// staff's record: students see grader/grade_record/student_view.h's part of it.
struct Grade {
  std::string lab;
  std::string lab_title;
  std::string student;
  int attempt = 1;
  GradeStatus status = GradeStatus::graded;
  Failure failure = Failure::none;
  DeviceReport device;
  std::string summary;  // the one thing to do first, one sentence
  std::string pitfall;  // that sentence's, or empty
  std::optional<Cause> cause = std::nullopt;  // where an experiment has shown one
  std::vector<Item> items;
  std::vector<CaseReport> cases;
  std::vector<ReportedFinding> findings;
  std::string kernels_case;  // which case `kernels` were counted in
  std::vector<KernelReport> kernels;
  std::optional<Timing> timing;
  std::optional<CardProfile> profile = std::nullopt;  // only where it was asked for
  std::optional<RungReport> rung;
  std::optional<SpeedReport> speed = std::nullopt;  // of a right run on the emulator
  std::optional<BeforeRelease> before_release = std::nullopt;  // earlier versions did not say
  std::vector<IntegrityFlag> integrity;
  std::vector<SourceFile> sources;
  std::string build_log;  // compiler messages, the student's file names
  std::string output;  // what the first run that printed something printed; never parsed
  std::map<std::string, std::string> environment;
  std::string started;  // UTC, "2026-11-21T09:30:00Z"
  double seconds = 0;

  [[nodiscard]] double score() const;
  [[nodiscard]] double max_score() const;
  /// Points of the items that this run could assess: max_score() unless status is partial or error.
  [[nodiscard]] double assessed_points() const;
  [[nodiscard]] double points_in(Category category) const;
  [[nodiscard]] double max_points_in(Category category) const;
  /// Every item that could be assessed has all its points, none is an internal error, and every
  /// case was assessed.
  [[nodiscard]] bool passed() const;
};
WARPGRADE_FIELDS(Grade, lab, lab_title, student, attempt, status, failure, device, summary, pitfall,
                 cause, items, cases, findings, kernels_case, kernels, timing, profile, rung, speed,
                 before_release, integrity, sources, build_log, output, environment, started,
                 seconds)

}  // namespace warpgrade
