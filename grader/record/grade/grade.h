#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/finding.h"
#include "emulator/record/kernel.h"
#include "grader/record/grade/speed_report.h"
#include "grader/record/grade/timing_report.h"
#include "grader/record/grade/tool_report.h"
#include "harness/core/names.h"
#include "harness/lab/concept_check.h"
#include "harness/lab/question.h"
#include "harness/tolerance/wrong_map.h"

namespace warpgrade {

using record::HasFields;
using record::MaybeConst;
using warpsim::kPitfallPattern;
using warpsim::ReportedFinding;

enum class ItemStatus : std::uint8_t {
  passed,
  partial,
  failed,
  not_assessed,  // impossible on this machine; the message says what is needed
  error,  // an internal error; no points are lost
};
constexpr auto names_of(ItemStatus) {
  return names_up_to<ItemStatus::error>("passed", "partial", "failed", "not_assessed", "error");
}

/// The rubric's categories, in the order in which they are graded and shown.
enum class Category : std::uint8_t {
  build,
  correctness,
  safety,
  concept_check,
  performance,
  questions,
};
constexpr auto names_of(Category) {
  return names_up_to<Category::questions>("build", "correctness", "safety", "concept",
                                          "performance", "questions");
}
/// In the order in which tables show them.
inline constexpr std::array kCategories = {Category::build,       Category::correctness,
                                           Category::safety,      Category::concept_check,
                                           Category::performance, Category::questions};

/// A concept check as numbers: right if `measured` is between `at_least` and `at_most` times
/// `expected`.
struct ConceptNumbers {
  ConceptCheck check;  // as in lab.toml; of a grade that was read, only the keys with `in_grade`
  double measured = 0;
  double expected = 0;
  std::optional<double> reference = std::nullopt;  // measured on the reference solution
};
template <class Visitor, MaybeConst<ConceptNumbers> T>
void visit_fields(Visitor& visitor, T& value) {
  using record::Field;
  for_each_concept_key([&](const auto& key) {
    if (*key.in_grade == '\0') return;
    visitor(Field(key.in_grade, {}, {.floats = record::Floats::finite}), value.check.*key.member);
  });
  const record::Limits any = {.floats = record::Floats::any};
  visitor(Field("measured", {}, any), value.measured);
  visitor(Field("expected", {}, any), value.expected);
  visitor(Field("reference", "Measured on the reference solution.", any), value.reference);
}
constexpr std::string_view name_of_record(const ConceptNumbers*) {
  return "ConceptNumbers";
}

/// A question as its student got it, and the answer.
struct QuestionReport {
  std::string kind;  // "number", "choice", "choices", "formula", "counter"
  std::string text;  // with the student's numbers
  std::vector<std::string> options;  // "a: twice"
  std::string answer;  // the student's; empty: none
  /// For staff, and for students after the due date: empty otherwise.
  std::string expected;
  std::string solution;
};
WARPGRADE_FIELDS(QuestionReport, (kind, "", {.one_of = kNamesOf<QuestionKind>}),
                 (text, "With this student's numbers."), options,
                 (answer, "As submitted; empty: none."),
                 (expected,
                  "The right answer; for a counter, what was counted. Empty in what students get "
                  "before their due date."),
                 (solution, "Worked; empty if expected is."))

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
  std::optional<ConceptNumbers> numbers = std::nullopt;  // of a concept check that was evaluated
  std::optional<QuestionReport> question = std::nullopt;  // of a question
};
WARPGRADE_FIELDS(Item, (id, "Unique in a grade: correctness/one element.", {.not_empty = true}),
                 category, title, points, max_points,
                 (status,
                  "not_assessed: not assessable on this device; the message says what could. "
                  "error: an internal error; no points are lost."),
                 (message, "What happened, one sentence."), (hint, "What to look at next."),
                 (pitfall, "", {.pattern = kPitfallPattern}),
                 (numbers,
                  "Of a concept check that was counted: right if measured is from at_least to "
                  "at_most times expected.",
                  {.optional = true}),
                 (question, "Of an item in the category questions.", {.optional = true}))

/// An output element outside its error bound.
struct MismatchedElement {
  std::string parameter;
  std::uint64_t index = 0;
  double got = 0;
  double want = 0;
  double bound = 0;
};
WARPGRADE_FIELDS(MismatchedElement, parameter, (index, "Flat, row-major."),
                 (got, "", {.floats = record::Floats::any}),
                 (want, "", {.floats = record::Floats::any}),
                 (bound, "", {.floats = record::Floats::any}))

