#include "grader/judge/misreading/explain.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "grader/judge/misreading/explain_outputs.h"
#include "grader/judge/misreading/wording.h"
#include "grader/testing/formula_case.h"
#include "harness/data/poison.h"

namespace warpgrade {
namespace {

using testing::computing;
using testing::formula_lab;
using testing::FormulaCase;

Variant formula(const std::string& id, testing::Formula of_element) {
  return {
      .id = id, .says = "for " + id, .pitfall = "P5", .formula = computing(std::move(of_element))};
}

double without_one(double x) {
  return 2 * x;
}

/// Three cases of a lab with one formula, "no-one": 1 is not added.
struct Three {
  Lab lab = formula_lab(false);
  FormulaCase small{lab, "small", 1, 9};
  FormulaCase middle{lab, "middle", 1, 100};
  FormulaCase large{lab, "large", 1, 1000};
  std::vector<Variant> variants = {formula("no-one", without_one)};

  [[nodiscard]] WrongOutputs all_without_one() const {
    return {.wrong = {large.with_formula(without_one), small.with_formula(without_one),
                      middle.with_formula(without_one)},
            .failing = 3};
  }
};

TEST_CASE("an output that a formula gives in all failing cases is explained by it",
          "[misreading][unit]") {
  const Three cases;
  const auto found = explain(cases.all_without_one(), cases.variants);
  REQUIRE(found);
  CHECK(found->variant == "no-one");
  CHECK(found->of_lab);
  CHECK(found->pitfall == "P5");
  CHECK(found->cases == std::vector<std::string>{"small", "middle", "large"});
  CHECK(found->message ==
        "Your output is exactly the right one for no-one, in all 3 failing cases.");
}

TEST_CASE("a formula that gives half of the failing cases explains nothing", "[misreading][unit]") {
  const Three cases;
  WrongOutputs asked = cases.all_without_one();
  asked.wrong[0] = cases.large.with_formula([](double x) { return 3 * x; });
  CHECK_FALSE(explain(asked, cases.variants));
}

TEST_CASE("cases that fail in another way count as not explained", "[misreading][unit]") {
  const Three cases;
  WrongOutputs asked = cases.all_without_one();
  asked.failing = 4;
  CHECK_FALSE(explain(asked, cases.variants));
}

TEST_CASE("where not all formulas can be compared, the first ones are", "[misreading][unit]") {
  const Three cases;
  std::vector<Variant> variants = cases.variants;
  for (int i = 2; i < 40; ++i) {
    variants.push_back(formula("times", [i](double x) { return 2 * i * x; }));
  }
  // Two formulas for the small case: 8 + 1 per element.
  const ExplanationBudget budget{.total = 2.5 * 9 * 9};
  const auto found = explain(cases.all_without_one(), variants, budget);
  REQUIRE(found);
  CHECK(found->variant == "no-one");
  std::swap(variants.front(), variants.back());
  CHECK_FALSE(explain(cases.all_without_one(), variants, budget));
}

TEST_CASE("in a case whose right sums are exact, a formula's values may be rounded",
          "[misreading][unit]") {
  const Three cases;
  for (const FormulaCase* c : {&cases.small, &cases.middle, &cases.large}) c->spec->exact = true;
  const auto third = [](double x) { return (2 * x + 1) / 3; };
  const WrongOutputs asked = {
      .wrong = {cases.small.with_formula(third), cases.middle.with_formula(third),
                cases.large.with_formula(third)},
      .failing = 3};
  CHECK(explain(asked, {formula("a-third", third)}));
  CHECK_FALSE(explain(asked, {formula("nearly", [](double x) { return (2 * x + 1) / 3.001; })}));
}

TEST_CASE("two formulas that give the same explain nothing, and the better one of two does",
          "[misreading][unit]") {
  const Three cases;
  std::vector<Variant> variants = cases.variants;
  variants.push_back(formula("same", [](double x) { return x + x; }));
  CHECK_FALSE(explain(cases.all_without_one(), variants));
  // Right for all but large values: nearly as good.
  variants.back() = formula("nearly", [](double x) { return x > 60 ? 0 : x + x; });
  const auto found = explain(cases.all_without_one(), variants);
  REQUIRE(found);
  CHECK(found->variant == "no-one");
}

TEST_CASE("of two formulas that give the same, one that is wrong in a right case is dropped",
          "[misreading][unit]") {
  const Three cases;
  std::vector<Variant> variants = cases.variants;
  // The same where there are more than four elements.
  variants.push_back({.id = "other", .says = "for another", .formula = [](const GoldenCall& call) {
                        const bool few = call.input<float>("in").size() < 5;
                        computing([few](double x) { return few ? 2 * x + 1 : 2 * x; })(call);
                      }});
  WrongOutputs asked = cases.all_without_one();
  const FormulaCase tiny(cases.lab, "tiny", 1, 3);
  CHECK_FALSE(explain(asked, variants));
  asked.right = {tiny.data};
  const auto found = explain(asked, variants);
  REQUIRE(found);
  CHECK(found->variant == "other");
}

TEST_CASE("a lab's formula comes before a general variant that gives the same",
          "[misreading][unit]") {
  const Three cases;
  const auto twice = [](double x) { return 2 * (2 * x + 1); };
  const WrongOutputs asked = {
      .wrong = {cases.small.with_formula(twice), cases.middle.with_formula(twice)}, .failing = 2};
  std::vector<Variant> variants = general_variants();
  const auto general = explain(asked, variants);
  REQUIRE(general);
  CHECK(general->variant == "doubled");
  CHECK_FALSE(general->of_lab);
  CHECK(general->message ==
        "Your output is exactly the right one multiplied by two, in both failing cases.");
  variants.push_back(formula("of the lab", twice));
  const auto found = explain(asked, variants);
  REQUIRE(found);
  CHECK(found->variant == "of the lab");
}

TEST_CASE("cases with accesses outside of arrays are left aside if they are the fewer",
          "[misreading][unit]") {
  const Three cases;
  WrongOutputs asked = cases.all_without_one();
  asked.wrong[1] = cases.small.with([](std::size_t) { return -5.0F; });
  CHECK_FALSE(explain(asked, cases.variants));
  asked.wrong[1].unreliable = true;
  const auto found = explain(asked, cases.variants);
  REQUIRE(found);
  CHECK(found->failing == 3);
  CHECK(found->message ==
        "Your output is exactly the right one for no-one, in 2 of 3 failing cases, all that were "
        "compared.");
  asked.wrong[0] = cases.large.with([](std::size_t) { return -5.0F; });
  asked.wrong[0].unreliable = true;
  CHECK_FALSE(explain(asked, cases.variants));
}

TEST_CASE("elements that were not written are left aside if they are the fewer",
          "[misreading][unit]") {
  const Three cases;
  const auto unwritten_to = [&](std::size_t end) {
    WrongOutputs asked = {.wrong = {cases.large.with_formula(without_one)}, .failing = 1};
    auto outputs = *asked.wrong[0].outputs;
    Array& out = outputs.at("out");
    poison(std::span(out.bytes).first(end * sizeof(float)), ElementType::f32, sizeof(float));
    asked.wrong[0].outputs =
        std::make_shared<const std::map<std::string, Array>>(std::move(outputs));
    return asked;
  };
  const auto found = explain(unwritten_to(300), cases.variants);
  REQUIRE(found);
  CHECK(found->message ==
        "Your output is exactly the right one for no-one, in the only failing case. 300 elements "
        "were not written.");
  CHECK_FALSE(explain(unwritten_to(600), cases.variants));
}

TEST_CASE("where all that was written is right, no formula is computed for it by itself",
          "[misreading][unit]") {
  const Three cases;
  int computed = 0;
  const std::vector<Variant> variants = {formula("right", [&](double x) {
    ++computed;
    return 2 * x + 1;
  })};
  const auto partly_written = [](const FormulaCase& c, bool last_is_right) {
    WrongCase wrong = c.with([&](std::size_t i) { return c.right(i); });
    auto outputs = *wrong.outputs;
    Array& out = outputs.at("out");
    poison(std::span(out.bytes).first(out.bytes.size() / 4), ElementType::f32, sizeof(float));
    if (!last_is_right) out.as<float>().back() = 0;
    wrong.outputs = std::make_shared<const std::map<std::string, Array>>(std::move(outputs));
    return wrong;
  };
  const auto computed_for = [&](bool last_is_right) {
    computed = 0;
    CHECK_FALSE(explain(
        {.wrong = {partly_written(cases.middle, true), partly_written(cases.large, last_is_right)},
         .failing = 2},
        variants));
    return computed;
  };
  CHECK(computed_for(true) == 100);  // for the first case, with all of its elements
  CHECK(computed_for(false) == 100 + 1000);
}

TEST_CASE("a formula of wrong elements is computed for no case after one that it does not give",
          "[misreading][unit]") {
  const Three cases;
  int computed = 0;
  const std::vector<Variant> variants = {formula("other", [&](double x) {
    ++computed;
    return 3 * x;
  })};
  CHECK_FALSE(explain_where_wrong(cases.all_without_one(), variants));
  CHECK(computed == 9);
}

TEST_CASE("one of two wrong outputs is explained by itself", "[misreading][unit]") {
  const Three cases;
  Lab lab = cases.lab;
  lab.parameters.push_back(lab.parameters.back());
  lab.parameters.back().name = "too";
  auto data = std::make_shared<CaseData>(*cases.large.data);
  data->lab = &lab;
  data->expected.emplace("too", data->expected.at("out"));
  WrongCase wrong = cases.large.with_formula(without_one);
  wrong.data = data;
  auto outputs = *wrong.outputs;
  outputs.emplace("too", cases.large.with([](std::size_t) { return -5.0F; }).outputs->at("out"));
  wrong.outputs = std::make_shared<const std::map<std::string, Array>>(std::move(outputs));
  const auto both = [](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    for (const char* name : {"out", "too"}) {
      const auto out = call.floats(name);
      for (std::size_t i = 0; i < in.size(); ++i) {
        out.want[i] = without_one(in[i]);
        out.condition[i] = std::abs(out.want[i]);
      }
    }
  };
  const std::vector<Variant> variants = {{.id = "no-one", .says = "for no-one", .formula = both}};
  const auto found = explain({.wrong = {wrong}, .failing = 1}, variants);
  REQUIRE(found);
  CHECK(found->message ==
        "Your output `out` is exactly the right one for no-one, in the only failing case.");
}

TEST_CASE("few elements that differ are named, and many are not an explanation",
          "[misreading][unit]") {
  const Three cases;
  const auto with_others = [&](std::size_t others) {
    const WrongCase wrong = cases.large.with_formula(without_one);
    const auto values = wrong.outputs->at("out").as<float>();
    return WrongOutputs{
        .wrong = {cases.large.with([&](std::size_t i) { return i < others ? -5.0F : values[i]; })},
        .failing = 1};
  };
  const auto found = explain(with_others(20), cases.variants);
  REQUIRE(found);
  CHECK(found->message ==
        "Your output is, but for 20 elements, the right one for no-one, in the only failing case.");
  CHECK_FALSE(explain(with_others(60), cases.variants));
}

TEST_CASE("a formula that gives the right result where the output is wrong explains nothing",
          "[misreading][unit]") {
  const Three cases;
  // Right but for noise that is a little too large.
  const WrongOutputs asked = {
      .wrong = {cases.large.with([&](std::size_t i) { return cases.large.right(i) * 1.000001F; })},
      .failing = 1};
  CHECK_FALSE(explain(asked, {formula("right", [](double x) { return 2 * x + 1.0000001; })}));
}

TEST_CASE("outputs of NaN are explained by a formula that gives NaN only", "[misreading][unit]") {
  const Three cases;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const WrongOutputs asked = {.wrong = {cases.small.with([&](std::size_t) { return nan; }),
                                        cases.large.with([&](std::size_t) { return nan; })},
                              .failing = 2};
  std::vector<Variant> variants = general_variants();
  variants.push_back(cases.variants.front());
  CHECK_FALSE(explain(asked, variants));
  variants.push_back(formula("a root", [](double x) { return std::sqrt(-x); }));
  const auto found = explain(asked, variants);
  REQUIRE(found);
  CHECK(found->variant == "a root");
}

TEST_CASE("one element of one case may be equal by chance", "[misreading][unit]") {
  const Three cases;
  const FormulaCase one(cases.lab, "one", 1, 1);
  CHECK_FALSE(explain({.wrong = {one.with_formula(without_one)}, .failing = 1}, cases.variants));
  CHECK(explain({.wrong = {one.with_formula(without_one), cases.small.with_formula(without_one)},
                 .failing = 2},
                cases.variants));
}

TEST_CASE("one element with many digits is not equal by chance", "[misreading][unit]") {
  const Three cases;
  const FormulaCase one(cases.lab, "one", 1, 1);
  const auto third = [](double x) { return (2 * x + 1.1) / 3; };
  CHECK(explain({.wrong = {one.with_formula(third)}, .failing = 1}, {formula("third", third)}));
}

TEST_CASE("one of five failing cases may fail in another way, one of four may not",
          "[misreading][unit]") {
  const Three cases;
  const FormulaCase next(cases.lab, "next", 1, 50);
  WrongOutputs asked = cases.all_without_one();
  asked.failing = 4;
  CHECK_FALSE(explain(asked, cases.variants));
  asked.wrong.push_back(next.with_formula(without_one));
  asked.failing = 5;
  const auto found = explain(asked, cases.variants);
  REQUIRE(found);
  CHECK(found->message ==
        "Your output is exactly the right one for no-one, in 4 of 5 failing cases, "
        "all that were compared.");
}

TEST_CASE("one of five failing cases may have other wrong values, but not the largest",
          "[misreading][unit]") {
  const Three cases;
  const FormulaCase next(cases.lab, "next", 1, 50);
  const auto other = [](double x) { return 3 * x; };
  const auto with_last = [&](const FormulaCase& last) {
    WrongOutputs asked = cases.all_without_one();
    asked.wrong.push_back(next.with_formula(without_one));
    asked.wrong.push_back(last.with_formula(other));
    asked.failing = 5;
    return explain(asked, cases.variants);
  };
  const auto found = with_last(FormulaCase(cases.lab, "last", 1, 60));
  REQUIRE(found);
  CHECK(found->message ==
        "Your output is exactly the right one for no-one, in 4 of 5 failing cases.");
  CHECK_FALSE(with_last(FormulaCase(cases.lab, "last", 1, 2000)));
  // Two others, or one of four.
  WrongOutputs asked = cases.all_without_one();
  asked.wrong.push_back(next.with_formula(other));
  asked.failing = 4;
  CHECK_FALSE(explain(asked, cases.variants));
  const FormulaCase last(cases.lab, "last", 1, 60);
  asked.wrong.push_back(last.with_formula(other));
  asked.failing = 5;
  CHECK_FALSE(explain(asked, cases.variants));
}

TEST_CASE("a formula that throws, or sets no condition, is dropped and hurts no other",
          "[misreading][unit]") {
  const Three cases;
  std::vector<Variant> variants = {
      formula("throws", [](double) -> double { throw std::runtime_error("a mistake"); }),
      {.id = "fills nothing", .says = "for nothing", .formula = [](const GoldenCall&) {}}};
  CHECK_FALSE(explain(cases.all_without_one(), variants));
  variants.push_back(cases.variants.front());
  CHECK(explain(cases.all_without_one(), variants));
}

TEST_CASE("elements that a formula hardly changes are given by it, too, but prove nothing",
          "[misreading][unit]") {
  const Three cases;
  // Of ten elements so many are changed, the others by more than one bound, but less than two.
  const auto changing = [](int of_ten) {
    return [of_ten](double x) {
      const bool changed = static_cast<int>(x) % 10 < of_ten;
      return changed ? 2 * x : (2 * x + 1) * (1 + 1.9e-7);
    };
  };
  const auto found_for = [&](int of_ten) {
    const Variant variant = formula("some", changing(of_ten));
    return explain({.wrong = {cases.large.with_formula(changing(of_ten))}, .failing = 1},
                   {variant});
  };
  const auto most = found_for(7);
  REQUIRE(most);
  CHECK(most->message ==
        "Your output is exactly the right one for some, in the only failing case.");
  CHECK_FALSE(found_for(2));
}

TEST_CASE("a case that cannot tell a formula from the right one is given by it, if others can",
          "[misreading][unit]") {
  const Three cases;
  const auto barely = [](double x) { return (2 * x + 1) * (1 + 1.9e-7); };
  const Variant variant = {
      .id = "size", .says = "for some sizes", .formula = [&](const GoldenCall& call) {
        computing(call.dim("columns") < 1000 ? testing::Formula(without_one) : barely)(call);
      }};
  const WrongCase large = cases.large.with_formula(barely);
  const WrongCase middle = cases.middle.with_formula(without_one);
  const auto found = explain({.wrong = {large, middle}, .failing = 2}, {variant});
  REQUIRE(found);
  CHECK(found->message ==
        "Your output is exactly the right one for some sizes, in both failing cases.");
  CHECK_FALSE(explain({.wrong = {large}, .failing = 1}, {variant}));
}

TEST_CASE("a formula that crashes or never ends explains nothing, and ends no grading",
          "[misreading][unit]") {
  const Three cases;
  const WrongOutputs asked = cases.all_without_one();
  using std::chrono::seconds;
  const auto found = found_apart([&] { return explain(asked, cases.variants); }, seconds(20));
  REQUIRE(found);
  CHECK(found->message == explain(asked, cases.variants)->message);
  std::vector<Variant> variants = cases.variants;
  variants.push_back(formula("divides", [](double) -> double {
    (void)::raise(SIGFPE);  // as a division of whole numbers by 0
    return 0;
  }));
  CHECK_FALSE(found_apart([&] { return explain(asked, variants); }, seconds(20)));
  variants.back() = formula("endless", [](double) -> double {
    volatile unsigned long n = 0;
    while (true) n = n + 1;
  });
  CHECK_FALSE(found_apart([&] { return explain(asked, variants); }, seconds(1)));
}

TEST_CASE("of two searches in one process the first is known where the second one crashes",
          "[misreading][unit]") {
  const Three cases;
  const WrongOutputs asked = cases.all_without_one();
  int computed = 0;
  const std::vector<Variant> counting = {formula("no-one", [&](double x) {
    ++computed;
    return 2 * x;
  })};
  KeptResults kept;
  const auto search = [&] { return explain(asked, counting, {}, kept); };
  const auto crash = []() -> std::optional<Explanation> {
    (void)::raise(SIGFPE);
    return std::nullopt;
  };
  const auto always = [](const auto&) { return true; };
  const auto never = [](const auto&) { return false; };
  const std::chrono::seconds longest(20);
  const FoundApart both = both_found_apart(search, always, search, longest);
  REQUIRE((both.first && both.second));
  CHECK(both.first->message == both.second->message);
  CHECK(both.second_ended);
  const FoundApart one = both_found_apart(search, always, crash, longest);
  CHECK(one.first);
  CHECK_FALSE(one.second_ended);
  const FoundApart only = both_found_apart(search, never, crash, longest);
  CHECK(only.first);
  CHECK_FALSE(only.second_ended);
  const FoundApart none = both_found_apart(crash, always, search, longest);
  CHECK_FALSE(none.first);
  CHECK_FALSE(none.second_ended);
  // What was computed is not computed again, with the same result.
  CHECK(search()->message == both.first->message);
  CHECK(computed == 9 + 100 + 1000);
  CHECK(search()->message == both.first->message);
  CHECK(computed == 9 + 100 + 1000);
}

TEST_CASE("large cases are left out, and the sentence says so", "[misreading][unit]") {
  const Three cases;
  const auto found = explain(cases.all_without_one(), cases.variants, {.largest_case = 500});
  REQUIRE(found);
  CHECK(found->compared == 2);
  CHECK(found->message ==
        "Your output is exactly the right one for no-one, in 2 of 3 failing cases, all that were "
        "compared.");
  CHECK_FALSE(explain(cases.all_without_one(), cases.variants, {.total = 10}));
}

TEST_CASE("an element that a formula leaves to chance is neither for nor against it",
          "[misreading][unit]") {
  const Lab lab = formula_lab(false);
  const FormulaCase small(lab, "small", 1, 9);
  const FormulaCase large(lab, "large", 1, 100);
  const Variant next = {
      .id = "next", .says = "for the next element", .formula = [](const GoldenCall& call) {
        const auto in = call.input<float>("in");
        const auto out = call.floats("out");
        for (std::size_t i = 0; i < in.size(); ++i) {
          const bool last = i + 1 == in.size();
          out.want[i] = last ? 0 : 2 * double{in[i + 1]} + 1;
          out.condition[i] = last ? kAnything : std::abs(out.want[i]);
        }
      }};
  const auto shifted = [](const FormulaCase& c, float last) {
    const std::size_t n = c.data->inputs.at("in").count();
    return c.with([&, n](std::size_t i) { return i + 1 < n ? c.right(i + 1) : last; });
  };
  const auto found =
      explain({.wrong = {shifted(small, 77), shifted(large, -3)}, .failing = 2}, {next});
  REQUIRE(found);
  CHECK(found->message.starts_with("Your output is exactly"));
}

TEST_CASE("of an output that is right in failing cases, only the others are counted",
          "[misreading][unit]") {
  ExplanationFacts facts = {.says = "for no-one",
                            .explained = 5,
                            .compared = 5,
                            .failing = 5,
                            .output = "count",
                            .failing_in_all = 8};
  const std::string begin = "Your output `count` is exactly the right one for no-one, in ";
  CHECK(sentence(facts) == begin + "all 5 cases in which it is wrong.");
  facts.failing_in_all = 5;
  CHECK(sentence(facts) == begin + "all 5 failing cases.");
  facts.explained = facts.compared = facts.failing = 1;
  CHECK(sentence(facts) == begin + "the only case in which it is wrong.");
  facts.failing = 6;
  facts.failing_in_all = 7;
  facts.explained = facts.compared = 4;
  CHECK(sentence(facts) == begin + "4 of 6 cases in which it is wrong, all that were compared.");
}

}  // namespace
}  // namespace warpgrade
