#pragma once

#include <optional>
#include <string>

#include "grader/record/evidence/reference_cost.h"

namespace warpgrade {

// A disk cache of the references' costs, by a hash of everything that they depend on. An unusable
// cache is not an error: the cost is measured.

[[nodiscard]] std::optional<ReferenceCost> load_cost(const std::string& key);
void store_cost(const std::string& key, const ReferenceCost& cost);

}  // namespace warpgrade
