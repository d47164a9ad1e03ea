#pragma once

/// The softmax of each row of a matrix: out(i, j) = exp(in(i, j) - m) / s, where m is the largest
/// value of row i and s the sum of exp(in(i, k) - m) over all columns k. Without m the result would
/// be the same in exact arithmetic, but exp(89) is too large for a float.
///
/// `in` and `out` are DEVICE pointers to rows * columns floats each, row-major and dense, aligned
/// to 4 bytes and no more; they do not overlap. Both extents are from 0 up, and rows * columns is
/// below 2^31; if one of them is 0 there is nothing to do. No value is NaN or -infinity. A row that
/// holds +infinity becomes NaN, as the formula says. Sums may be formed in any order. `in` must be
/// left as it is, and nothing outside `out` may be written. The function may allocate device
/// memory, which it frees before it returns; it need not wait for its kernels.
void softmax(const float* in, float* out, int rows, int columns);
