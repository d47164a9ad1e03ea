#pragma once

/// Filters a signal: out[i] = weights[0] * in[i] + weights[1] * in[i - 1] + ... + weights[taps - 1]
/// * in[i - (taps - 1)], where in[j] is 0 for j < 0.
///
/// `in` and `out` are HOST pointers to n floats each, and `weights` is one to `taps` floats, all in
/// pageable memory (from malloc or new), aligned to 4 bytes; they do not overlap. n is from 0 up
/// and below 2^30, `taps` from 1 to 64, and may be larger than n. Sums may be formed in any order.
/// `in` and `weights` must be left as they are. When the function returns, `out` is complete, all
/// work on the device has ended, and what the function allocated is freed: device memory, pinned
/// memory, streams and events.
void filter(const float* in, const float* weights, float* out, int n, int taps);
