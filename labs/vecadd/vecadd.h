#pragma once

/// Adds two vectors: c[i] = a[i] + b[i] for 0 <= i < n.
///
/// a, b, c are HOST pointers to n floats each, aligned to 4 bytes, that do not overlap. `a` and `b`
/// must be left as they are; no element beyond c[n-1] may be written. n may be 0: then nothing is
/// read or written, and no kernel may be launched. When vecadd returns, `c` is complete and every
/// device buffer that it allocated has been freed.
void vecadd(const float* a, const float* b, float* c, int n);
