#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/expression.h"
#include "harness/core/lab_error.h"
#include "harness/core/names.h"
#include "harness/data/dataset.h"
#include "harness/lab/cheap_answer.h"
#include "harness/lab/concept_check.h"
#include "harness/lab/program.h"
#include "harness/lab/question.h"
#include "harness/lab/signature.h"
#include "harness/lab/tolerance.h"

namespace warpgrade {

struct Case {
  std::string name;
  double points = 0;  // share of the rubric's correctness points
  bool visible = true;  // data of hidden cases depend on the secret
  bool exact = false;  // with its data, every order of summation is exact
  std::string hint;
  Dataset data;  // its `name` is the case's `dataset`
  ProgramCase program = {};  // of labs whose students write main()
};

struct Rubric {
  double build = 0;
  double correctness = 0;
  double safety = 0;
  double concept_checks = 0;
  double performance = 0;
  double questions = 0;

  [[nodiscard]] double total() const {
    return build + correctness + safety + concept_checks + performance + questions;
  }
};

/// Reached if the modelled (or measured) time <= `ratio` * the reference's; tiers ascend in ratio.
struct Tier {
  double ratio = 1.0;
  double points = 0;
};

/// The effect of an optimization on a counter of a program without it.
struct CounterChange {
  std::string counter;  // one of counter_names.h
  Expression value;  // over counters before the change and dims of the performance case
};

/// A step of the ladder that the course teaches, and how a submission on it is recognised.
struct Rung {
  std::string stage;  // "04_shared_tree", in reference/<lab>/stages
  std::string title;
  Expression when;  // condition over counters and dims of the performance case
  std::string next;  // the gain of the next rung
  std::vector<CounterChange> change = {};  // its effect on the counters, in order
};

/// The symptoms of a mistake: all given conditions must hold. Regular expressions are ECMAScript,
/// and are matched with each line of the submission without comments.
struct Clue {
  std::string pitfall;  // "P57"
  std::string says;  // for the student, a sentence
  std::string pattern;  // of a wrong case
  std::vector<std::string> fails;  // cases that do not pass
  std::vector<std::string> passes;  // cases that do
  std::string finding;  // there is a finding of this kind
  std::string no_finding;  // and none of this kind
  std::string source;
  std::string lacks;
  std::optional<Expression> when;  // condition over counters and dims of the performance case
};

/// How much is revealed of a cause proven by an experiment (grader/judge/experiment).
enum class Hints : std::uint8_t {
  place,  // the location of a change that makes cases right
  kind,  // and the kind of change
  fix,  // and the fix
};

/// The version of C++ as which submissions are compiled.
enum class CppStandard : std::uint8_t { cpp17, cpp20 };
constexpr auto names_of(CppStandard) {
  return names_up_to<CppStandard::cpp20>("c++17", "c++20");
}

/// What submissions are written in: CUDA C++ or HIP; Python with Numba's kernels.
enum class Language : std::uint8_t { cuda, python };
constexpr auto names_of(Language) {
  return names_up_to<Language::python>("cuda", "python");
}

/// The place of a lab in a course.
struct Schedule {
  int week = 0;  // of the course, from 1; 0: not given
  double hours = 0;  // that a student should plan; 0: not given
  std::vector<std::string> after;  // ids of labs that should be done before
};

struct Lab {
  std::string id;
  std::string title;
  /// Minimum compute capability for which submissions are compiled: 75, 80, ...
  int architecture = 75;
  /// What nvcc compiles for in its place: "90a", whose instructions no other card has; empty: the
  /// same.
  std::string nvcc_architecture;
  std::string card;  // that the emulator is ("h200"); empty: its default
  CppStandard standard = CppStandard::cpp20;
  int devices = 1;  // that a submission sees
  std::vector<std::string> submit;  // file names that a submission consists of
  /// The only one that a course takes; nothing: each that the lab has a form in.
  std::optional<Language> only_language;
  /// The only one, or the first of `steps`; "main" of a program; empty: the lab consists of
  /// questions, and nothing is compiled or run.
  std::string function;
  std::vector<Function> steps;  // if there are several, in the order of their calls
  bool has_calls = false;  // cases choose among `steps`
  /// Of all functions together, each once; of a program its files, as arrays on the host.
  std::vector<Parameter> parameters;
  std::optional<Program> program;  // of labs whose students write main()
  std::vector<RecordType> records;
  std::vector<SparseMatrix> matrices;
  std::vector<Setting> settings;
  std::vector<DerivedSize> sizes;  // in lab.toml's order
  Tolerance tolerance;
  std::vector<Case> cases;  // in lab.toml's order, easy to hard
  Rubric rubric;
  std::vector<Tier> tiers;
  std::string performance_case;  // name of the case whose cost is compared
  /// Compare the time of the whole call on the modelled timeline, with copies and waits, instead of
  /// the kernels' times.
  bool times_timeline = false;
  /// The case timed on a GPU instead, with the same name; nothing: the case itself.
  std::optional<Case> gpu_case;
  /// Floating-point operations of the task, over dims; nothing: not given, or it has none.
  std::optional<Expression> flops;
  std::vector<ConceptCheck> concepts;
  std::vector<Rung> rungs;  // from the first right kernel up
  std::vector<Clue> clues;  // the first that holds names the mistake
  std::vector<LabQuestion> questions;
  std::vector<std::string> allowed_libraries;  // that a submission may include: "cub"
  std::vector<std::string> allowed_names;  // additional names that its object may use
  /// Bytes of device data that may come back to the host before the outputs are complete, over
  /// dims; nothing: as harness/case/replay.h says.
  std::optional<Expression> host_reads;
  /// What host code may make of the inputs before kernels get them, a sentence or a few words each;
  /// empty: nothing.
  std::vector<std::string> host_work;
  Hints hints = Hints::kind;
  /// The pass mark in percent of the points, if no course file gives one; nothing: not set.
  std::optional<double> pass;
  Schedule schedule;
  bool host_assembly = false;  // whether inline assembly in host code is allowed
  std::vector<std::string> required_categories;  // in addition to the mandatory ones
  std::vector<Waiver> waivers;  // mandatory categories without a case
  std::vector<AnswerWaiver> answer_waivers;  // cheap answers that pass