WARPGRADE_FIELDS(WrongMap, parameter, (rows, "Elements, of the matrix or the folded array."),
                 columns, (folded, "Not a matrix: the elements in order, `columns` per row."),
                 (cell_rows, "Elements per cell.", {.from = 1}), (cell_columns, "", {.from = 1}),
                 (cells,
                  "Rows of cells: 0 all right, 1 to 9 the share of wrong elements in ninths, "
                  "rounded up, . no element.",
                  {.pattern = "^[0-9.]{1,64}$", .at_most = kWrongMapCells}))

enum class CaseVerdict : std::uint8_t {
  passed,
  wrong,
  broke_contract,
  cuda_error,
  crashed,  // a signal, or an exit before the harness finished
  never_ends,  // instruction budget or time-out
  not_run,  // an earlier step failed
  not_assessed,  // it needs something that the emulator lacks
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
  std::string pattern;  // slug of where it is wrong: "tail"; empty if it is right
  std::string pattern_detail;
  std::uint64_t elements = 0;
  std::uint64_t wrong_elements = 0;
  double max_error = 0;
  double bound = 0;
  std::vector<MismatchedElement> first_mismatches;
  double seconds = 0;
  std::optional<WrongMap> wrong_map = std::nullopt;  // of the output in first_mismatches
};
WARPGRADE_FIELDS(
    CaseReport, (name, "", {.not_empty = true}), visible, (shape, "Extents: n is 1000."),
    (verdict,
     "not_assessed: it needs something that the emulator lacks; the other cases are graded.",
     {.key = "status"}),
    message, (pattern, "Where it is wrong: tail, shifted, ...; empty if it is right."),
    pattern_detail, elements, wrong_elements, (max_error, "", {.floats = record::Floats::any}),
    (bound, "Allowed where max_error is.", {.floats = record::Floats::any}), first_mismatches,
    seconds,
    (wrong_map, "Where the output of first_mismatches is wrong: at most 64 x 64 cells.",
     {.optional = true}))

/// Points that differ by less than this are the same: they are written with six digits.
constexpr double kSamePoints = 1e-6;
/// Times that differ by less than this factor are the same: the cost model is not more accurate.
constexpr double kSameTime = 1.05;

/// The rung that a submission reaches on the lab's ladder of stages.
struct RungReport {
  std::size_t index = 0;  // from 1
  std::size_t count = 0;  // rungs of the ladder
  std::string stage;  // "04_shared_tree"
  std::string title;
  /// Of the rung above; empty at the top, or if the lab's stage of that rung is slower than this
  /// program.
  std::string next_title;
  std::string next;  // what it would gain, one sentence; may be empty
  /// Predicted by the cost model from what the next rung changes; 0 if the lab does not say. Below
  /// 1, that rung alone is slower. Or, if the lab's own stages say that it is, their ratio.
  double next_times_faster = 0;
  /// The lowest rung above the next one whose stage is faster than this one's and than this
  /// program, if the next rung is not; 0 if there is none, or if the stages' times are not known.
  std::size_t faster_index = 0;
  std::string faster_title = {};
};
WARPGRADE_FIELDS(
    RungReport, (index, "From 1, the lowest.", {.from = 1}),
    (count, "Rungs of the ladder.", {.from = 1}), (stage, "", {.not_empty = true}),
    (title, "", {.not_empty = true}),
    (next_title,
     "Of the rung above; empty at the top, or if the lab's stage of that rung is slower than the "
     "program."),
    (next, "What would be gained, one sentence; may be empty."),
    (next_times_faster,
     "By the cost model, with what the rung above changes; below 1, that rung alone is slower. The "
     "ratio of the lab's own stages, if these say that it is slower. 0: not known.",
     {.optional = true}),
    (faster_index,
     "If the rung above is not faster: the lowest one above it that is. 0: none, or not known.",
     {.optional = true}),
    (faster_title, "Of that rung.", {.optional = true}))

/// A flag for manual review; never changes points by itself.
struct IntegrityFlag {
  std::string kind;
  std::string message;
  std::string evidence;
};
WARPGRADE_FIELDS(IntegrityFlag, (kind, "", {.not_empty = true}), message, evidence)

inline constexpr std::array<std::string_view, 3> kDeviceKinds = {"emulator", "cuda", "none"};

struct DeviceReport {
  std::string kind = "none";
  std::string name;
};
WARPGRADE_FIELDS(DeviceReport, (kind, "", {.one_of = kDeviceKinds}), name)

struct SourceFile {
  std::string name;  // relative to the submission
  std::string text;
};
WARPGRADE_FIELDS(SourceFile, (name, "Relative to the submission."), text)

enum class GradeStatus : std::uint8_t {
  graded,
  partial,  // some items could not be assessed on this machine
  error,  // an internal or machine error; to be graded again
};
constexpr auto names_of(GradeStatus) {
  return names_up_to<GradeStatus::error>("graded", "partial", "error");
}

