#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/findings/array_access.h"
#include "emulator/findings/finding_kinds.h"
#include "grader/core/fields.h"
#include "grader/record/grade/kernel_report.h"
#include "grader/record/grade/speed_report.h"
#include "grader/record/grade/timing_report.h"
#include "grader/record/grade/tool_report.h"
#include "harness/core/names.h"
#include "harness/lab/concept_check.h"
#include "harness/tolerance/wrong_map.h"

namespace warpgrade {

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
  for_each_concept_key([&](const auto& key) {
    if (*key.in_grade != '\0') visitor(key.in_grade, value.check.*key.member);
  });
  visitor("measured", value.measured);
  visitor("expected", value.expected);
  visitor("reference", value.reference);
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
WARPGRADE_FIELDS(QuestionReport, kind, text, options, answer, expected, solution)

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
WARPGRADE_FIELDS(Item, id, category, title, points, max_points, status, message, hint, pitfall,
                 numbers, question)

/// An output element outside its error bound.
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
WARPGRADE_FIELDS(CaseReport, name, visible, shape, verdict, message, pattern, pattern_detail,
                 elements, wrong_elements, max_error, bound, first_mismatches, seconds, wrong_map)

/// A checker's finding, as the emulator reports it, merged over the cases.
struct ReportedFinding {
  std::string pitfall;
  std::string kind;
  std::string severity;  // "error", "warning", "note"
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // from 1; 0 if unknown
  std::string other_file = {};  // of a race's other access
  std::uint32_t other_line = 0;  // 0 if there is none
  std::string kernel;
  std::string message;
  std::string where;
  std::string who;
  std::string got;
  std::string want;
  std::string next;
  std::int64_t offset = 0;  // of access(), as are the next two
  std::uint64_t width = 0;
  std::uint64_t array_bytes = 0;
  std::string detail = {};  // the slug of a FindingDetail; empty if there is none
  std::uint64_t count = 1;
  std::vector<std::string> cases;  // in which it was seen

  /// The access to an array that it is about; not known if it is about none.
  [[nodiscard]] warpsim::ArrayAccess access() const {
    return {.offset = offset, .width = width, .bytes = array_bytes};
  }
  [[nodiscard]] bool has(warpsim::FindingDetail of) const { return detail == warpsim::slug(of); }

  [[nodiscard]] bool is_error() const { return severity == "error"; }
  [[nodiscard]] bool is(warpsim::FindingKind of) const { return kind == warpsim::slug(of); }
  [[nodiscard]] bool is_about(warpsim::FindingTopic topic) const;
  /// Names a symptom that many causes can have.
  [[nodiscard]] bool has_many_causes() const;
  /// Affects neither memory nor results.
  [[nodiscard]] bool is_tidiness() const;
  /// The program relies on undefined behavior that happened to work: lanes in lockstep without
  /// __syncwarp(), a barrier that some warps never reach, blocks that start in order.
  [[nodiscard]] bool relies_on_luck() const;
  /// Reports a missing feature of the emulator, not a mistake of the program.
  [[nodiscard]] bool is_lack_of_emulator() const;
  /// It costs points for safety.
  [[nodiscard]] bool counts() const { return is_error() || relies_on_luck(); }
};
WARPGRADE_FIELDS(ReportedFinding, pitfall, kind, severity, file, line, column, other_file,
                 other_line, kernel, message, where, who, got, want, next, offset, width,
                 array_bytes, detail, count, cases)

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
WARPGRADE_FIELDS(RungReport, index, count, stage, title, next_title, next, next_times_faster,
                 faster_index, faster_title)

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
WARPGRADE_FIELDS(Cause, kind, change, file, line, pitfall, message, cases, tried, right, runs,
                 from_hidden)

/// What students may see before the hidden cases are released: made from the submission itself,
/// from visible cases, and from runs on public data. Of hidden cases it contains points, statuses,
/// and kinds of findings.
struct BeforeRelease {
  std::size_t hidden_cases = 0;  // of the lab; if 0, the rest is empty
  std::string summary = {};
  std::string pitfall = {};
  std::optional<Cause> cause = std::nullopt;
  std::vector<Item> items = {};  // with a single one for all hidden cases
  std::vector<ReportedFinding> findings = {};
  std::vector<std::string> hidden_kinds = {};  // of findings in hidden cases only
  std::string kernels_case = {};
  std::vector<KernelReport> kernels = {};
  std::optional<Timing> timing = std::nullopt;
  std::optional<RungReport> rung = std::nullopt;
  std::optional<SpeedReport> speed = std::nullopt;
  /// Hidden cases that may be named, because their counters come from a run on public data.
  std::vector<std::string> public_cases = {};
};
WARPGRADE_FIELDS(BeforeRelease, hidden_cases, summary, pitfall, cause, items, findings,
                 hidden_kinds, kernels_case, kernels, timing, rung, speed, public_cases)

/// Adds a hidden case's points and status to the item for all hidden cases.
void add_hidden_case(const Item& item, Item& sum);

/// All that is known about one submission; the only input of every report and export. It is the
/// staff's record; students see the part that grader/record/grade/student_view.h selects.
struct Grade {
  std::string lab;
  std::string lab_title;
  std::optional<double> pass_mark = std::nullopt;  // the lab's, in percent of the points
  std::string student;
  int attempt = 1;
  GradeStatus status = GradeStatus::graded;
  Failure failure = Failure::none;
  DeviceReport device;
  std::string summary;  // the one thing to do first, one sentence
  std::string pitfall;  // of the summary; may be empty
  std::optional<Cause> cause = std::nullopt;  // if an experiment proved one
  std::vector<Item> items;
  std::vector<CaseReport> cases;
  std::vector<ReportedFinding> findings;
  std::string kernels_case;  // the case in which `kernels` were counted
  std::vector<KernelReport> kernels;
  std::optional<Timing> timing;
  std::optional<CardProfile> profile = std::nullopt;  // only if requested
  std::optional<RungReport> rung;
  std::optional<SpeedReport> speed = std::nullopt;  // of a correct run on the emulator
  std::optional<BeforeRelease> before_release = std::nullopt;  // missing in earlier versions
  std::vector<IntegrityFlag> integrity;
  std::vector<SourceFile> sources;
  std::string build_log;  // compiler messages, with the student's file names
  std::string output;  // of the first run that printed something; never parsed
  std::map<std::string, std::string> environment;
  std::string started;  // UTC, "2026-11-21T09:30:00Z"
  double seconds = 0;

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
WARPGRADE_FIELDS(Grade, lab, lab_title, pass_mark, student, attempt, status, failure, device,
                 summary, pitfall, cause, items, cases, findings, kernels_case, kernels, timing,
                 profile, rung, speed, before_release, integrity, sources, build_log, output,
                 environment, started, seconds)

}  // namespace warpgrade
