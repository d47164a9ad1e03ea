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
  double points = 0;  // of the rubric's correctness points
  bool visible = true;  // hidden ones mix the secret into their data
  bool exact = false;  // its data are such that every order of summation is exact
  std::string hint;
  Dataset data;  // its `name` is the case's `dataset`
};

struct Rubric {
  double build = 0;
  double correctness = 0;
  double safety = 0;
  double concept_checks = 0;
  double performance = 0;
};

/// Reached when modelled (or measured) time <= `ratio` * the reference's; tiers ascend in ratio.
struct Tier {
  double ratio = 1.0;
  double points = 0;
};

/// A course formula held against counters of one case:
/// at_least * expected <= measured <= at_most * expected.
struct ConceptCheck {
  std::string id;
  std::string title;
  double points = 0;
  std::string on;  // name of the case that is measured
  Expression measured;  // over counters (counter_names.h) and dims
  Expression expected;  // over dims
  double at_least = 0;
  double at_most = 1;
  std::string unit;  // of both, for messages: "sectors", "sectors per request"
  /// Both in words, with {} for the number and [one|several] after it: "each bin gets {} global
  /// [atomic|atomics] per block", "{} [is|are] enough". Empty: made of the unit.
  std::string says = {};
  std::string enough = {};
  std::string pitfall;  // "P75"
  std::string hint;
};

/// What an idea makes of a counter of a program that has not had it yet.
struct CounterChange {
  std::string counter;  // one of counter_names.h
  Expression value;  // over counters before the change and dims of the performance case
};

/// A step of the ladder that the course teaches, and how a submission on it is recognised.
struct Rung {
  std::string stage;  // "04_shared_tree", in reference/<lab>/stages
  std::string title;
  Expression when;  // condition over counters and dims of the performance case
  std::string next;  // what the rung after it gains
  std::vector<CounterChange> change = {};  // what that makes of the counters, in order
};

/// What a mistake looks like: all of what is given must hold. Regular expressions are ECMAScript,
/// and are tried on each line of the submission without its comments.
struct Clue {
  std::string pitfall;  // "P57"
  std::string says;  // for the student, a sentence
  std::string pattern;  // of a wrong case
  std::vector<std::string> fails;  // cases that do not pass
  std::vector<std::string> passes;  // cases that do
  std::string finding;  // a finding of this kind is there
  std::string no_finding;  // and none of this
  std::string source;
  std::string lacks;
  std::optional<Expression> when;  // condition over counters and dims of the performance case
};

/// How much is said of a cause that an experiment has shown (grader/experiment).
enum class Hints : std::uint8_t {
  place,  // where one change makes cases right
  kind,  // and what kind of change it is
  fix,  // and what to write there
};

struct Lab {
  std::string id;
  std::string title;
  /// Least compute capability that submissions are compiled for: 75, 80, ...
  int architecture = 75;
  std::vector<std::string> submit;  // file names that a submission consists of
  std::string function;
  std::vector<Parameter> parameters;
  Tolerance tolerance;
  std::vector<Case> cases;  // in lab.toml's order, easy to hard
  Rubric rubric;
  std::vector<Tier> tiers;
  std::string performance_case;  // name of the case whose cost is compared
  /// What is timed on a GPU instead of that case, named after it; nothing: the case itself.
  std::optional<Case> gpu_case;
  /// Operations on floats that the task takes, over dims; nothing: not given, or it has none.
  std::optional<Expression> flops;
  std::vector<ConceptCheck> concepts;
  std::vector<Rung> rungs;  // from the first right kernel up
  std::vector<Clue> clues;  // the first that holds names the mistake
  std::vector<std::string> allowed_libraries;  // that a submission may include: "cub"
  std::vector<std::string> allowed_names;  // that its object may need beside those all may
  Hints hints = Hints::kind;
  bool host_assembly = false;  // whether a submission may have inline assembly in host code
  std::vector<std::string> required_categories;  // beside the mandatory ones

  std::filesystem::path root;  // holds labs/, reference/, datasets/
  std::filesystem::path folder;  // labs/<id>
  std::filesystem::path header;  // labs/<id>/<id>.h, the contract
  std::filesystem::path stub;  // labs/<id>/<id>.cu
  std::filesystem::path handout;  // labs/<id>/README.md
  std::filesystem::path reference;  // reference/<id>: solution.cu, stages/, wrong/, golden.cpp

  [[nodiscard]] const Case* find_case(std::string_view name) const;
  /// What is timed on a GPU; null for a lab without performance points.
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

/// Edge categories that every lab must have a case for, or that lab.toml requires, and has not.
[[nodiscard]] std::vector<std::string> missing_categories(const Lab& lab);

}  // namespace warpgrade
