#pragma once

/// y = A * x for a sparse matrix A in compressed sparse rows (CSR): the elements of row i are
/// `values[k]` in column `columns[k]`, for k from `row_starts[i]` up to, and not including,
/// `row_starts[i + 1]`. So y[i] is the sum of values[k] * x[columns[k]] over these k, and 0 for a
/// row without elements.
///
/// All pointers are DEVICE pointers, aligned to 4 bytes and no more, and their arrays do not
/// overlap. `row_starts` has rows + 1 elements, of which the first is 0 and the last is
/// `nonzeros`; `columns` and `values` have `nonzeros` elements, `y` has `rows`, and `x` is as long
/// as the matrix is wide. The columns of a row are different and ascending. `rows` and `nonzeros`
/// are from 0 up; with 0 rows there is nothing to do. Sums may be formed in any order. Only `y` may
/// be written. The function may allocate device memory, which it frees before it returns; it need
/// not wait for its kernels.
void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros);
