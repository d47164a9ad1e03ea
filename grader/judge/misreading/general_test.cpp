#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <set>

#include "grader/judge/misreading/explain.h"
#include "grader/testing/formula_case.h"
#include "harness/data/poison.h"

namespace warpgrade {
namespace {

using testing::formula_lab;
using testing::FormulaCase;

float poisoned() {
  const auto bits = static_cast<std::uint32_t>(poison_bits(ElementType::f32));
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The id of the general variant that explains two cases of this output; empty for none.
/// @param value  of position i of n, where `right` has the right values
using Value = std::function<float(const std::function<float(std::size_t)>& right, std::size_t i,
                                  std::size_t columns, std::size_t n)>;
std::string found_for(bool is_matrix, const Value& value) {
  const Lab lab = formula_lab(is_matrix);
  const std::vector<std::pair<std::int64_t, std::int64_t>> sizes =
      is_matrix ? std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 7}, {40, 33}, {70, 50}}
                : std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 37}, {1, 300}, {1, 1100}};
  WrongOutputs asked;
  std::vector<std::unique_ptr<FormulaCase>> cases;
  for (const auto& [rows, columns] : sizes) {
    cases.push_back(std::make_unique<FormulaCase>(lab, std::to_string(columns), rows, columns));
    const FormulaCase& c = *cases.back();
    const std::size_t n = c.data->inputs.at("in").count();
    const auto right = [&](std::size_t i) { return c.right(i); };
    const WrongCase wrong = c.with(
        [&](std::size_t i) { return value(right, i, static_cast<std::size_t>(columns), n); });
    const auto got = wrong.outputs->at("out").as<float>();
    bool differs = false;
    for (std::size_t i = 0; i < n; ++i) differs = differs || got[i] != right(i);
    if (differs) asked.wrong.push_back(wrong);
  }
  asked.failing = asked.wrong.size();
  const auto found = explain(asked, general_variants());
  return found ? found->variant : "";
}

TEST_CASE("values that are moved are recognized in lines and matrices", "[misreading][general]") {
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t n) {
          return i + 1 < n ? right(i + 1) : 9.0F;
        }) == "moved-1");
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t) {
          return i > 1 ? right(i - 2) : 9.0F;
        }) == "moved--2");
  CHECK(found_for(true, [](const auto& right, std::size_t i, std::size_t columns, std::size_t) {
          return (i + 1) % columns != 0 ? right(i + 1) : 9.0F;
        }) == "moved-left");
  CHECK(found_for(true, [](const auto& right, std::size_t i, std::size_t columns, std::size_t) {
          return i >= columns ? right(i - columns) : 9.0F;
        }) == "moved-down");
  // By three: no variant.
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t n) {
          return i + 3 < n ? right(i + 3) : 9.0F;
        }).empty());
}

TEST_CASE("values in another order are recognized", "[misreading][general]") {
  CHECK(found_for(true, [](const auto& right, std::size_t i, std::size_t columns, std::size_t n) {
          const std::size_t rows = n / columns;
          return right(i % rows * columns + i / rows);
        }) == "transposed");
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t n) {
          return right(n - 1 - i);
        }) == "reversed");
  CHECK(found_for(true, [](const auto& right, std::size_t i, std::size_t columns, std::size_t) {
          return right(i / columns * columns + columns - 1 - i % columns);
        }) == "mirrored");
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t n) {
          const std::size_t end = std::min(i / 64 * 64 + 64, n);
          return right(i / 64 * 64 + (end - 1 - i));
        }) == "reversed-blocks-64");
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t n) {
          return right((i * 7) % n);
        }).empty());
}

TEST_CASE("scaled values are recognized", "[misreading][general]") {
  const auto scaled = [](float factor) {
    return found_for(false, [factor](const auto& right, std::size_t i, std::size_t, std::size_t) {
      return factor * right(i);
    });
  };
  CHECK(scaled(-1) == "negated");
  CHECK(scaled(0.5F) == "halved");
  CHECK(scaled(1.5F).empty());
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t n) {
          return right(i) / static_cast<float>(n);
        }) == "divided-by-count");
}

TEST_CASE(
    "outputs that are computed in part are recognized, whether the rest is 0 or was never set",
    "[misreading][general]") {
  for (const float rest : {0.0F, poisoned()}) {
    CHECK(found_for(false, [&](const auto& right, std::size_t i, std::size_t, std::size_t) {
            return i < 256 ? right(i) : rest;
          }) == "first-256");
    CHECK(found_for(false, [&](const auto& right, std::size_t i, std::size_t, std::size_t) {
            return i % 4 == 0 ? right(i) : rest;
          }) == "every-4");
    CHECK(
        found_for(true, [&](const auto& right, std::size_t i, std::size_t columns, std::size_t n) {
          const std::size_t rows = n / columns;
          return i / columns < rows / 32 * 32 && i % columns < columns / 32 * 32 ? right(i) : rest;
        }) == "whole-tiles-32");
  }
  // The rest holds something else.
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t) {
          return i < 256 ? right(i) : 5.0F;
        }).empty());
}

TEST_CASE("an output of which nothing is computed is not one that is computed in part",
          "[misreading][general]") {
  for (const float rest : {0.0F, poisoned()}) {
    CHECK(found_for(false, [&](const auto&, std::size_t, std::size_t, std::size_t) {
            return rest;
          }).empty());
    CHECK(found_for(true, [&](const auto&, std::size_t, std::size_t, std::size_t) {
            return rest;
          }).empty());
  }
}

TEST_CASE("a right output is explained by no general variant", "[misreading][general]") {
  CHECK(found_for(false, [](const auto& right, std::size_t i, std::size_t, std::size_t) {
          return right(i);
        }).empty());
}

TEST_CASE("general variants have ids and sentences of their own", "[misreading][general]") {
  std::set<std::string> ids;
  std::set<std::string> sentences;
  for (const Variant& variant : general_variants()) {
    CHECK_FALSE(variant.of_lab());
    ids.insert(variant.id);
    sentences.insert(variant.says);
  }
  CHECK(ids.size() == general_variants().size());
  CHECK(sentences.size() == general_variants().size());
}

}  // namespace
}  // namespace warpgrade
