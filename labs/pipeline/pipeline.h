#pragma once

/// The sum of each column of a matrix, added in the order of the rows, in float:
///
///     out(c) = (...((0 + in(0, c)) + in(1, c)) + ...) + in(rows - 1, c)
///
/// Float addition rounds, so another order gives other sums; here the result has to be the same bit
/// by bit wherever and whenever it is computed. Without rows it is 0.
///
/// `in` is a DEVICE pointer to rows * columns floats, row-major and dense, `out` one to `columns`
/// floats; they are aligned to 4 bytes and no more, and do not overlap. Both extents are from 0 up,
/// and rows * columns is below 2^31; with 0 columns there is nothing to do. `in` must be left as it
/// is, and nothing outside `out` may be written. The function need not wait for its kernels.
void ordered_sums(const float* in, float* out, int rows, int columns);
