#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "harness/lab/checks.h"
#include "harness/lab/read_function.h"

namespace warpgrade {

namespace {

constexpr std::string_view kSwitch = "calls.";  // no name in lab.toml has a point

/// 1 in cases that call the function, else 0.
std::string switch_of(const Function& step) {
  return std::string(kSwitch) + step.name;
}

Expression times(const Expression& formula, const std::string& factor) {
  return Expression(fmt::format("({}) * {}", formula.text(), factor));
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// 1 in cases that call a function with this output.
std::string is_used(const Lab& lab, const Parameter& output) {
  std::string any;
  for (const Function& step : lab.steps) {
    const bool uses = has(step.parameters, output.argument()) || step.returns == output.name;
    if (uses)
      any = any.empty() ? switch_of(step) : fmt::format("max({}, {})", any, switch_of(step));
  }
  return any;
}

}  // namespace

bool is_call_switch(std::string_view dim) {
  return dim.starts_with(kSwitch);
}

void allow_calls(TomlTable& document, Lab& lab) {
  const std::vector<TomlTable> rows = document.tables("case");
  if (std::none_of(rows.begin(), rows.end(),
                   [](const TomlTable& row) { return row.has("calls"); })) {
    return;
  }
  for (Function& step : lab.steps) {
    step.times = step.times ? times(*step.times, switch_of(step)) : Expression(switch_of(step));
  }
  for (Parameter& parameter : lab.parameters) {
    if (!parameter.is_array() || parameter.is_read() || parameter.shape.empty()) continue;
    // Arrays without elements are right whatever is not called.
    parameter.shape.front() = times(parameter.shape.front(), is_used(lab, parameter));
  }
  lab.has_calls = true;
}

void read_calls(TomlTable& row, const Lab& lab, Dataset& dataset) {
  std::vector<std::string> known;
  for (const Function& step : lab.steps) known.push_back(step.name);
  const std::vector<std::string> calls = row.strings_or_none("calls");
  if (row.has("calls") && (known.empty() || calls.empty())) {
    row.fail("calls", known.empty() ? "'calls' chooses from several functions; give [function] a "
                                      "'step' for each, or remove it"
                                    : "'calls' is empty; name the functions that this case calls");
  }
  for (const std::string& name : calls) check_known(row, "calls", name, known, "function");
  if (!lab.has_calls) return;
  for (const Function& step : lab.steps) {
    dataset.dims[switch_of(step)] = calls.empty() || has(calls, step.name) ? 1 : 0;
    dataset.settings.push_back(switch_of(step));
  }
}

}  // namespace warpgrade
