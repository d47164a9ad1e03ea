#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "harness/case/case.h"
#include "harness/case/judge_outputs.h"
#include "harness/case/output.h"
#include "harness/case/program_run.h"
#include "harness/case/request.h"
#include "harness/core/plural.h"

namespace warpgrade {

namespace {

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

/// The worker's outputs; nothing if some are missing.
std::optional<std::map<std::string, Array>> read_all_outputs(const PreparedCase& prepared) {
  std::map<std::string, Array> outputs;
  for (const Parameter& parameter : prepared.data->lab->parameters) {
    if (!parameter.is_written()) continue;
    auto got = read_output(prepared, parameter);
    if (!got) return std::nullopt;
    outputs.emplace(parameter.name, *std::move(got));
  }
  return outputs;
}

bool has_device_arrays(const Lab& lab) {
  return std::any_of(lab.parameters.begin(), lab.parameters.end(),
                     [](const Parameter& p) { return p.is_array() && p.memory != Memory::host; });
}

/// The first condition that holds decides: outputs of an unfinished run mean nothing, and a CUDA
/// error explains wrong outputs better than their pattern.
/// @param right  whether the outputs are
void decide(const Lab& lab, bool right, CaseResult& result) {
  const Record& record = result.record;
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
  } else if (!right) {
    result.status = CaseStatus::wrong;
    if (const OutputResult* worst = result.worst()) result.message = wrong_message(*worst);
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

CaseResult judge_case(const PreparedCase& prepared, Judging judging) {
  if (prepared.data->lab->program) return judge_program(prepared);
  CaseResult result;
  result.record = read_record(prepared.folder / kRecordFile, prepared.nonce);
  const auto outputs = result.record.complete() ? read_all_outputs(prepared) : std::nullopt;
  if (!outputs) {
    result.status = CaseStatus::incomplete;
    result.message = incomplete_message(result.record);
    if (result.record.guard_hit) result.pitfall = "P45";
    return result;
  }
  bool right = false;
  if (judging == Judging::status) {
    right = are_right(*prepared.data, *outputs);
  } else {
    result.outputs = judge_outputs(*prepared.data, *outputs);
    right = std::ranges::all_of(result.outputs,
                                [](const OutputResult& o) { return o.comparison.passed(); });
  }
  decide(*prepared.data->lab, right, result);
  return result;
}

}  // namespace warpgrade
