#pragma once

#include <vector>

#include "harness/core/toml_table.h"
#include "harness/data/dataset.h"
#include "harness/lab/lab.h"

namespace warpgrade {

// The tables of lab.toml that describe what a student's functions are called with. All throw
// LabError at the key's line.

/// [[setting]]; before the datasets are read, which use the names.
void read_settings(TomlTable& document, Lab& lab);

/// [[record]] and [function] with its parameters, sparse matrices and steps.
void read_function(TomlTable& document, const std::vector<Dataset>& datasets, Lab& lab);

/// [[waive]]; after the cases have been read.
void read_waivers(TomlTable& document, Lab& lab);

/// The [[waive_answer]] tables, after the cases.
void read_answer_waivers(TomlTable& document, Lab& lab);

/// Gives every input its fill: that of its name, its record or its sparse matrix.
/// @param row  names the dataset by its key `dataset`
/// @throws LabError  if one is missing, unknown or does not fit the function's parameters
void assign_fills(const TomlTable& row, const Lab& lab, Dataset& dataset);

}  // namespace warpgrade
