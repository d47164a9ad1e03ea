#pragma once

/// Counts how often each value occurs: afterwards bins[v] is the number of the values[0] to
/// values[n-1] that equal v, for every v from 0 to num_bins - 1. Values of num_bins and above, up
/// to the largest unsigned int, belong to no bin and are ignored.
///
/// `values` and `bins` are DEVICE pointers to n and num_bins elements, aligned to 4 bytes and no
/// more; they do not overlap. n is from 0 up, num_bins from 1 to 2^20 (1048576). The old contents
/// of `bins` are garbage: every bin must be written, also when n is 0. `values` must be left as
/// they are; nothing outside the two arrays may be touched.
///
/// The caller owns both arrays. The function may allocate scratch memory, which it frees before it
/// returns. All work goes to the default stream; the function need not wait for it.
void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins);
