#include "harness/lab/read_comparison.h"

#include <fmt/format.h>

#include <string>

#include "harness/lab/checks.h"

namespace warpgrade {
namespace {

// In the order of the enumerations.
const std::vector<std::string> kModels = {"rounding", "exact"};
const std::vector<std::string> kPrecisions = {"f32", "f64",      "tf32",     "bf16",
                                              "f16", "f16-sums", "bf16-sums"};

}  // namespace

Tolerance read_tolerance(TomlTable& table, const std::vector<Dataset>& datasets) {
  Tolerance tolerance;
  tolerance.model = static_cast<Tolerance::Model>(table.choice("model", kModels));
  if (tolerance.model == Tolerance::Model::rounding) {
    tolerance.terms = table.expression("terms");
    check_dims(table, "terms", *tolerance.terms, datasets);
    tolerance.factor = table.number_or("factor", 1.0);
    if (!(tolerance.factor > 0)) {
      table.fail("factor", fmt::format("'factor' is {}; it must be above 0", tolerance.factor));
    }
    tolerance.precision = static_cast<Precision>(table.choice_or("precision", kPrecisions, 0));
  }
  return tolerance;
}

void read_comparison(TomlTable& row, const std::vector<Dataset>& datasets, Parameter& parameter) {
  if (row.has("tolerance")) {
    TomlTable table = row.table("tolerance");
    table.set_title(fmt::format("tolerance of parameter \"{}\"", parameter.name));
    parameter.tolerance = read_tolerance(table, datasets);
    table.finish();
    if (!is_float(parameter.type)) {
      row.fail("tolerance", fmt::format("'{}' holds integers, which are compared exactly; remove "
                                        "'tolerance'",
                                        parameter.name));
    }
  }
  OutputComparison& comparison = parameter.comparison;
  comparison.order = named_or(row, "order", OutputOrder::fixed);
  comparison.form = named_or(row, "form", OutputForm::numbers);
  comparison.by_predicate = row.boolean_or("predicate", false);
  comparison.groups = row.string_or("groups", "");
  if (comparison.order == OutputOrder::rows && parameter.shape.size() != 2) {
    row.fail("order", fmt::format("order = \"rows\" needs a matrix, but '{}' has {} extents; "
                                  "write shape = [\"rows\", \"columns\"] or order = \"any\"",
                                  parameter.name, parameter.shape.size()));
  }
  if (!comparison.groups.empty() && comparison.order == OutputOrder::fixed) {
    row.fail("groups",
             "'groups' are parts whose order is free; add order = \"any\" or order = "
             "\"rows\"");
  }
  if (comparison.by_predicate && comparison.order != OutputOrder::fixed) {
    row.fail("predicate",
             "golden.cpp decides about this output, so that its order is not "
             "compared; remove 'order' or 'predicate'");
  }
  if (comparison.form != OutputForm::numbers && size_of(parameter.type) != 1) {
    row.fail("form", fmt::format("form = \"{}\" needs elements of one byte, type = \"u8\"",
                                 slug(comparison.form)));
  }
}

void check_groups(const TomlTable& table, const Lab& lab) {
  std::vector<std::string> known;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.is_array() && !is_float(parameter.type) &&
        parameter.comparison.order == OutputOrder::fixed && !parameter.comparison.by_predicate) {
      known.push_back(parameter.name);
    }
  }
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.comparison.groups.empty()) continue;
    check_known(table, "parameter", parameter.comparison.groups, known,
                fmt::format("groups of '{}': integer array", parameter.name));
  }
}

}  // namespace warpgrade
