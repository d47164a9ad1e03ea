#pragma once

/// out = max(0, A * B + C), a layer of a neural network in one call: out(i, j) is the sum over l of
/// A(i, l) * B(l, j), plus C(i, j), and 0 where that is negative.
///
/// A has m rows of k floats and is stored by rows: A(i, l) is a[i * k + l]. B has n COLUMNS of k
/// floats and is stored by columns: B(l, j) is b[j * k + l]. C and out have m rows of n floats and
/// are stored by rows.
///
/// All are DEVICE pointers, aligned to 4 bytes and no more, to arrays that do not overlap. Extents
/// are from 0 up; with m = 0 or n = 0 there is nothing to do, and with k = 0 the product is 0. No
/// value is NaN, and only C may have infinite ones. Sums may be formed in any order. Only `out` may
/// be written. The function may allocate device memory, which it frees before it returns; it need
/// not wait for its kernels.
void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k);