  std::filesystem::path root;  // holds labs/, reference/, datasets/
  std::filesystem::path folder;  // labs/<id>
  std::filesystem::path header;  // labs/<id>/<id>.h, the contract
  std::vector<std::filesystem::path>
      given;  // further headers, beside it or another lab's, for submissions
  std::filesystem::path stub;  // labs/<id>/<id>.cu
  /// Why the stub need not build, a sentence; empty: it has to.
  std::string stub_reason;
  std::filesystem::path handout;  // labs/<id>/README.md
  std::filesystem::path reference;  // reference/<id>: solution.cu, stages/, wrong/, golden.cpp

  /// The error model of an output: its own, else the lab's.
  [[nodiscard]] const Tolerance& tolerance_of(const Parameter& parameter) const {
    return parameter.tolerance ? *parameter.tolerance : tolerance;
  }
  /// Whether golden.cpp decides with WARPGRADE_ACCEPTS about an output.
  [[nodiscard]] bool has_predicate() const;
  /// Whether students write code, functions or a program, that is compiled and run.
  [[nodiscard]] bool has_code() const { return !function.empty(); }
  [[nodiscard]] const Case* find_case(std::string_view name) const;
  /// @throws std::out_of_range  if there is none with that name
  [[nodiscard]] const RecordType& record(std::string_view name) const;
  [[nodiscard]] const SparseMatrix& matrix(std::string_view name) const;
  /// The case timed on a GPU; null for a lab without performance points.
  [[nodiscard]] const Case* timed_case() const;
};

/// Reads labs/<id>/lab.toml and datasets/<id>.toml and checks everything that can be checked
/// without running anything: unknown keys, types, points, names, formulas, edge categories that
/// the data does not have.
/// @param folder  labs/<id>
/// @throws LabError
[[nodiscard]] Lab load_lab(const std::filesystem::path& folder);

/// The names of the values of each [[setting]].
[[nodiscard]] NamedSettings named_settings(const Lab& lab);

/// Ids of all folders of <root>/labs with a lab.toml, sorted.
[[nodiscard]] std::vector<std::string> find_labs(const std::filesystem::path& root);

/// The file in which students answer the questions of a lab.
inline constexpr const char* kAnswersFile = "answers.toml";

/// Edge categories without a case that are mandatory or that lab.toml requires, and for which it
/// has no waiver.
[[nodiscard]] std::vector<std::string> missing_categories(const Lab& lab);

}  // namespace warpgrade
