#pragma once

#include <optional>
#include <string>

#include "grader/evidence/reference_cost.h"

namespace warpgrade {

// Costs of references on disk, by a key that names everything they depend on. A cache that cannot
// be used is not an error: the cost is measured.

[[nodiscard]] std::optional<ReferenceCost> load_cost(const std::string& key);
void store_cost(const std::string& key, const ReferenceCost& cost);

}  // namespace warpgrade
