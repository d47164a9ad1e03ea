#pragma once

/// y = A x, with A in jagged diagonals: place p holds row row_order[p] with row_lengths[p]
/// elements; its k-th element is at diagonal_starts[k] + p. All pointers are device pointers.
void spmv_jds(const int* row_order, const int* row_lengths, const int* diagonal_starts,
              const int* columns, const float* values, const float* x, float* y, int rows);
