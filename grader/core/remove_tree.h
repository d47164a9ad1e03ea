#pragma once

#include <filesystem>

namespace warpgrade {

/// Removes a folder and everything in it, whoever made it: folders nested so deep that their path
/// is too long, links, folders without permissions. Never leaves the folder, uses few descriptors,
/// and takes a few system calls per entry. What cannot be removed stays.
///
/// No other process may be changing the folder.
void remove_tree(const std::filesystem::path& folder) noexcept;

}  // namespace warpgrade
