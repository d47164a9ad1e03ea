#pragma once

/// The direction from b to a, as a vector of length 1: with d = a - b and s the sum of d[i] * d[i],
/// unit[i] = d[i] / sqrt(s) for i from 0 to n - 1. If all d[i] are 0, all results are 0.
///
/// All pointers are DEVICE pointers to n floats each, aligned to 4 bytes and no more; the arrays do
/// not overlap. n is any int from 0 up; for 0 there is nothing to do. Values and differences other
/// than 0 are from 2^-40 to 2^40 in magnitude, so that no square overflows. Only `unit` may be
/// written. The function may allocate device memory, which it frees before it returns; it need not
/// wait for its kernels.
void normalize(const float* a, const float* b, float* unit, int n);
