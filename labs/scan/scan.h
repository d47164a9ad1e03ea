#pragma once

/// Prefix sums of n floats.
///
/// Inclusive (exclusive = 0): sums[i] = values[0] + ... + values[i].
/// Exclusive (exclusive = 1): sums[i] = values[0] + ... + values[i-1], and sums[0] = 0.
///
/// values, sums are DEVICE pointers to n floats each, aligned to 4 bytes, that do not overlap.
/// `values` must be left as it is; no element beyond sums[n-1] may be written, and each of sums[0]
/// to sums[n-1] must be. The additions may be done in any order. n may be 0: then nothing is read
/// or written, and no kernel may be launched. The caller owns both buffers; scan may allocate
/// device memory for itself, which is freed when it returns. It need not wait for its kernels.
void scan(const float* values, float* sums, int n, int exclusive);
