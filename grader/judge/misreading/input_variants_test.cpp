#include "grader/judge/misreading/input_variants.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grader/judge/misreading/explain.h"
#include "harness/golden/misreading_library.h"

namespace warpgrade {
namespace {

using Golden = std::function<void(const GoldenCall&)>;

/// `in` and `other`, of rows x columns floats, and an output of this shape.
Lab lab_with(const std::vector<std::string>& shape) {
  Lab lab;
  lab.id = "inputs";
  lab.tolerance.terms = Expression("64");
  for (const char* name : {"in", "other"}) {
    Parameter& parameter = lab.parameters.emplace_back();
    parameter.name = name;
    parameter.shape = {Expression("rows"), Expression("columns")};
  }
  Parameter& out = lab.parameters.emplace_back();
  out.name = "out";
  out.role = Role::output;
  for (const std::string& extent : shape) out.shape.emplace_back(extent);
  return lab;
}

/// Of each row the sum of in * (column + 1) - other.
void row_sums(const GoldenCall& call) {
  const auto in = call.input<float>("in");
  const auto other = call.input<float>("other");
  const auto out = call.floats("out");
  const auto columns = static_cast<std::size_t>(call.dim("columns"));
  for (std::size_t row = 0; row < out.want.size(); ++row) {
    out.want[row] = out.condition[row] = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::size_t i = row * columns + c;
      out.want[row] += in[i] * static_cast<double>(c + 1) - other[i];
      out.condition[row] += in[i] * static_cast<double>(c + 1) + other[i];
    }
  }
}

/// Sums along each row so far.
void running(const GoldenCall& call) {
  const auto in = call.input<float>("in");
  const auto out = call.floats("out");
  const auto columns = static_cast<std::size_t>(call.dim("columns"));
  for (std::size_t i = 0; i < out.want.size(); ++i) {
    out.want[i] = out.condition[i] = in[i] + (i % columns == 0 ? 0 : out.want[i - 1]);
  }
}

struct InputCase {
  Case spec;
  std::shared_ptr<CaseData> data = std::make_shared<CaseData>();

  InputCase(const Lab& lab, const Golden& golden, std::int64_t rows, std::int64_t columns) {
    spec.name = std::to_string(columns);
    spec.data.dims = {{"rows", rows}, {"columns", columns}};
    data->lab = &lab;
    data->spec = &spec;
    std::uint32_t state = 7;
    for (const char* name : {"in", "other"}) {
      Array array(ElementType::f32,
                  {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)});
      for (float& value : array.as<float>()) {
        state = state * 1664525U + 1013904223U;
        value = 1 + static_cast<float>(state >> 12U) / 9999;
      }
      data->inputs.emplace(name, std::move(array));
    }
    data->expected = expect_misread(golden, "the test", lab, spec, data->inputs);
  }
};

/// The id of the variant that explains what a program of this formula returns; empty for none.
std::string found_for(const std::vector<std::string>& shape, const Golden& golden,
                      const Golden& wrong) {
  const Lab lab = lab_with(shape);
  std::vector<std::unique_ptr<InputCase>> cases;
  WrongOutputs asked;
  for (const auto& [rows, columns] : {std::pair{3, 5}, {7, 40}, {10, 100}, {33, 77}}) {
    cases.push_back(std::make_unique<InputCase>(lab, golden, rows, columns));
    const CaseData& data = *cases.back()->data;
    const Expected got = expect_misread(wrong, "the test", lab, *data.spec, data.inputs).at("out");
    Array out(ElementType::f32, {got.want.size()});
    for (std::size_t i = 0; i < got.want.size(); ++i) {
      out.as<float>()[i] = static_cast<float>(got.want[i]);
    }
    asked.wrong.push_back({.data = cases.back()->data,
                           .outputs = std::make_shared<const std::map<std::string, Array>>(
                               std::map<std::string, Array>{{"out", std::move(out)}})});
  }
  asked.failing = asked.wrong.size();
  const auto found = explain(asked, input_variants(lab, golden));
  CHECK((!found || (found->of_inputs && !found->of_lab)));
  return found ? found->variant : "";
}

/// row_sums() of an index and a number of columns that may be others.
Golden sums_of(std::function<std::size_t(std::size_t row, std::size_t c, std::size_t rows,
                                         std::size_t columns)>
                   index,
               std::size_t multiple_of = 1) {
  return [=](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto other = call.input<float>("other");
    const auto out = call.floats("out");
    const auto columns = static_cast<std::size_t>(call.dim("columns"));
    const std::size_t rows = out.want.size();
    const std::size_t end = (columns + multiple_of - 1) / multiple_of * multiple_of;
    for (std::size_t row = 0; row < rows; ++row) {
      out.want[row] = out.condition[row] = 0;
      for (std::size_t c = 0; c < end; ++c) {
        const std::size_t last = row * columns + columns - 1;
        const double left = c < columns ? in[index(row, c, rows, columns)] : in[last];
        const double right = other[c < columns ? row * columns + c : last];
        out.want[row] += left * static_cast<double>(c + 1) - right;
        out.condition[row] += left * static_cast<double>(c + 1) + right;
      }
    }
  };
}

