#pragma once

/// Sorts unsigned integers: afterwards `sorted` holds the keys[0] to keys[n-1] in ascending order.
///
/// `keys` and `sorted` are DEVICE pointers to n elements each, aligned to 4 bytes and no more; they
/// do not overlap. n is any int from 0 up; for 0 there is nothing to do. Every value of an unsigned
/// int may occur, any number of times. `keys` must be left as they are, and nothing outside
/// `sorted` may be written. The function may allocate device memory, which it frees before it
/// returns; it need not wait for its kernels.
void sort(const unsigned* keys, unsigned* sorted, int n);
