#pragma once

#include <cuda_fp16.h>

/// Attention of several heads, as in the lab "attention", with inputs and result in half precision
/// and everything between in float. For each head h and query i
///
///   score(j) = scale * (sum over c of Q(h, i, c) * K(h, j, c))
///   weight(j) = exp(score(j)) / (sum over all j of exp(score(j)))
///   out(h, i, c) = sum over j of weight(j) * V(h, j, c)
///
/// The sums over j have all keys, 0 <= j < n, or with causal != 0 those with j <= i only.
///
/// q, k, v and out are DEVICE pointers to heads * n * depth halves: element (h, i, c) is at
/// (h * n + i) * depth + c. They are aligned to 16 bytes, and do not overlap.
///
/// depth is 64 or 128. heads is from 0 to 65535, n from 0 to 8192; if one is 0, there is nothing to
/// do. The arrays have less than 2^31 elements, but heads * n * n may be more. scale is positive.
/// All scores are finite, and so are q and k; v may have infinite values only where n = 1.
///
/// Scores and sums are float. A weight, relative to the largest score so far or to the sum, may be
/// rounded to half precision once, before it is multiplied by values. Sums may be formed in any
/// order. Only `out` may be written. The function may allocate device memory, which it frees before
/// it returns; it need not wait for its kernels.
void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal);
