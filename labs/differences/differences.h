#pragma once

/// Differences of neighbours: result[0] = values[0], and result[i] = values[i] - values[i - 1] for
/// i from 1 to n - 1.
///
/// `values` and `result` are DEVICE pointers to n floats each, aligned to 4 bytes and no more; they
/// do not overlap. n is any int from 0 up; for 0 there is nothing to do. `values` must be left as
/// they are, and nothing outside `result` may be written. The function need not wait for its
/// kernels.
void differences(const float* values, float* result, int n);
