#pragma once

/// A linear recurrence, in place: x[i] = a[i] * x[i-1] + x[i] for i from 0 up, with `start` in the
/// place of x[-1]. All numbers are unsigned, so products and sums are taken modulo 2^32, and every
/// order of evaluation that the operator allows gives the same result.
///
/// a, x are DEVICE pointers to n unsigned integers each, aligned to 4 bytes, that do not overlap.
/// `a` must be left as it is. n is any int from 0 up; for 0 there is nothing to do, and no kernel
/// may be launched. The function may allocate device memory, and has freed it when it returns. It
/// may return before its kernels have finished.
void recurrence(const unsigned* a, unsigned* x, int n, unsigned start);
