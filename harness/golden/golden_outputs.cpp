#include "harness/golden/golden_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/golden/bounds.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

constexpr double kUnset = -1;

const Parameter& parameter_of(const Lab& lab, const std::string& name) {
  return *std::find_if(lab.parameters.begin(), lab.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
}

Expected bounded(const Lab& lab, const Case& spec, const std::string& who, const std::string& name,
                 GoldenCall::Output output) {
  if (!output.asked_for) {
    throw LabError(
        fmt::format("{} does not fill the output '{}'; ask for it "
                    "with call.floats or call.integers",
                    who, name));
  }
  Expected expected{.type = output.type,
                    .want = std::move(output.want),
                    .bound = std::move(output.condition),
                    .exact = std::move(output.exact)};
  if (!is_float(expected.type)) return expected;
  for (std::size_t i = 0; i < expected.bound.size(); ++i) {
    if (expected.bound[i] < 0) {
      throw LabError(
          fmt::format("{} does not set condition[{}] of the output "
                      "'{}'; set it for every element",
                      who, i, name));
    }
  }
  set_bounds(lab, spec, parameter_of(lab, name), expected);
  return expected;
}

}  // namespace

std::map<std::string, GoldenCall::Output> make_outputs(const Lab& lab, const Dims& dims) {
  std::map<std::string, GoldenCall::Output> outputs;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written()) continue;
    const std::size_t count = Array::count_of(shape_of(lab, parameter, dims));
    GoldenCall::Output output;
    output.type = parameter.type;
    if (is_float(parameter.type)) {
      output.want.resize(count);
      output.condition.assign(count, kUnset);
    } else {
      output.exact.resize(count);
    }
    outputs.emplace(parameter.name, std::move(output));
  }
  return outputs;
}

std::map<std::string, Expected> bounded(const Lab& lab, const Case& spec, const std::string& who,
                                        std::map<std::string, GoldenCall::Output> outputs) {
  std::map<std::string, Expected> expected;
  for (auto& [name, output] : outputs) {
    expected.emplace(name, bounded(lab, spec, who, name, std::move(output)));
  }
  return expected;
}

}  // namespace warpgrade
