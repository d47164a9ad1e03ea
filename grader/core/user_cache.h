#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

/// The user's cache: XDG_CACHE_HOME/warpgrade, or ~/.cache/warpgrade; empty without a home folder.
/// Everything in it can be made again, so nothing here fails: what cannot be kept is made again
/// next time.
[[nodiscard]] std::filesystem::path cache_folder();

/// The file of one entry, or an empty path without a home folder.
/// @param kind  the folder of entries of its kind: "reference"
/// @param name  a hash of everything that the entry depends on, and an extension: "5f…e0.json"
[[nodiscard]] std::filesystem::path cache_file(std::string_view kind, const std::string& name);

/// The entry; nothing if it is not cached or cannot be read.
[[nodiscard]] std::optional<std::string> read_cached(const std::filesystem::path& file);

/// Writes an entry.
/// @returns whether it is there now: the home folder may be missing, read-only or full
bool write_cached(const std::filesystem::path& file, std::string_view content);

/// Size and time of the last change of a file, as text: another build of a program differs.
[[nodiscard]] std::string file_stamp(const std::filesystem::path& file);

}  // namespace warpgrade