/// Why a submission lost points; decided by failure_of() (grader/record/grade/failure.h). An
/// earlier one explains a later one.
enum class Failure : std::uint8_t {
  none,
  environment,  // this machine or cluster; never the student's
  harness_fault,  // the grader; never the student's
  lab_fault,  // the lab's own code, such as its golden function; never the student's
  no_submission,
  compile_error,
  link_error,
  not_allowed,  // uses system functions that submissions may not use
  hang,
  illegal_address,
  launch_error,
  crash,
  race,
  wrong,
  unsafe,  // a leak, a read of uninitialized memory, ...
  concept_missed,
  too_slow,
  question_missed,
};
constexpr auto names_of(Failure) {
  return names_up_to<Failure::question_missed>(
      "none", "environment", "harness_fault", "lab_fault", "no_submission", "compile_error",
      "link_error", "not_allowed", "hang", "illegal_address", "launch_error", "crash", "race",
      "wrong", "unsafe", "concept_missed", "too_slow", "question_missed");
}

/// What an experiment changed in a program to find out why its cases fail.
enum class CauseKind : std::uint8_t {
  direction,  // of copies
  launch,  // a launch that the card rejects
  outside,  // accesses out of range
  barrier,
  indivisible,  // a non-atomic update of one address by several lanes
  uninitialized,  // a read of uninitialized memory
  outputs,  // their contents before the call
  blocks,  // one more or fewer
  axes,  // x and y; row and column of an index
  block_size,
  row_length,  // an index is computed with another argument of the kernel
  thread_and_block,  // threadIdx and blockIdx exchanged
  signs,  // bytes are read as signed numbers
  bytes,  // a size in elements where bytes are expected
};
constexpr auto names_of(CauseKind) {
  return names_up_to<CauseKind::bytes>("direction", "launch", "outside", "barrier", "indivisible",
                                       "uninitialized", "outputs", "blocks", "axes", "block_size",
                                       "row_length", "thread_and_block", "signs", "bytes");
}

/// A cause proven by experiment: with one thing changed in the emulator, failing cases pass.
struct Cause {
  CauseKind kind = CauseKind::barrier;
  std::string change;  // for `warpsim --change`; "" if only the harness changed something
  std::string file;  // of the submission; empty if it concerns no line
  std::uint32_t line = 0;
  std::string pitfall;  // may be empty
  std::string message;  // the proof, one sentence
  std::vector<std::string> cases;  // that failed and pass with the change
  std::size_t tried = 0;  // cases that were run with it
  std::size_t right = 0;  // of these, how many passed
  std::size_t runs = 0;  // of all experiments together
  bool from_hidden = false;  // from hidden cases: not shown to students before the release
};
WARPGRADE_FIELDS(Cause, (kind, "What an experiment changed."),
                 (change, "For `warpsim --change`; empty if outputs held 0 before the call."),
                 (file, "Of the submission; empty if it concerns no line."), line,
                 (pitfall, "", {.pattern = kPitfallPattern}),
                 (message, "The proof, one sentence.", {.not_empty = true}),
                 (cases, "That failed and are right with the change."),
                 (tried, "Cases that were run with the change."),
                 (right, "Of these, those that are right."), (runs, "Of all experiments together."),
                 (from_hidden,
                  "Made with hidden cases: not shown to students before their release."))

/// What is said about a submission, made from evidence (judge/assess/assessment.h). A grade has it
/// twice: for staff from all of the evidence, and for students before the release of hidden cases
/// from visible cases and runs on public data.
struct Assessment {
  std::string summary = {};  // the one thing to do first, one sentence
  std::string pitfall = {};  // of the summary; may be empty
  std::optional<Cause> cause = std::nullopt;  // if an experiment proved one
  std::vector<Item> items = {};
  std::vector<ReportedFinding> findings = {};
  std::string kernels_case = {};  // the case in which `kernels` were counted
  std::vector<KernelReport> kernels = {};
  std::optional<Timing> timing = std::nullopt;
  std::optional<RungReport> rung = std::nullopt;
  std::optional<SpeedReport> speed = std::nullopt;  // of a correct run on the emulator
};
WARPGRADE_FIELDS(
    Assessment, (summary, "The one thing to do first, one sentence."),
    (pitfall, "Of the summary.", {.pattern = kPitfallPattern}),
    (cause,
     "Shown by experiment: with one thing changed in the emulator, failing cases are right. null: "
     "none was shown.",
     {.optional = true}),
    (items, "", {.not_empty = true}), findings,
    (kernels_case, "The case in which `kernels` were counted."), kernels, timing,
    (rung,
     "Where the submission stands on the lab's ladder of stages; null if the performance case is "
     "not right or no rung fits."),
    (speed,
     "Where the modelled time of the performance case goes, and what would shorten it; null if "
     "that case is not right or was not emulated.",
     {.optional = true}))

