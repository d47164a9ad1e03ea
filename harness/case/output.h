#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "harness/case/case.h"
#include "harness/lab/arguments.h"

namespace warpgrade {

/// An output as the device process delivered it, or as the worker wrote it; nothing if it is
/// missing or incomplete.
[[nodiscard]] std::optional<Array> read_output(const PreparedCase& prepared,
                                               const Parameter& parameter);

/// A parameter's elements from a file with all bytes of its argument, which a worker wrote; nothing
/// if it is missing or incomplete.
[[nodiscard]] std::optional<Array> read_elements(const std::filesystem::path& file,
                                                 const CallArgument& argument,
                                                 const Parameter& parameter,
                                                 std::vector<std::uint64_t> shape);

/// The same from these bytes; nothing if they are of another size.
[[nodiscard]] std::optional<Array> elements_in(std::span<const std::byte> bytes,
                                               const CallArgument& argument,
                                               const Parameter& parameter,
                                               std::vector<std::uint64_t> shape);

}  // namespace warpgrade
