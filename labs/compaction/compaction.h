#pragma once

/// Moves the positive values to the front, in their order: if p of the values[0] to values[n-1] are
/// above 0, kept[0] to kept[p-1] are these, in the order in which they stand in `values`, the other
/// n - p elements of `kept` are 0, and *count = p.
///
/// `values`, `kept` and `count` are DEVICE pointers to n elements, n elements and one, aligned to 4
/// bytes and no more; they do not overlap. n is any int from 0 up; for n = 0 *count is 0. What
/// `kept` and `count` held before the call is garbage. `values` must be left as they are, and
/// nothing outside the three arrays may be touched. The function may allocate device memory, which
/// it frees before it returns; it need not wait for its kernels.
void compaction(const int* values, int* kept, int* count, int n);
