#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "harness/case/case.h"
#include "harness/lab/arguments.h"

namespace warpgrade {

/// An output as the worker wrote it; nothing if it is missing or incomplete.
[[nodiscard]] std::optional<Array> read_output(const PreparedCase& prepared,
                                               const Parameter& parameter);

/// A parameter's elements from a file with all bytes of its argument, which a worker wrote; nothing
/// if it is missing or incomplete.
[[nodiscard]] std::optional<Array> read_elements(const std::filesystem::path& file,
                                                 const CallArgument& argument,
                                                 const Parameter& parameter,
                                                 std::vector<std::uint64_t> shape);

}  // namespace warpgrade
