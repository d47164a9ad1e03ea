#pragma once

#include <string_view>
#include <vector>

#include "harness/core/toml_table.h"
#include "harness/data/dataset.h"
#include "harness/lab/lab.h"

namespace warpgrade {

// The tables of lab.toml that describe what a student's functions are called with. All throw
// LabError at the key's line.

/// [[setting]]; before the datasets are read, which use the names.
void read_settings(TomlTable& document, Lab& lab);

/// [[size]]; after the datasets, whose dims it extends.
void read_sizes(TomlTable& document, std::vector<Dataset>& datasets, Lab& lab);

/// [[record]] and [function] with its parameters, sparse matrices and steps.
void read_function(TomlTable& document, const std::vector<Dataset>& datasets, Lab& lab);

/// Whether cases choose among the functions, by the key `calls`; before the cases are read. Then
/// each function's number of calls, and the sizes of outputs that it writes, depend on the case.
void allow_calls(TomlTable& document, Lab& lab);

/// A dim that says whether a case calls a function, of no use to readers of a report.
[[nodiscard]] bool is_call_switch(std::string_view dim);

/// The key `calls` of a [[case]]: without it, all functions are called.
void read_calls(TomlTable& row, const Lab& lab, Dataset& dataset);

/// The keys `stub` and `stub_reason`.
void read_stub(TomlTable& document, Lab& lab);

/// [[waive]]; after the cases have been read.
void read_waivers(TomlTable& document, Lab& lab);
/// Reads `parameters` of a lab's form in Python, which name each array once.
void check_python_parameters(TomlTable& document, const Lab& lab);

/// The [[waive_answer]] tables, after the cases.
void read_answer_waivers(TomlTable& document, Lab& lab);

/// Gives every input its fill: that of its name, its record or its sparse matrix.
/// @param row  names the dataset by its key `dataset`
/// @throws LabError  if one is missing, unknown or does not fit the function's parameters
void assign_fills(const TomlTable& row, const Lab& lab, Dataset& dataset);

}  // namespace warpgrade
