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
#include "harness/data/dataset.h"
#include "harness/data/element_type.h"
#include "harness/lab/concept_check.h"
#include "harness/lab/program.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {

enum class Role : std::uint8_t { input, output, inout, scalar };
enum class Memory : std::uint8_t { host, device };

/// One parameter of the function that a student writes.
struct Parameter {
  std::string name;
  Role role = Role::input;
  ElementType type = ElementType::f32;
  Memory memory = Memory::device;  // of arrays
  std::vector<Expression> shape;  // of arrays, over the case's dims
  std::optional<Expression> value;  // of scalars, over the case's dims

  [[nodiscard]] bool is_array() const { return role != Role::scalar; }
  [[nodiscard]] bool is_read() const { return role == Role::input || role == Role::inout; }
  [[nodiscard]] bool is_written() const { return role == Role::output || role == Role::inout; }
};

/// |got - want| <= factor * product_sum_bound(terms) * condition + underflow; integers are always
/// exact. See docs/tolerance.md.
struct Tolerance {
  enum class Model : std::uint8_t { rounding, exact };
  Model model = Model::rounding;
  std::optional<Expression> terms;  // roundings in the longest chain, over the case's dims
  double factor = 1.0;
  Precision precision = Precision::f32;
};

struct Case {
  std::string name;
  double points = 0;  // share of the rubric's correctness points
  bool visible = true;  // data of hidden cases depend on the secret
  bool exact = false;  // with its data, every order of summation is exact
  std::string hint;
  Dataset data;  // its `name` is the case's `dataset`
  ProgramCase program = {};  // of labs with [program]
};

struct Rubric {
  double build = 0;
  double correctness = 0;
  double safety = 0;
  double concept_checks = 0;
  double performance = 0;
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

/// How much is revealed of a cause proven by an experiment (grader/experiment).
enum class Hints : std::uint8_t {
  place,  // the location of a change that makes cases right
  kind,  // and the kind of change
  fix,  // and the fix
};

struct Lab {
  std::string id;
  std::string title;
  /// Minimum compute capability for which submissions are compiled: 75, 80, ...
  int architecture = 75;
  std::vector<std::string> submit;  // file names that a submission consists of
  std::string function;  // "main" of a program
  std::vector<Parameter> parameters;  // of a program: its files, as arrays on the host
  std::optional<Program> program;  // labs whose students write main()
  Tolerance tolerance;
  std::vector<Case> cases;  // in lab.toml's order, easy to hard
  Rubric rubric;
  std::vector<Tier> tiers;
  std::string performance_case;  // name of the case whose cost is compared
  /// The case timed on a GPU instead, with the same name; nothing: the case itself.
  std::optional<Case> gpu_case;
  /// Floating-point operations of the task, over dims; nothing: not given, or it has none.
  std::optional<Expression> flops;
  std::vector<ConceptCheck> concepts;
  std::vector<Rung> rungs;  // from the first right kernel up
  std::vector<Clue> clues;  // the first that holds names the mistake
  std::vector<std::string> allowed_libraries;  // that a submission may include: "cub"
  std::vector<std::string> allowed_names;  // additional names that its object may use
  Hints hints = Hints::kind;
  /// The pass mark in percent of the points, if no course file gives one; nothing: not set.
  std::optional<double> pass;
  bool host_assembly = false;  // whether inline assembly in host code is allowed
  std::vector<std::string> required_categories;  // in addition to the mandatory ones

  std::filesystem::path root;  // holds labs/, reference/, datasets/
  std::filesystem::path folder;  // labs/<id>
  std::filesystem::path header;  // labs/<id>/<id>.h, the contract
  std::filesystem::path stub;  // labs/<id>/<id>.cu
  std::filesystem::path handout;  // labs/<id>/README.md
  std::filesystem::path reference;  // reference/<id>: solution.cu, stages/, wrong/, golden.cpp

  [[nodiscard]] const Case* find_case(std::string_view name) const;
  /// The case timed on a GPU; null for a lab without performance points.
  [[nodiscard]] const Case* timed_case() const;
};

/// Reads labs/<id>/lab.toml and datasets/<id>.toml and checks everything that can be checked
/// without running anything: unknown keys, types, points, names, formulas, edge categories that
/// the data does not have.
/// @param folder  labs/<id>
/// @throws LabError
[[nodiscard]] Lab load_lab(const std::filesystem::path& folder);

/// Ids of all folders of <root>/labs with a lab.toml, sorted.
[[nodiscard]] std::vector<std::string> find_labs(const std::filesystem::path& root);

/// Edge categories without a case that are mandatory or that lab.toml requires.
[[nodiscard]] std::vector<std::string> missing_categories(const Lab& lab);

}  // namespace warpgrade
