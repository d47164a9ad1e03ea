#include "grader/judge/misreading/golden_formulas.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/testing/formula_case.h"

// The golden function out = 2 * in + 1 and its variants, as a library has them.

namespace warpgrade {
namespace {

using testing::FormulaCase;

constexpr std::array kVariants = {
    GoldenVariant{.line = 1, .says = "with one more", .pitfall = "P9", .rank = 20},
    GoldenVariant{.line = 1, .says = "with an index that crashes", .rank = 30},
    GoldenVariant{.line = 1, .says = "with a loop that never ends", .rank = 31},
    GoldenVariant{.line = 2, .says = "with `in + 0.5`", .rank = 10},
    GoldenVariant{.line = 3, .says = "with one more in long arrays", .rank = 40},
    GoldenVariant{.line = 3, .says = "with an element outside of the array", .rank = 41},
    GoldenVariant{.line = 4, .says = "with another first element", .rank = 42},
    GoldenVariant{.line = 4, .says = "with another second element", .rank = 43},
    GoldenVariant{.line = 5, .says = "with 5 more in the first half", .rank = 50},
    GoldenVariant{.line = 5, .says = "with 3 less in the second half", .rank = 50},
    GoldenVariant{.line = 6, .says = "without the sum", .rank = 60},
};

void compute(const GoldenCall& call, std::uint32_t number, std::uint32_t other,
             std::uint64_t most_steps, std::uint64_t* steps) {
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  *steps = in.size();
  if (number == 2) std::abort();
  if (number == 6) throw std::out_of_range("outside of an array");
  for (; number == 3; ++*steps) {
    if (*steps > most_steps) throw std::length_error("too many steps");
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    double value = 2 * double{in[i]} + 1;
    if (number == 1) value += 1;
    if (number == 4) value = 2 * (double{in[i]} + 0.5) + 1;
    if (number == 5 && in.size() > 64) value += 1;
    if (number >= 7 && number <= 8) value += i == number - 7 ? 2 : 1;
    if (number == 11) value = 0;
    for (const std::uint32_t half : {number, other}) {
      if (half == 9 && i < in.size() / 2) value += 5;
      if (half == 10 && i >= in.size() / 2) value -= 3;
    }
    out.want[i] = value;
    out.condition[i] = value;
  }
}

constexpr GoldenVariantTable kTable = {
    .count = kVariants.size(), .all = kVariants.data(), .run = compute};

struct Asked {
  Lab lab = testing::formula_lab(false);
  std::vector<FormulaCase> cases;
  WrongOutputs wrong;

