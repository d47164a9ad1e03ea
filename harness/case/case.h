#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/case/case_data.h"
#include "harness/case/record.h"
#include "harness/core/names.h"
#include "harness/tolerance/compare.h"
#include "harness/tolerance/pattern.h"
#include "harness/tolerance/wrong_map.h"

namespace warpgrade {

/// Outputs that come from the device process and not from the worker (harness/case/delivered.h).
struct DeliveredOutputs {
  bool count = false;  // the worker's files do not, even if nothing was delivered
  std::map<std::string, std::vector<std::byte>> bytes;  // by the function's argument
};

/// A case laid out on disk for one worker process. Run it as `<program> <request>` in any working
/// directory.
struct PreparedCase {
  std::shared_ptr<const CaseData> data;
  std::filesystem::path folder;
  std::filesystem::path request;  // the worker's only argument
  std::string nonce;  // must come back in the record
  std::shared_ptr<DeliveredOutputs> delivered;  // null: the worker's files count
  /// By their numbers in the worker: descriptors that it must get, which `data` holds open.
  std::map<int, int> descriptors = {};

  /// Whether outputs are those that the device process delivers, and the worker's files do not
  /// count.
  [[nodiscard]] bool delivers() const { return delivered != nullptr && delivered->count; }
  /// Of a case that delivers(): an output's bytes, by the function's argument; null: missing.
  [[nodiscard]] const std::vector<std::byte>* delivered_bytes(const std::string& argument) const {
    const auto found = delivered->bytes.find(argument);
    return found == delivered->bytes.end() ? nullptr : &found->second;
  }
};

/// The contents of outputs before the call.
enum class OutputStart : std::uint8_t {
  poison,  // no right program leaves it there
  zero,  // an experiment: does the program assume 0?
};

/// How a worker gets inputs that several submissions share (CaseData::shared).
enum class InputsBy : std::uint8_t {
  files,  // as others
  descriptor,  // whoever runs the worker passes PreparedCase::descriptors
};

/// Writes the request and the inputs into `folder` (created if missing), but never expected values,
/// the secret or points.
/// @throws std::filesystem::filesystem_error  with the path, if it cannot be written
[[nodiscard]] PreparedCase prepare_case(std::shared_ptr<const CaseData> data,
                                        const std::filesystem::path& folder,
                                        OutputStart outputs = OutputStart::poison,
                                        InputsBy inputs = InputsBy::files);

/// The same for a process that first calls the function with the data of `first`; only the second
/// call is recorded and judged.
[[nodiscard]] PreparedCase prepare_second_call(std::shared_ptr<const CaseData> first,
                                               std::shared_ptr<const CaseData> second,
                                               const std::filesystem::path& folder);

/// Only `passed` earns the case's points.
enum class CaseStatus : std::uint8_t {
  passed,
  wrong,  // an output is outside its error bound
  broke_contract,  // wrote to an input or outside a buffer
  cuda_error,  // left a CUDA error behind
  incomplete,  // no complete record: crashed, exited early, was killed
};
constexpr auto names_of(CaseStatus) {
  return names_up_to<CaseStatus::incomplete>("passed", "wrong", "broke_contract", "cuda_error",
                                             "incomplete");
}

/// One output of a case, compared.
struct OutputResult {
  std::string parameter;
  std::vector<std::uint64_t> shape;
  Comparison comparison;
  Pattern pattern;
  std::optional<WrongMap> wrong_map;  // where the comparison failed
};

/// The result of one run of one case.
struct CaseResult {
  CaseStatus status = CaseStatus::incomplete;
  std::string message;  // one sentence for the student
  std::string pitfall;  // "P44" if the harness itself can tell; otherwise empty
  std::vector<OutputResult> outputs;  // compared whatever the status; empty if incomplete
  Record record;  // possibly partial; trust its contents only if `complete`

  [[nodiscard]] const OutputResult* worst() const;  // null if there are no outputs
};

/// How much is found out of a run. Describing wrong outputs takes several times as long as
/// comparing them.
enum class Judging : std::uint8_t {
  described,
  status,  // without `outputs`, and without a message for wrong ones
};

/// Reads the worker's files in the case's folder and compares the outputs with the expected ones.
/// The caller adds how the process ended (exit code, signal, time-out) to `message`.
/// @param judging  of a program (Lab::program) all is described in any case
[[nodiscard]] CaseResult judge_case(const PreparedCase& prepared,
                                    Judging judging = Judging::described);

}  // namespace warpgrade
