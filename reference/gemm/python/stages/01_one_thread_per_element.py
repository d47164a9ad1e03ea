# Rung 1: one thread for each element of C.
#
# Neighbouring threads have neighbouring columns: a warp reads B in whole sectors, and the few rows of A that it needs
# are the same address for many threads. Every thread loads its whole row and column, 2 * k floats for 2 * k
# operations: memory, not arithmetic, sets the time.
from numba import cuda, float32

TILE = 16


@cuda.jit
def multiply(a, b, c):
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    column = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    if row < c.shape[0] and column < c.shape[1]:
        total = float32(0)  # also the result for k = 0
        for i in range(a.shape[1]):
            total += a[row, i] * b[i, column]
        c[row, column] = total


def gemm(a, b, c):
    m, n = c.shape
    if m == 0 or n == 0:
        return  # a grid of no blocks is an error
    grid = ((n + TILE - 1) // TILE, (m + TILE - 1) // TILE)
    multiply[grid, (TILE, TILE)](a, b, c)
