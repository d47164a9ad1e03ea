#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/judge/misreading/explain.h"
#include "harness/golden/misreading_library.h"

// A lab without files for tests of explanations: out = 2 * in + 1, and its cases.

namespace warpgrade::testing {

/// `rows` by `columns` floats, or one extent of `columns` if there are no rows.
inline Lab formula_lab(bool is_matrix) {
  Lab lab;
  lab.id = "formula";
  lab.function = "formula";
  lab.tolerance.terms = Expression("2");
  Parameter in;
  in.name = "in";
  if (is_matrix) in.shape.emplace_back("rows");
  in.shape.emplace_back("columns");
  Parameter out = in;
  out.name = "out";
  out.role = Role::output;
  lab.parameters = {in, out};
  return lab;
}

/// Of one element.
using Formula = std::function<double(double in)>;

inline std::function<void(const GoldenCall&)> computing(Formula formula) {
  return [formula = std::move(formula)](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    for (std::size_t i = 0; i < out.want.size(); ++i) {
      out.want[i] = formula(in[i]);
      out.condition[i] = std::abs(out.want[i]);
    }
  };
}

/// The case of a lab with so many elements, and what must come out. Owns its specification.
struct FormulaCase {
  std::unique_ptr<Case> spec = std::make_unique<Case>();
  std::shared_ptr<const CaseData> data;

  FormulaCase(const Lab& lab, const std::string& name, std::int64_t rows, std::int64_t columns) {
    spec->name = name;
    spec->data.name = name;
    spec->data.dims = {{"rows", rows}, {"columns", columns}};
    auto made = std::make_shared<CaseData>();
    made->lab = &lab;
    made->spec = spec.get();
    std::vector<std::uint64_t> shape;
    if (lab.parameters.front().shape.size() > 1) shape.push_back(static_cast<std::uint64_t>(rows));
    shape.push_back(static_cast<std::uint64_t>(columns));
    Array in(ElementType::f32, shape);
    std::uint32_t state = 7;
    for (float& value : in.as<float>()) {
      state = state * 1664525U + 1013904223U;
      value = 1 + static_cast<float>(state >> 20U) / 64;
    }
    made->inputs.emplace("in", std::move(in));
    made->expected = expect_misread(computing([](double x) { return 2 * x + 1; }), "the test", lab,
                                    *spec, made->inputs);
    data = std::move(made);
  }

  /// A wrong case with these values.
  [[nodiscard]] WrongCase with(const std::function<float(std::size_t i)>& value) const {
    std::map<std::string, Array> outputs;
    Array out(ElementType::f32, data->inputs.at("in").shape);
    for (std::size_t i = 0; i < out.count(); ++i) out.as<float>()[i] = value(i);
    outputs.emplace("out", std::move(out));
    return {.data = data,
            .outputs = std::make_shared<const std::map<std::string, Array>>(std::move(outputs))};
  }
  [[nodiscard]] WrongCase with_formula(const Formula& formula) const {
    const auto in = data->inputs.at("in").as<float>();
    return with([&, in](std::size_t i) { return static_cast<float>(formula(in[i])); });
  }
  [[nodiscard]] float right(std::size_t i) const {
    return static_cast<float>(data->expected.at("out").want.at(i));
  }
};

}  // namespace warpgrade::testing
