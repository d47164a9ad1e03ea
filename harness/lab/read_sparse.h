#pragma once

#include <vector>

#include "harness/core/toml_table.h"
#include "harness/data/dataset.h"
#include "harness/lab/lab.h"

namespace warpgrade {

// Sparse matrices, whose arrays are parameters of functions or files of programs. All throw
// LabError at the key's line.

/// A row of [[function.sparse]] or [[program.sparse]]; adds it to lab.matrices.
void read_sparse_matrix(TomlTable& row, std::string_view title,
                        const std::vector<Dataset>& datasets, Lab& lab);

/// The keys `of` and `part` of an array of a sparse matrix, whose shape follows from the matrix.
/// @param title  of the matrices' tables: "[[function.sparse]]"
void read_sparse_part(TomlTable& row, std::string_view title, const Lab& lab, Parameter& parameter);

}  // namespace warpgrade
