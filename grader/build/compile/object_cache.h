#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// What a successful build needs again, but for the link.
struct CachedBuild {
  std::vector<IntegrityFlag> flags;
  std::string log;
  std::string source_folder;  // in which it was compiled: what its file names start with
};

/// Copies the object of an earlier build to `object`.
/// @param key  a hash of everything that the object depends on
/// @returns nothing if it is not in the user's cache
[[nodiscard]] std::optional<CachedBuild> load_object(const std::string& key,
                                                     const std::filesystem::path& object);

/// Keeps an object in the user's cache. Objects that nobody has used for a week are removed.
void store_object(const std::string& key, const std::filesystem::path& object,
                  const CachedBuild& build);

}  // namespace warpgrade
