#pragma once

/// The values of `op`: what n values are combined to, from left to right.
constexpr int kAnd = 0;  // a & b
constexpr int kOr = 1;  // a | b
constexpr int kXor = 2;  // a ^ b
constexpr int kMin = 3;  // the smaller one
constexpr int kAll = 4;  // 1 if no value is 0, else 0
constexpr int kAny = 5;  // 1 if some value is not 0, else 0
constexpr int kLast = 6;  // the last value that is not 0; 0 if there is none

/// Combines all values to one: *result = values[0] op values[1] op ... op values[n-1].
///
/// values, result are DEVICE pointers to n unsigned integers and to one, aligned to 4 bytes, that
/// do not overlap. `values` must be left as they are. *result holds garbage before the call. n is
/// any int from 0 up; for n = 0 *result is the identity of `op`: 0xffffffff for kAnd and kMin, 1
/// for kAll, and 0 for the others. All operators are associative; kLast is not commutative. The
/// function may allocate device memory, and has freed it when it returns. It may return before its
/// kernels have finished.
void operators(const unsigned* values, unsigned* result, int n, int op);
