#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/expression.h"
#include "harness/core/names.h"
#include "harness/data/dataset.h"

namespace warpgrade {

enum class QuestionKind : std::uint8_t {
  number,  // one number, in a unit
  choice,  // one of the options
  choices,  // all options that are right, and no other
  formula,  // a formula over extents, compared by its values at several sizes
  counter,  // a prediction, compared with the counters of the student's own program
};
constexpr auto names_of(QuestionKind) {
  return names_up_to<QuestionKind::counter>("number", "choice", "choices", "formula", "counter");
}

/// A number in a question that differs between students: one of `values`.
struct DrawnNumber {
  std::string name;
  std::vector<double> values;  // at least one
};

/// Numbers drawn for one student, by name.
using Draw = std::map<std::string, double>;

struct QuestionOption {
  std::string id;  // "a"
  std::string text;
};

/// A wrong answer that earns a share of the points.
struct PartialAnswer {
  std::optional<Expression> value = std::nullopt;  // of number and formula
  std::string option = {};  // of choice
  double share = 0;  // of the points, above 0 and below 1
  std::string says = {};  // to the student; "" for nothing
};

/// What staff know of a question; from reference/<lab>/answers.toml.
struct QuestionKey {
  std::optional<Expression> value = std::nullopt;  // over drawn numbers; of formula over sizes, too
  std::vector<std::string> options = {};  // that are right, of choice and choices
  std::vector<PartialAnswer> partial = {};
  std::string solution = {};  // worked; with {name} for drawn numbers and {answer}
};

/// One [[question]] of lab.toml.
struct LabQuestion {
  std::string id;  // the key in a student's answers.toml
  std::string title;
  std::string text;  // with {name} for drawn numbers
  QuestionKind kind = QuestionKind::number;
  double points = 0;
  std::string hint = {};
  std::vector<DrawnNumber> drawn = {};
  std::string unit = {};  // of number and counter: "blocks"; empty: none
  double tolerance = 0;  // |answer - right| that is accepted, in the unit
  double relative = 0;  // the same as a share of the right number; the larger one counts
  std::vector<QuestionOption> options = {};  // of choice and choices
  std::vector<Dims> sizes = {};  // at which formulas are compared
  std::string on = {};  // of counter: name of the case
  std::optional<Expression> measured = std::nullopt;  // of counter: over counters and dims
  /// Nothing on a machine without reference/<lab>: the answer cannot be judged there. Of counter
  /// questions only a solution may be in it.
  std::optional<QuestionKey> key = std::nullopt;
};

/// `text` with the drawn numbers in place of {name}; other braces stay.
[[nodiscard]] std::string with_numbers(std::string_view text, const Draw& draw);

/// The names in braces of a text: "n" of "{n} elements". Only identifiers count.
[[nodiscard]] std::vector<std::string> names_in_braces(std::string_view text);

/// A number as people write it: 4096, 0.25.
[[nodiscard]] std::string number_text(double value);

}  // namespace warpgrade
