#pragma once

/// Transposes a matrix: out[j * rows + i] = in[i * columns + j] for every row i and column j of
/// `in`.
///
/// `in` and `out` are DEVICE pointers to rows * columns floats each, aligned to 4 bytes and no
/// more; they do not overlap. `in` has `rows` rows of `columns` floats, `out` has `columns` rows of
/// `rows` floats, both row-major and dense. Both extents are from 0 to 500000, and rows * columns
/// is below 2^31; if one of them is 0 there is nothing to do. Values are copied bit by bit: nothing
/// is rounded. `in` must be left as it is, and nothing outside `out` may be written. The function
/// need not wait for its kernels.
void transpose(const float* in, float* out, int rows, int columns);
