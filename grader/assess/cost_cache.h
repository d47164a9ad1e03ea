#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/assess/lab_session.h"

namespace warpgrade {

/// Costs of references on disk, in XDG_CACHE_HOME/warpgrade (or ~/.cache/warpgrade), by a key that
/// names everything they depend on. A cache that cannot be used is no error: the cost is measured.

/// The file of one entry; empty when there is no place for it.
/// @param kind  "reference"
[[nodiscard]] std::filesystem::path cache_file(const std::string& kind, const std::string& key);

[[nodiscard]] std::optional<ReferenceCost> load_cost(const std::string& key);
void store_cost(const std::string& key, const ReferenceCost& cost);

}  // namespace warpgrade
