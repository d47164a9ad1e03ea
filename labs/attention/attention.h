#pragma once

/// Attention of several heads, each on its own arrays: every token looks at the others and takes a
/// weighted mean of their values. For each head h and query i
///
///   score(j) = scale * (sum over c of Q(h, i, c) * K(h, j, c))
///   weight(j) = exp(score(j)) / (sum over all j of exp(score(j)))
///   out(h, i, c) = sum over j of weight(j) * V(h, j, c)
///
/// The sums over j have all keys, 0 <= j < n, or with causal != 0 those with j <= i only.
///
/// q, k, v and out are DEVICE pointers to heads * n * depth floats: element (h, i, c) is at
/// (h * n + i) * depth + c. They are aligned to 4 bytes and no more, and do not overlap.
///
/// depth is 64 or 128. heads is from 0 to 65535, n from 0 to 8192; if one is 0, there is nothing to
/// do. The arrays have less than 2^31 elements, but heads * n * n may be more. scale is positive.
/// All scores are finite, and so are q and k; v may have infinite values only where n = 1. Sums may
/// be formed in any order. Only `out` may be written. The function may allocate device memory,
/// which it frees before it returns; it need not wait for its kernels.
void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal);
