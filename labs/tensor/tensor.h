#pragma once

#include <cuda_bf16.h>

/// C = A * B, with factors and results in bfloat16 and sums in float: c[i * n + j] is the sum over
/// l of a[i * k + l] * b[l * n + j], rounded to bfloat16 when it is stored and not before.
///
/// A is m x k, B is k x n, C is m x n; all three are row-major and dense. They are DEVICE pointers,
/// aligned to 16 bytes, to arrays that do not overlap. Extents are from 0 up, and no array has more
/// than 2^30 elements; n and k are multiples of 8, so each row begins at a multiple of 16 bytes.
/// With m = 0 or n = 0 there is nothing to do, and with k = 0 every element of C is 0.
///
/// Sums may be formed in any order. Only `c` may be written. The function need not wait for its
/// kernels.
void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k);
