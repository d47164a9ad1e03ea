#pragma once

#include <filesystem>

namespace warpgrade {

/// Removes a folder and all in it, whatever made it: folders nested so deep that their path is too
/// long, links, folders without permissions. Never leaves the folder, uses few descriptors, and
/// takes a few system calls an entry. What cannot be removed stays.
///
/// Nobody else may be at work in there.
void remove_tree(const std::filesystem::path& folder) noexcept;

}  // namespace warpgrade
