#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "harness/data/dataset.h"
#include "harness/data/expected.h"
#include "harness/golden/golden.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The outputs of a call, to be filled by a function of a golden library.
[[nodiscard]] std::map<std::string, GoldenCall::Output> make_outputs(const Lab& lab,
                                                                     const Dims& dims);

/// Bytes of the outputs of a call, as write_outputs() writes them.
[[nodiscard]] std::size_t bytes_of_outputs(const Lab& lab, const Dims& dims);

/// Copies outputs of make_outputs() to the process that waits for them.
/// @param to  bytes_of_outputs(), aligned for float64
void write_outputs(const std::map<std::string, GoldenCall::Output>& outputs,
                   std::span<std::byte> to);
/// The outputs that write_outputs() has written.
[[nodiscard]] std::map<std::string, GoldenCall::Output> read_outputs(
    const Lab& lab, const Dims& dims, std::span<const std::byte> from);

/// The filled outputs as expected values, with their bounds.
/// @param who  the function, for errors: "reference/scan/golden.cpp"
/// @throws LabError  if an output or a condition was not set
[[nodiscard]] std::map<std::string, Expected> bounded(
    const Lab& lab, const Case& spec, const std::string& who,
    std::map<std::string, GoldenCall::Output> outputs);

}  // namespace warpgrade
