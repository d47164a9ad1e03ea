#pragma once

/// The values of `op`: what two values are combined to.
constexpr int kSum = 0;  // a + b
constexpr int kMin = 1;  // the smaller one
constexpr int kMax = 2;  // the larger one
constexpr int kProduct = 3;  // a * b

/// Combines all values to one: *result = values[0] op values[1] op ... op values[n-1].
///
/// values, result are DEVICE pointers to n floats and to one, aligned to 4 bytes, that do not
/// overlap. `values` must be left as they are and hold no NaN. *result holds garbage before the
/// call. n is any int from 0 up; for n = 0 *result is the identity of `op`: 0 for kSum, +infinity
/// for kMin, -infinity for kMax, 1 for kProduct. The order in which values are combined is free.
/// The function may allocate device memory, and has freed it when it returns. It may return before
/// its kernels have finished.
void reduction(const float* values, float* result, int n, int op);
