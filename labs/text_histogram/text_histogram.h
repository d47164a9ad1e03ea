#pragma once

/// How often letters occur in a text, in groups of four: bins[0] counts a to d, bins[1] e to h,
/// bins[2] i to l, bins[3] m to p, bins[4] q to t, bins[5] u to x and bins[6] y and z, capital
/// letters like small ones. bins[7] counts all other bytes.
///
/// `text` has n bytes, of any value from 0 to 255; letters are those of ASCII. `bins` has 8
/// counters, which hold anything before the call and are written, not added to. Both are DEVICE
/// pointers, `text` without any alignment, to arrays that do not overlap. n is from 0 up; for an
/// empty text all counters are 0. Only `bins` may be written. The function may allocate device
/// memory, which it frees before it returns; it need not wait for its kernels.
void text_histogram(const unsigned char* text, unsigned int* bins, int n);
