#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "harness/case/case.h"
#include "harness/case/case_data.h"

namespace warpgrade {

/// Where a worker finds inputs in a file that it has open.
struct SharedPlaces {
  int descriptor = -1;
  std::map<std::string, std::uint64_t> offsets = {};  // in bytes, by the function's argument
};

/// The worker's instructions as text; docs/worker-protocol.md describes it. Scalars are in it,
/// inputs are in files beside it, input_file(parameter), or in an open one.
/// @param first        the request of a call before this one, relative to the folder; empty for
/// none
/// @param shared  inputs that are in an open file
[[nodiscard]] std::string make_request(const CaseData& data, const std::string& nonce,
                                       const std::string& first = "",
                                       OutputStart outputs = OutputStart::poison,
                                       const SharedPlaces& shared = {});

/// The same for interleaved timed calls: inputs are windows of longer files.
/// @param inputs       the files, absolute, by parameter
/// @param processor    the host processor for a function on host pointers; none: any
/// @param both_clocks  false if only the events' times are meaningful
[[nodiscard]] std::string make_timed_request(
    const Lab& lab, const Dataset& dataset,
    const std::map<std::string, std::filesystem::path>& inputs, bool both_clocks,
    std::optional<unsigned> processor, const std::string& nonce);

/// 128 unpredictable bits in hexadecimal.
[[nodiscard]] std::string make_nonce();

/// Names within a case's folder.
inline constexpr const char* kRequestFile = "request.txt";
inline constexpr const char* kRecordFile = "record.txt";
inline constexpr const char* kTurnsFile = "turns.txt";
[[nodiscard]] std::string input_file(const std::string& parameter);
[[nodiscard]] std::string output_file(const std::string& parameter);

}  // namespace warpgrade
