#pragma once

#include <string>

#include "harness/case/case_data.h"

namespace warpgrade {

/// The worker's instructions as text; docs/worker-protocol.md describes it. Scalars are in it,
/// inputs are in files beside it: inputs_file(parameter).
[[nodiscard]] std::string make_request(const CaseData& data, const std::string& nonce);

/// Names within a case's folder.
inline constexpr const char* kRequestFile = "request.txt";
inline constexpr const char* kRecordFile = "record.txt";
[[nodiscard]] std::string input_file(const std::string& parameter);
[[nodiscard]] std::string output_file(const std::string& parameter);

}  // namespace warpgrade
