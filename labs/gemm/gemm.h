#pragma once

/// Multiplies two matrices: C = A * B, that is
/// C[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + ... + A[i][k-1] * B[k-1][j].
///
/// a is m x k, b is k x n, c is m x n; each is a DEVICE pointer to a dense row-major array of
/// floats that the caller owns: element (i, j) of c is c[i * n + j]. The three do not overlap and
/// are aligned to 4 bytes, no more.
///
/// m, n and k are from 0 to 1000000, and no matrix has more than 2^31 - 1 elements. For m = 0 or
/// n = 0 there is nothing to do. For k = 0 every element of c is 0, and must be written.
///
/// `a` and `b` must be left as they are, and nothing outside c may be written. What c holds before
/// the call is of no meaning. The products may be added in any order; products and sums are those
/// of float, or better. gemm need not wait for its kernels. What it allocates it frees.
void gemm(const float* a, const float* b, float* c, int m, int n, int k);
