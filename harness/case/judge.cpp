#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "harness/case/aligned.h"
#include "harness/case/case.h"
#include "harness/case/describe_difference.h"
#include "harness/case/output.h"
#include "harness/case/request.h"
#include "harness/core/lab_error.h"
#include "harness/core/plural.h"
#include "harness/lab/shapes.h"

namespace warpgrade {

namespace {

constexpr std::size_t kListed = 8;  // mismatches

std::string incomplete_message(const Record& record) {
  if (record.harness_fault)
    return fmt::format("The harness could not run: {}.", *record.harness_fault);
  if (record.guard_hit) {
    const Record::GuardHit& hit = *record.guard_hit;
    return fmt::format("Host code {} {} the host buffer `{}`; it was stopped {} {}.",
                       hit.write ? "wrote" : "read", hit.before ? "before" : "past the end of",
                       hit.parameter, plural(hit.distance, "byte"),
                       hit.before ? "before the first element" : "after the last element");
  }
  switch (record.stage) {
    case Stage::none:
      return "The program ended before the harness began.";
    case Stage::started:
      return "The program ended before the function was called.";
    case Stage::calling:
      return "The program ended inside the function, before the harness finished.";
    default:
      return "The program ended after the function returned, before the harness finished.";
  }
}

std::string describe(const CudaError& error) {
  return fmt::format("{} ({}: {})", error.name, error.code, error.text);
}

std::string broken_contract_message(const Record& record) {
  if (!record.input_changes.empty()) {
    const Record::InputChange& change = record.input_changes.front();
    return fmt::format("The input `{}` was modified: {}, the first at index {}.", change.parameter,
                       plural(change.count, "element"), change.first);
  }
  const Record::CanaryHit& hit = record.canary_hits.front();
  return fmt::format("Memory {} the buffer `{}` was overwritten: {}, the nearest {} {}.",
                     hit.before ? "before" : "after", hit.parameter, plural(hit.count, "byte"),
                     plural(hit.distance, "byte"),
                     hit.before ? "before the first element" : "after the last element");
}

std::string wrong_message(const OutputResult& output) {
  const Comparison& comparison = output.comparison;
  return fmt::format("`{}` is wrong at {} of {}. {}", output.parameter, comparison.mismatches,
                     plural(comparison.count, "element"), output.pattern.detail);
}

/// The pitfall of a pending error, if its name alone determines it.
std::string_view pitfall_of(const CudaError& error) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kPitfalls = {{
      {"cudaErrorInvalidConfiguration", "P15"},
      {"cudaErrorLaunchOutOfResources", "P15"},
      {"cudaErrorInvalidMemcpyDirection", "P43"},
      // Errors inside a kernel appear after the launch: only a synchronising call returns them.
      {"cudaErrorIllegalAddress", "P42"},
      {"cudaErrorMisalignedAddress", "P42"},
      {"cudaErrorAssert", "P42"},
      {"cudaErrorLaunchTimeout", "P42"},
      {"cudaErrorLaunchFailure", "P42"},
  }};
  for (const auto& [name, pitfall] : kPitfalls) {
    if (error.name == name) return pitfall;
  }
  return "P41";
}

/// The first wrong element, where its index or its value alone says too little: its place in an
/// array of three extents or more, the digits of a number that a double does not hold.
std::string first_wrong(const Array& got, const Expected& want, std::uint64_t index) {
  constexpr double kExact = 0x1p53;
  const auto is_extent = [](std::uint64_t extent) { return extent > 1; };
  const bool is_deep = std::count_if(got.shape.begin(), got.shape.end(), is_extent) > 2;
  const bool is_wide = !is_float(got.type) && size_of(got.type) == 8 &&
                       std::abs(static_cast<double>(want.exact[index])) >= kExact;
  if (!is_deep && !is_wide) return "";
  std::string place;
  std::uint64_t left = index;
  for (std::size_t i = got.shape.size(); i > 0; left /= got.shape[--i]) {
    place = fmt::format("[{}]{}", left % got.shape[i - 1], place);
  }
  if (!is_wide) return fmt::format(" The first wrong one is {}.", place);
  if (got.type == ElementType::u64) {
    return fmt::format(" The first wrong one, {}, is {} and should be {}.", place,
                       got.as<std::uint64_t>()[index],
                       static_cast<std::uint64_t>(want.exact[index]));
  }
  return fmt::format(" The first wrong one, {}, is {} and should be {}.", place,
                     got.as<std::int64_t>()[index], want.exact[index]);
}

/// Whether a pattern says the same of values in any position.
bool is_without_position(PatternKind kind) {
  return kind == PatternKind::unwritten || kind == PatternKind::all_zero;
}

/// Replaces a pattern of positions by what can be said of this kind of output.
void describe(const Parameter& parameter, const Array& got, const Expected& want,
              const std::vector<bool>& right, Pattern& pattern) {
  const OutputComparison& comparison = parameter.comparison;
  if (comparison.order != OutputOrder::fixed && !is_without_position(pattern.kind)) {
    pattern.kind = PatternKind::other_values;
    pattern.detail = describe_free_order(got, want, right, unit_length(parameter, got));
  } else if (comparison.form != OutputForm::numbers) {
    pattern.detail += fmt::format("{}{}", pattern.detail.empty() ? "" : " ",
                                  describe_text(got, want, right, comparison.form));
  }
}

OutputResult judge_by_values(const CaseData& data, const Parameter& parameter, const Array& got,
                             std::span<const NamedArray> inputs) {
  Expected aligned;
  const Expected& want = aligned_expected(data, parameter, got, aligned);
  OutputResult output;
  output.parameter = parameter.name;
  output.shape = got.shape;
  output.comparison = compare(got, want);
  if (!output.comparison.passed()) {
    const std::vector<bool> right = matches(got, want);
    output.pattern = classify(got, want, right, inputs);
    if (parameter.comparison.order == OutputOrder::fixed) {
      output.pattern.detail += first_wrong(got, want, output.comparison.first.front().index);
    }
    describe(parameter, got, want, right, output.pattern);
    output.wrong_map = map_wrong(parameter.name, right, output.shape);
  }
  return output;
}

/// @param rejected  of all outputs
OutputResult judge_by_predicate(const CaseData& data, const Parameter& parameter, const Array& got,
                                const std::vector<RejectedElement>& rejected) {
  const Expected& want = data.expected.at(parameter.name);
  std::vector<bool> right(got.count(), true);
  OutputResult output;
  output.parameter = parameter.name;
  output.shape = got.shape;
  output.comparison.count = got.count();
  for (const RejectedElement& element : rejected) {
    if (element.parameter != parameter.name || element.index >= right.size()) continue;
    if (!right[element.index]) continue;
    right[element.index] = false;
    if (output.comparison.mismatches++ == 0) output.pattern.detail = element.why;
  }
  if (output.comparison.passed()) return output;
  output.comparison.worst_ratio = std::numeric_limits<double>::infinity();
  const Comparison values = compare(got, want, right.size());
  for (const Mismatch& mismatch : values.first) {
    if (output.comparison.first.size() < kListed && !right[mismatch.index]) {
      output.comparison.first.push_back(mismatch);
    }
  }
  output.pattern.kind = PatternKind::other_values;
  output.pattern.wrong = output.comparison.mismatches;
  output.wrong_map = map_wrong(parameter.name, right, output.shape);
  return output;
}

/// What the lab's predicate rejects; an element that is not in an output counts as its first one,
/// because something must be wrong with it.
std::vector<RejectedElement> rejected_elements(const CaseData& data,
                                               const std::map<std::string, Array>& outputs) {
  std::vector<RejectedElement> rejected = data.accepts(data.spec->data.dims, data.inputs, outputs);
  for (RejectedElement& element : rejected) {
    const auto output = outputs.find(element.parameter);
    if (output == outputs.end()) {
      throw LabError(
          fmt::format("reference/{}/golden.cpp, WARPGRADE_ACCEPTS: there is no output "
                      "'{}'; name one of the function's",
                      data.lab->id, element.parameter));
    }
    if (element.index >= output->second.count()) element.index = 0;
  }
  return rejected;
}

/// Fills `result.outputs`; false if some of the worker's outputs are missing.
bool compare_outputs(const PreparedCase& prepared, CaseResult& result) {
  const CaseData& data = *prepared.data;
  std::vector<NamedArray> inputs;
  for (const auto& [name, array] : data.inputs) inputs.push_back({.name = name, .array = &array});
  std::map<std::string, Array> outputs;
  for (const Parameter& parameter : data.lab->parameters) {
    if (!parameter.is_written()) continue;
    auto got = read_output(prepared, parameter);
    if (!got) return false;
    outputs.emplace(parameter.name, *std::move(got));
  }
  const std::vector<RejectedElement> rejected =
      data.accepts ? rejected_elements(data, outputs) : std::vector<RejectedElement>();
  for (const Parameter& parameter : data.lab->parameters) {
    if (!parameter.is_written()) continue;
    const Array& got = outputs.at(parameter.name);
    result.outputs.push_back(parameter.comparison.by_predicate
                                 ? judge_by_predicate(data, parameter, got, rejected)
                                 : judge_by_values(data, parameter, got, inputs));
  }
  return true;
}

bool has_device_arrays(const Lab& lab) {
  return std::any_of(lab.parameters.begin(), lab.parameters.end(),
                     [](const Parameter& p) { return p.is_array() && p.memory != Memory::host; });
}

/// The first condition that holds decides: outputs of an unfinished run mean nothing, and a CUDA
/// error explains wrong outputs better than their pattern.
void decide(const Lab& lab, CaseResult& result) {
  const Record& record = result.record;
  const OutputResult* worst = result.worst();
  const auto& error = record.launch_error ? record.launch_error : record.sync_error;
  if (record.device_reset && has_device_arrays(lab)) {
    result.status = CaseStatus::broke_contract;
    result.message = "cudaDeviceReset destroyed the caller's buffers: remove the call.";
  } else if (error) {
    result.status = CaseStatus::cuda_error;
    result.message =
        fmt::format("A CUDA error was pending when the function returned: {}.", describe(*error));
    result.pitfall = pitfall_of(*error);
  } else if (!record.input_changes.empty() || !record.canary_hits.empty()) {
    result.status = CaseStatus::broke_contract;
    result.message = broken_contract_message(record);
    result.pitfall = record.input_changes.empty() ? "P1" : "P40";
  } else if (worst != nullptr && !worst->comparison.passed()) {
    result.status = CaseStatus::wrong;
    result.message = wrong_message(*worst);
  } else {
    result.status = CaseStatus::passed;
  }
}

}  // namespace

const OutputResult* CaseResult::worst() const {
  const auto more_wrong = [](const OutputResult& a, const OutputResult& b) {
    return a.comparison.worst_ratio < b.comparison.worst_ratio;
  };
  const auto found = std::max_element(outputs.begin(), outputs.end(), more_wrong);
  return found == outputs.end() ? nullptr : &*found;
}

CaseResult judge_case(const PreparedCase& prepared) {
  CaseResult result;
  result.record = read_record(prepared.folder / kRecordFile, prepared.nonce);
  if (!result.record.complete() || !compare_outputs(prepared, result)) {
    result.status = CaseStatus::incomplete;
    result.message = incomplete_message(result.record);
    if (result.record.guard_hit) result.pitfall = "P45";
    result.outputs.clear();
    return result;
  }
  decide(*prepared.data->lab, result);
  return result;
}

}  // namespace warpgrade
