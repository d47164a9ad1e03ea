#include "harness/case/tried_edits.h"

#include <algorithm>
#include <map>
#include <utility>

#include "harness/case/judge_outputs.h"
#include "harness/case/output.h"
#include "harness/lab/arguments.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

using warpsim::cudart::EditResults;
using Arrays = std::map<std::string, Array>;

/// The outputs of a lab from the bytes of its arguments; nothing if some are missing.
std::optional<Arrays> arrays_from(const CaseData& data, const EditResults& results,
                                  std::size_t output) {
  Arrays arrays;
  for (const Parameter& parameter : data.lab->parameters) {
    if (!parameter.is_written()) continue;
    const CallArgument argument = argument_with(*data.lab, parameter);
    const auto name = std::ranges::find(results.names, argument.name);
    if (name == results.names.end()) return std::nullopt;
    const auto number = static_cast<std::size_t>(name - results.names.begin());
    auto array = elements_in(results.outputs[output][number], argument, parameter,
                             shape_of(*data.lab, parameter, data.spec->data.dims));
    if (!array) return std::nullopt;
    arrays.emplace(parameter.name, *std::move(array));
  }
  return arrays;
}

bool are_those_of_the_run(const PreparedCase& prepared, const Arrays& arrays) {
  return std::ranges::all_of(prepared.data->lab->parameters, [&](const Parameter& parameter) {
    if (!parameter.is_written()) return true;
    const auto got = read_output(prepared, parameter);
    return got && got->bytes == arrays.at(parameter.name).bytes;
  });
}

}  // namespace

std::optional<TriedEdits> read_tried_edits(const std::filesystem::path& file,
                                           const PreparedCase& prepared) {
  std::optional<EditResults> results = warpsim::cudart::read_edit_results(file);
  if (!results) return std::nullopt;
  TriedEdits tried{.problem = std::move(results->problem), .edits = {}, .right = {}};
  if (tried.problem.empty() && results->outputs.empty()) tried.problem = "there are no outputs";
  if (!tried.problem.empty()) return tried;
  std::vector<bool> right;
  for (std::size_t i = 0; i < results->outputs.size(); ++i) {
    const auto arrays = arrays_from(*prepared.data, *results, i);
    if (!arrays) {
      tried.problem = "an output is missing";
      return tried;
    }
    if (i == 0 && !are_those_of_the_run(prepared, *arrays)) {
      tried.problem = "the same work gives other outputs";
      return tried;
    }
    right.push_back(are_right(*prepared.data, *arrays));
  }
  tried.unedited_is_right = right.front();
  for (const auto& edit : results->edits) {
    tried.right.push_back(edit.output >= 0 && right[static_cast<std::size_t>(edit.output)]);
  }
  tried.edits = std::move(results->edits);
  return tried;
}

std::string request_for_copies(const std::vector<std::string>& numbers, const std::string& ptx) {
  std::string text(warpsim::cudart::edits_file::kCopies);
  for (const std::string& number : numbers) text += " " + number;
  return text + "\n" + ptx;
}

}  // namespace warpgrade