/// What students may see before the hidden cases are released. Of hidden cases it contains points,
/// statuses, and kinds of findings.
struct BeforeRelease {
  std::size_t hidden_cases = 0;  // of the lab; if 0, the rest is empty
  Assessment assessment = {};  // with a single item for all hidden cases
  std::vector<std::string> hidden_kinds = {};  // of findings in hidden cases only
  /// Hidden cases that may be named, because their counters come from a run on public data.
  std::vector<std::string> public_cases = {};
};
WARPGRADE_FIELDS(
    BeforeRelease, (hidden_cases, "Of the lab; 0: nothing is hidden, and the rest is left out."),
    (assessment, "With a single item for all hidden cases.", {.optional = true, .flat = true}),
    (hidden_kinds, "Kinds of findings that only hidden cases showed.", {.optional = true}),
    (public_cases,
     "Hidden cases that may be named: their counters come from a run on public data, as there was "
     "no secret.",
     {.optional = true}))

/// Adds a hidden case's points and status to the item for all hidden cases.
void add_hidden_case(const Item& item, Item& sum);

/// Which submission was graded, with which result.
struct GradeHeader {
  std::string lab;
  std::string lab_title;
  std::optional<double> pass_mark = std::nullopt;  // the lab's, in percent of the points
  std::string student;
  int attempt = 1;
  GradeStatus status = GradeStatus::graded;
  Failure failure = Failure::none;
  DeviceReport device;
};
WARPGRADE_FIELDS(
    GradeHeader, (lab, "", {.not_empty = true}), lab_title,
    (pass_mark, "The lab's, in percent of the points.", {.optional = true, .to = 100}),
    (student, "", {.not_empty = true}), (attempt, "", {.from = 1}),
    (status,
     "partial: some items cannot be assessed on this device. error: an internal error or a failure "
     "of the machine; grade again, the score is meaningless."),
    (failure,
     "Why the submission lost points: of all that went wrong, what explains the rest. environment, "
     "harness_fault and lab_fault are not the student's: status is error.",
     {.optional = true}),
    device)

/// What was observed, and what it was made from.
struct GradeFacts {
  std::vector<CaseReport> cases;
  std::optional<CardProfile> profile = std::nullopt;  // only if requested
  std::optional<BeforeRelease> before_release = std::nullopt;  // missing in earlier versions
  std::vector<IntegrityFlag> integrity;
  std::vector<SourceFile> sources;
  std::string build_log;  // compiler messages, with the student's file names
  std::string output;  // of the first run that printed something; never parsed
  std::map<std::string, std::string> environment;
  std::string started;  // UTC, "2026-11-21T09:30:00Z"
  double seconds = 0;
};
WARPGRADE_FIELDS(
    GradeFacts, cases,
    (profile,
     "What NVIDIA's tools saw on the card, with --profile. A program can forge it; it never "
     "changes points.",
     {.optional = true, .omit = true}),
    (before_release,
     "What students may see while hidden cases are not released: made from visible cases and runs "
     "on public data.",
     {.optional = true, .omit = true}),
    (integrity, "For review; never changes points."), sources,
    (build_log, "Messages of the compiler, with the student's file names."),
    (output, "What the submission printed; shown, never parsed."), environment,
    (started, "UTC.", {.pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"}),
    seconds)

/// All that is known about one submission; the only input of every report and export. It is the
/// staff's record; students see the part that grader/record/grade/student_view.h selects.
struct Grade : GradeHeader, Assessment, GradeFacts {
  [[nodiscard]] double score() const;
  [[nodiscard]] double max_score() const;
  /// Points of the items that this run could assess: max_score(), unless the status is partial or
  /// error.
  [[nodiscard]] double assessed_points() const;
  [[nodiscard]] double points_in(Category category) const;
  [[nodiscard]] double max_points_in(Category category) const;
  /// Every item that could be assessed has all its points, none is an internal error, and every
  /// case was assessed.
  [[nodiscard]] bool passed() const;
};
template <class Visitor, MaybeConst<Grade> T>
void visit_fields(Visitor& visitor, T& grade) {
  visit_fields(visitor, record::base<GradeHeader>(grade));
  visit_fields(visitor, record::base<Assessment>(grade));
  visit_fields(visitor, record::base<GradeFacts>(grade));
}
constexpr std::string_view name_of_record(const Grade*) {
  return "Grade";
}

/// What grade.json has that follows from the items.
struct GradeTotals {
  double score = 0;
  double max_score = 0;
  double assessed = 0;
  bool passed = false;
};
WARPGRADE_FIELDS(
    GradeTotals, score, max_score,
    (assessed, "Points of the items that this device could assess: of these, score were reached."),
    (passed, "Every item that was assessed has all its points, and every case was assessed."))

}  // namespace warpgrade
