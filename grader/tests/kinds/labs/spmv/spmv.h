#pragma once

/// y = A x, with A in compressed sparse rows: the elements of row r are values[k] in column
/// columns[k], for k from row_starts[r] to row_starts[r + 1]. All pointers are device pointers.
void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows);
