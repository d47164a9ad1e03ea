#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/lab/checks.h"
#include "harness/lab/read_function.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

/// Names under which a dataset may describe an input, the most specific one first.
std::vector<std::string> sources_of(const Parameter& parameter) {
  if (!parameter.matrix.empty()) return {parameter.matrix};
  if (!parameter.group.empty()) return {parameter.name, parameter.group};
  return {parameter.name};
}

void check_fill(const TomlTable& row, const Lab& lab, const Dataset& dataset,
                const Parameter& parameter, const std::string& source, const Fill& fill) {
  const auto fail = [&](const std::string& what) {
    row.fail("dataset", fmt::format("dataset '{}', input '{}': {}", dataset.name, source, what));
  };
  if (parameter.matrix.empty()) {
    if (fill.row_lengths) fail("it is not a sparse matrix; remove 'row_lengths'");
    if (fill.given == nullptr) return;
    try {
      (void)as_array(*fill.given, parameter.type, shape_of(lab, parameter, dataset.dims));
    } catch (const LabError&) {
      throw;  // of the shape
    } catch (const std::runtime_error& error) {
      fail(error.what());
    }
    return;
  }
  if (fill.given != nullptr) {
    fail("a sparse matrix is generated; give its values a distribution, and 'row_lengths'");
  }
  const std::string why = impossible(extents_of(lab, lab.matrix(parameter.matrix), dataset.dims));
  if (!why.empty()) fail(why + "; change the dims");
}

}  // namespace

void assign_fills(const TomlTable& row, const Lab& lab, Dataset& dataset) {
  std::vector<std::string> known;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array() || !parameter.is_read()) continue;
    for (const std::string& name : sources_of(parameter)) {
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
  }
  for (const auto& [name, fill] : dataset.fills) {
    check_known(row, "dataset", name, known, fmt::format("dataset '{}': input", dataset.name));
  }
  std::map<std::string, Fill> fills;
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_array() || !parameter.is_read()) continue;
    const std::vector<std::string> sources = sources_of(parameter);
    const auto source = std::find_if(sources.begin(), sources.end(), [&](const std::string& name) {
      return dataset.fills.contains(name);
    });
    if (lab.program && dataset.given.contains(parameter.name)) {
      if (dataset.fills.contains(parameter.name)) {
        row.fail("dataset", fmt::format("dataset '{0}' has both given.{1} and inputs.{1}; keep one",
                                        dataset.name, parameter.name));
      }
      continue;
    }
    if (source == sources.end()) {
      row.fail("dataset",
               fmt::format("dataset '{}' does not say how input '{}' is filled; add inputs.{} = "
                           "{{ {}distribution = \"uniform\" }}",
                           dataset.name, sources.back(), sources.back(),
                           parameter.matrix.empty() ? "" : "row_lengths = \"uniform\", "));
    }
    const Fill& fill = dataset.fills.at(*source);
    check_fill(row, lab, dataset, parameter, *source, fill);
    fills.emplace(parameter.name, fill);
  }
  dataset.fills = std::move(fills);
}

}  // namespace warpgrade