std::size_t own(std::size_t row, std::size_t c, std::size_t, std::size_t columns) {
  return row * columns + c;
}

TEST_CASE("an input that is read elsewhere is recognized in any lab", "[misreading][inputs]") {
  CHECK(found_for({"rows"}, row_sums, sums_of([](auto row, auto c, auto rows, auto) {
                    return c * rows + row;
                  })) == "inputs-in-columns");
  CHECK(found_for({"rows"}, row_sums, sums_of([](auto, auto c, auto, auto) { return c; })) ==
        "inputs-in-first-row");
  // In an order that no variant has.
  CHECK(found_for({"rows"}, row_sums, sums_of([](auto row, auto c, auto, auto columns) {
                    return row * columns + c * 3 % columns;
                  }))
            .empty());
}

TEST_CASE("a last element that counts again up to whole blocks is recognized",
          "[misreading][inputs]") {
  CHECK(found_for({"rows"}, row_sums, sums_of(own, 16)) == "inputs-columns-again-16");
  CHECK(found_for({"rows"}, row_sums, sums_of(own, 32)) == "inputs-columns-again-32");
  CHECK(found_for({"rows"}, row_sums, sums_of(own, 24)).empty());
}

TEST_CASE("groups that know nothing of each other are recognized", "[misreading][inputs]") {
  const auto in_groups = [](std::size_t group) {
    return [group](const GoldenCall& call) {
      const auto in = call.input<float>("in");
      const auto out = call.floats("out");
      const auto columns = static_cast<std::size_t>(call.dim("columns"));
      for (std::size_t i = 0; i < out.want.size(); ++i) {
        const double before = i % columns % group == 0 ? 0 : out.want[i - 1];
        out.want[i] = out.condition[i] = in[i] + before;
      }
    };
  };
  CHECK(found_for({"rows", "columns"}, running, in_groups(32)) == "inputs-columns-alone-32");
  CHECK(found_for({"rows", "columns"}, running, in_groups(24)).empty());
}

TEST_CASE("a lab without the right formula has no variants of it", "[misreading][inputs]") {
  CHECK(input_variants(lab_with({"rows"}), {}).empty());
}

TEST_CASE("a formula that gives only the elements that are wrong is named as that",
          "[misreading][inputs]") {
  const Lab lab = lab_with({"rows", "columns"});
  const Variant magnitudes = {
      .id = "no-sums", .says = "for the input itself", .formula = [](const GoldenCall& call) {
        const auto in = call.input<float>("in");
        const auto out = call.floats("out");
        for (std::size_t i = 0; i < in.size(); ++i) {
          out.want[i] = out.condition[i] = in[i];
        }
      }};
  const InputCase c(lab, running, 20, 30);
  const auto asked_for = [&](double factor) {
    const Expected& right = c.data->expected.at("out");
    const auto in = c.data->inputs.at("in").as<float>();
    Array out(ElementType::f32, {20, 30});
    for (std::size_t i = 0; i < out.count(); ++i) {
      const bool border = i / 30 == 0 || i / 30 == 19;
      out.as<float>()[i] = static_cast<float>(border ? factor * in[i] : right.want[i]);
    }
    WrongOutputs asked;
    asked.wrong.push_back({.data = c.data,
                           .outputs = std::make_shared<const std::map<std::string, Array>>(
                               std::map<std::string, Array>{{"out", std::move(out)}})});
    asked.failing = 1;
    return asked;
  };
  CHECK_FALSE(explain(asked_for(1), {magnitudes}));
  const auto found = explain_where_wrong(asked_for(1), {magnitudes});
  REQUIRE(found);
  CHECK(found->message ==
        "Where it is wrong, your output is exactly the right one for the input itself, in the only "
        "failing case. The other elements are right, and would not be.");
  CHECK(found->of_inputs);
  CHECK_FALSE(explain_where_wrong(asked_for(1.5), {magnitudes}));
  // Zeros are equal by chance.
  const Variant zeros = {.id = "zeros", .says = "for zeros", .formula = [](const GoldenCall& call) {
                           const auto out = call.floats("out");
                           for (double& want : out.want) want = 0;
                           for (double& condition : out.condition) condition = 1;
                         }};
  CHECK_FALSE(explain_where_wrong(asked_for(0), {zeros}));
}

}  // namespace
}  // namespace warpgrade