  explicit Asked(const std::vector<std::int64_t>& sizes) {
    for (const std::int64_t size : sizes) {
      cases.emplace_back(lab, std::to_string(size), 0, size);
    }
  }
  void fails(std::size_t i, const testing::Formula& formula) {
    wrong.wrong.push_back(cases[i].with_formula(formula));
    ++wrong.failing;
  }
  void passes(std::size_t i) { wrong.right.push_back(cases[i].data); }
  [[nodiscard]] std::optional<Explanation> explained() const {
    return explain_by_golden(GoldenVariantLibrary(kTable), wrong);
  }
};

TEST_CASE("of changes that compute the same, the one that says most names them",
          "[misreading][unit]") {
  Asked asked({20, 50});
  asked.fails(0, [](double in) { return 2 * in + 2; });
  asked.fails(1, [](double in) { return 2 * in + 2; });
  const auto found = asked.explained();
  REQUIRE(found);
  CHECK(found->of_golden);
  CHECK_FALSE(found->of_lab);
  CHECK(found->message ==
        "Your output is exactly the right one with `in + 0.5`, in both failing cases.");
}

TEST_CASE("changes that differ in a failing case are told apart by it, and right cases are counted",
          "[misreading][unit]") {
  Asked asked({20, 50, 70, 90});
  asked.passes(0);
  asked.passes(1);
  asked.fails(2, [](double in) { return 2 * in + 2; });
  asked.fails(3, [](double in) { return 2 * in + 2; });
  const auto found = asked.explained();
  REQUIRE(found);
  CHECK(found->message ==
        "Your output is exactly the right one with one more in long arrays, in both failing cases, "
        "and equal in the 2 that are right.");
}

TEST_CASE("of two changes that explain as much and differ, none is named", "[misreading][unit]") {
  Asked asked({50});
  asked.wrong.failing = 1;
  asked.wrong.wrong.push_back(asked.cases[0].with(
      [&](std::size_t i) { return asked.cases[0].right(i) + (i < 2 ? 2.0F : 1.0F); }));
  CHECK_FALSE(asked.explained());
}

TEST_CASE("two changes that explain a part of the elements each are named together",
          "[misreading][unit]") {
  Asked asked({40, 60});
  for (std::size_t i = 0; i < 2; ++i) {
    const FormulaCase& one = asked.cases[i];
    const std::size_t half = i == 0 ? 20 : 30;
    asked.wrong.wrong.push_back(
        one.with([&](std::size_t k) { return one.right(k) + (k < half ? 5.0F : -3.0F); }));
  }
  asked.wrong.failing = 2;
  const auto found = asked.explained();
  REQUIRE(found);
  CHECK(found->message ==
        "Your output is exactly the right one with 5 more in the first half, and with 3 less in "
        "the second half, in both failing cases.");
}

TEST_CASE("a change is not named for outputs that are all 0", "[misreading][unit]") {
  Asked asked({20, 50});
  asked.fails(0, [](double) { return 0; });
  asked.fails(1, [](double) { return 0; });
  CHECK_FALSE(asked.explained());
}

TEST_CASE("another formula than those of all changes is not explained", "[misreading][unit]") {
  Asked asked({20, 50});
  asked.fails(0, [](double in) { return 3 * in; });
  asked.fails(1, [](double in) { return 3 * in; });
  CHECK_FALSE(asked.explained());
}

/// Three hundred variants, of which one adds one more.
template <std::uint32_t number_of_one>
GoldenVariantTable many() {
  static std::vector<GoldenVariant> all(300, {.line = 1, .says = "with one more"});
  return {.count = all.size(),
          .all = all.data(),
          .run = [](const GoldenCall& call, std::uint32_t number, std::uint32_t other,
                    std::uint64_t most_steps, std::uint64_t* steps) {
            compute(call, number == number_of_one ? 1 : 0, other, most_steps, steps);
          }};
}

TEST_CASE("of variants of a large case, as many are tried as take a limited number of operations",
          "[misreading][unit]") {
  Asked asked({100'000});
  asked.fails(0, [](double in) { return 2 * in + 2; });
  const GoldenVariantTable early = many<5>();
  const GoldenVariantTable late = many<200>();
  CHECK(explain_by_golden(GoldenVariantLibrary(early), asked.wrong));
  CHECK_FALSE(explain_by_golden(GoldenVariantLibrary(late), asked.wrong));
}

TEST_CASE("a golden function that is not the right one explains nothing", "[misreading][unit]") {
  Asked asked({20});
  asked.fails(0, [](double in) { return 2 * in + 2; });
  GoldenVariantTable table = kTable;
  table.run = [](const GoldenCall& call, std::uint32_t number, std::uint32_t other,
                 std::uint64_t most_steps, std::uint64_t* steps) {
    compute(call, number == 0 ? 1 : 4, other, most_steps, steps);
  };
  CHECK_FALSE(explain_by_golden(GoldenVariantLibrary(table), asked.wrong));
}

TEST_CASE("a lab without variants says why", "[misreading][unit]") {
  CHECK(GoldenVariantLibrary(std::filesystem::path()).problem() == "there is no golden.cpp");
  const GoldenVariantLibrary none{std::filesystem::path("/dev/null")};
  CHECK(none.problem() == "they were not built");
  CHECK(none.all().empty());
}

}  // namespace
}  // namespace warpgrade
