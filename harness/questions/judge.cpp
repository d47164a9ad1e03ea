#include "harness/questions/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "harness/core/lab_error.h"

namespace warpgrade {

namespace {

constexpr double kRounding = 1e-9;  // relative; of decimal fractions, and of long formulas
constexpr std::size_t kLongestFormula = 500;
constexpr const char* kRight = "Right.";
constexpr const char* kNotYet = "Not yet.";

using Type = GivenAnswer::Type;

/// A number with an optional unit after it.
struct Quantity {
  double value = 0;
  std::string unit;
};

std::optional<Quantity> quantity_of(const GivenAnswer& given) {
  if (given.type == Type::number) {
    if (!std::isfinite(given.number)) return std::nullopt;
    return Quantity{.value = given.number, .unit = {}};
  }
  if (given.type != Type::text) return std::nullopt;
  const char* const end = given.text.data() + given.text.size();
  const char* const begin = given.text.data() + (given.text.front() == '+' ? 1 : 0);
  Quantity quantity;
  const auto [rest, error] = std::from_chars(begin, end, quantity.value);
  if (error != std::errc() || !std::isfinite(quantity.value)) return std::nullopt;
  quantity.unit = std::string(rest, end);
  quantity.unit.erase(0, quantity.unit.find_first_not_of(' '));
  // "4,096" and "2 * 8" are not numbers with a unit.
  constexpr std::string_view kNoUnit = ",.;*+-/^()=0123456789";
  if (!quantity.unit.empty() && kNoUnit.find(quantity.unit.front()) != std::string_view::npos) {
    return std::nullopt;
  }
  return quantity;
}

bool same_unit(std::string_view a, std::string_view b) {
  const auto singular = [](std::string_view unit) {
    return unit.size() > 2 && unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit;
  };
  return a == b || singular(a) == singular(b);
}

bool is_near(const LabQuestion& question, double given, double right) {
  const double accepted = std::max(
      {question.tolerance, question.relative * std::abs(right), kRounding * std::abs(right)});
  return std::abs(given - right) <= accepted;  // NaN is not
}

std::string example(const LabQuestion& question) {
  return question.unit.empty() ? "42" : fmt::format("42 or \"42 {}\"", question.unit);
}

/// Why a value is not an answer to a question that asks for a number; empty if it is one.
std::string number_problem(const LabQuestion& question, const GivenAnswer& given,
                           const std::optional<Quantity>& quantity) {
  if (!quantity) {
    return fmt::format("Not a number: '{}'. Write {} = {}.", given.shown, question.id,
                       example(question));
  }
  if (quantity->unit.empty() || same_unit(quantity->unit, question.unit)) return {};
  return question.unit.empty()
             ? fmt::format(
                   "The answer has the unit '{}'; the question asks for a number without "
                   "a unit.",
                   quantity->unit)
             : fmt::format("The answer is in '{}'; the question asks for {}.", quantity->unit,
                           question.unit);
}

double evaluate(const LabQuestion& question, const Expression& formula, const Draw& draw,
                const Dims& dims) {
  try {
    return formula.evaluate([&](std::string_view name) {
      const std::string key(name);
      if (const auto it = draw.find(key); it != draw.end()) return it->second;
      if (const auto it = dims.find(key); it != dims.end()) return static_cast<double>(it->second);
      throw ExpressionError(fmt::format("'{}' is unknown", name));
    });
  } catch (const ExpressionError& error) {
    throw LabError(
        fmt::format("the answer '{}' of question '{}' has no value: {}; correct it in "
                    "reference/<lab>/answers.toml",
                    formula.text(), question.id, error.what()));
  }
}

AnswerVerdict in_part(const PartialAnswer& partial, const Draw& draw) {
  return {.share = partial.share,
          .message = partial.says.empty()
                         ? std::string(kNotYet)
                         : fmt::format("{} {}", kNotYet, with_numbers(partial.says, draw))};
}

AnswerVerdict judge_number(const LabQuestion& question, const Draw& draw,
                           const GivenAnswer& given) {
  const std::optional<Quantity> quantity = quantity_of(given);
  if (std::string problem = number_problem(question, given, quantity); !problem.empty()) {
    return {.share = 0, .message = std::move(problem)};
  }
  if (is_near(question, quantity->value, evaluate(question, *question.key->value, draw, {}))) {
    return {.share = 1, .message = kRight};
  }
  for (const PartialAnswer& partial : question.key->partial) {
    if (is_near(question, quantity->value, evaluate(question, *partial.value, draw, {}))) {
      return in_part(partial, draw);
    }
  }
  return {.share = 0, .message = kNotYet};
}

std::string option_ids(const LabQuestion& question) {
  std::string text;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    text += i == 0 ? "" : i + 1 == question.options.size() ? " and " : ", ";
    text += question.options[i].id;
  }
  return text;
}

bool is_option(const LabQuestion& question, const std::string& id) {
  return std::any_of(question.options.begin(), question.options.end(),
                     [&](const QuestionOption& option) { return option.id == id; });
}

AnswerVerdict not_an_option(const LabQuestion& question, const std::string& written) {
  return {.share = 0,
          .message = fmt::format("'{}' is not one of the options; these are {}.", written,
                                 option_ids(question))};
}

AnswerVerdict judge_choice(const LabQuestion& question, const Draw& draw,
                           const GivenAnswer& given) {
  const bool one_in_list = given.type == Type::list && given.list.size() == 1;
  if (given.type == Type::list && !one_in_list) {
    return {.share = 0,
            .message = fmt::format("Several options are given; choose one: {} = \"{}\".",
                                   question.id, question.options.front().id)};
  }
  const std::string chosen = one_in_list ? given.list.front() : given.text;
  if (!is_option(question, chosen)) return not_an_option(question, given.shown);
  if (chosen == question.key->options.front()) return {.share = 1, .message = kRight};
  for (const PartialAnswer& partial : question.key->partial) {
    if (partial.option == chosen) return in_part(partial, draw);
  }
  return {.share = 0, .message = kNotYet};
}

AnswerVerdict judge_choices(const LabQuestion& question, const GivenAnswer& given) {
  if (given.type != Type::list && given.type != Type::text) {
    return not_an_option(question, given.shown);
  }
  const std::set<std::string> right(question.key->options.begin(), question.key->options.end());
  const std::set<std::string> chosen =
      given.type == Type::text ? std::set<std::string>{given.text}
                               : std::set<std::string>(given.list.begin(), given.list.end());
  int good = 0;
  for (const std::string& id : chosen) {
    if (!is_option(question, id)) return not_an_option(question, id);
    good += right.contains(id) ? 1 : -1;
  }
  const double share = std::max(0.0, static_cast<double>(good) / static_cast<double>(right.size()));
  return {.share = share,
          .message = share >= 1  ? kRight
                     : share > 0 ? "Not yet: some of it is right."
                                 : kNotYet};
}

/// The value of a student's formula at one size; nothing where it has none.
std::optional<double> value_at(const Expression& formula, const Dims& dims) {
  try {
    const double value = formula.evaluate(
        [&](std::string_view name) { return static_cast<double>(dims.at(std::string(name))); });
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  } catch (const ExpressionError&) {
    return std::nullopt;  // it divides by zero there
  }
}

/// At how many sizes the student's formula has the value of `right`.
std::size_t agreements(const LabQuestion& question, const Draw& draw, const Expression& given,
                       const Expression& right) {
  return static_cast<std::size_t>(
      std::count_if(question.sizes.begin(), question.sizes.end(), [&](const Dims& dims) {
        const std::optional<double> value = value_at(given, dims);
        const double want = evaluate(question, right, draw, dims);
        return value && std::abs(*value - want) <= kRounding * std::max(1.0, std::abs(want));
      }));
}

std::string names_of_sizes(const LabQuestion& question) {
  std::vector<std::string> names;
  for (const auto& [name, extent] : question.sizes.front()) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

AnswerVerdict judge_formula(const LabQuestion& question, const Draw& draw,
                            const GivenAnswer& given) {
  const std::string written = given.type == Type::number ? number_text(given.number) : given.text;
  if ((given.type != Type::number && given.type != Type::text) ||
      written.size() > kLongestFormula) {
    return {.share = 0,
            .message = fmt::format("Not a formula: '{}'. Write it in quotes, in {}.",
                                   given.shown.substr(0, 80), names_of_sizes(question))};
  }
  std::optional<Expression> formula;
  try {
    formula.emplace(written);
  } catch (const ExpressionError& error) {
    return {.share = 0, .message = fmt::format("Not a formula: {}.", error.what())};
  }
  for (const std::string& name : formula->names()) {
    if (question.sizes.front().contains(name)) continue;
    return {.share = 0,
            .message = fmt::format("The formula has '{}', which the question does not define; it "
                                   "may have {}.",
                                   name, names_of_sizes(question))};
  }
  const std::size_t agree = agreements(question, draw, *formula, *question.key->value);
  if (agree == question.sizes.size()) return {.share = 1, .message = kRight};
  for (const PartialAnswer& partial : question.key->partial) {
    if (agreements(question, draw, *formula, *partial.value) == question.sizes.size()) {
      return in_part(partial, draw);
    }
  }
  return {
      .share = 0,
      .message = agree == 0 ? kNotYet : "Not yet: it is right for some sizes, but not for all."};
}

}  // namespace

AnswerVerdict judge_answer(const LabQuestion& question, const Draw& draw,
                           const GivenAnswer& given) {
  switch (question.kind) {
    case QuestionKind::choice:
      return judge_choice(question, draw, given);
    case QuestionKind::choices:
      return judge_choices(question, given);
    case QuestionKind::formula:
      return judge_formula(question, draw, given);
    case QuestionKind::number:
    case QuestionKind::counter:
      break;
  }
  return judge_number(question, draw, given);
}

AnswerVerdict judge_prediction(const LabQuestion& question, const GivenAnswer& given,
                               double measured) {
  const std::optional<Quantity> quantity = quantity_of(given);
  if (std::string problem = number_problem(question, given, quantity); !problem.empty()) {
    return {.share = 0, .message = std::move(problem)};
  }
  return is_near(question, quantity->value, measured)
             ? AnswerVerdict{.share = 1, .message = "Right: your program does that."}
             : AnswerVerdict{.share = 0, .message = "Not yet: your program does something else."};
}

std::string right_answer(const LabQuestion& question, const Draw& draw) {
  if (!question.key || question.kind == QuestionKind::counter) return {};
  if (question.kind == QuestionKind::formula) return question.key->value->text();
  if (question.kind != QuestionKind::number) {
    return fmt::format("{}", fmt::join(question.key->options, ", "));
  }
  const std::string number = number_text(evaluate(question, *question.key->value, draw, {}));
  return question.unit.empty() ? number : fmt::format("{} {}", number, question.unit);
}

std::string worked_solution(const LabQuestion& question, const Draw& draw) {
  if (!question.key || question.key->solution.empty()) return {};
  std::string text = with_numbers(question.key->solution, draw);
  constexpr std::string_view kAnswer = "{answer}";
  const std::string right = right_answer(question, draw);
  for (std::size_t at = text.find(kAnswer); at != std::string::npos;
       at = text.find(kAnswer, at + right.size())) {
    text.replace(at, kAnswer.size(), right);
  }
  return text;
}

std::string answer_form(const LabQuestion& question) {
  const std::string in = question.unit.empty() ? "" : ", in " + question.unit;
  switch (question.kind) {
    case QuestionKind::number:
      return "a number" + in;
    case QuestionKind::counter:
      return "a number" + in + ": your prediction, which is compared with your program's count";
    case QuestionKind::choice:
      return "one of " + option_ids(question);
    case QuestionKind::choices:
      return fmt::format("all that apply of {}: [\"{}\", ...]", option_ids(question),
                         question.options.front().id);
    case QuestionKind::formula:
      break;
  }
  return fmt::format(
      "a formula in {}, in quotes; it may have + - * / ( ), ceil, floor, log2, "
      "sqrt, min, max and ceil_div",
      names_of_sizes(question));
}

}  // namespace warpgrade
