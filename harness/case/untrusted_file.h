#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace warpgrade {

/// Reads a file that hostile code may have put there: only a regular file, no link to one of ours,
/// no pipe that never ends.
///
/// @param limit  bytes; of a longer file the rest is left out
/// @returns nothing when it is no such file or cannot be read
[[nodiscard]] std::optional<std::string> read_untrusted_file(const std::filesystem::path& file,
                                                             std::uint64_t limit);

/// The same, of a file that must have exactly as many bytes as there is room for.
/// @returns whether it is one that has, and was read
[[nodiscard]] bool read_untrusted_file(const std::filesystem::path& file,
                                       std::span<std::byte> bytes);

}  // namespace warpgrade
