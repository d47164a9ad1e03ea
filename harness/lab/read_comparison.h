#pragma once

#include <vector>

#include "harness/core/toml_table.h"
#include "harness/data/dataset.h"
#include "harness/lab/lab.h"

namespace warpgrade {

// How outputs are compared, as lab.toml says. All throw LabError at the key's line.

/// [tolerance] of the lab, or `tolerance` of an output.
[[nodiscard]] Tolerance read_tolerance(TomlTable& table, const std::vector<Dataset>& datasets);

/// The keys of an output that say how it is compared.
void read_comparison(TomlTable& row, const std::vector<Dataset>& datasets, Parameter& parameter);

/// The arrays that delimit groups: integers, and not themselves in free order.
void check_groups(const TomlTable& table, const Lab& lab);

}  // namespace warpgrade
