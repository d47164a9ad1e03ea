# What performance is compared with: tiles of 16 x 16 in shared memory.
from numba import cuda, float32

TILE = 16


@cuda.jit
def multiply(a, b, c):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x = cuda.threadIdx.x
    y = cuda.threadIdx.y
    row = cuda.blockIdx.y * TILE + y
    column = cuda.blockIdx.x * TILE + x
    m, n = c.shape
    k = a.shape[1]

    total = float32(0)
    for start in range(0, k, TILE):
        a_tile[y, x] = a[row, start + x] if row < m and start + x < k else float32(0)
        b_tile[y, x] = b[start + y, column] if start + y < k and column < n else float32(0)
        cuda.syncthreads()
        for i in range(TILE):
            total += a_tile[y, i] * b_tile[i, x]
        cuda.syncthreads()
    if row < m and column < n:
        c[row, column] = total


def gemm(a, b, c):
    m, n = c.shape
    if m == 0 or n == 0:
        return
    grid = ((n + TILE - 1) // TILE, (m + TILE - 1) // TILE)
    multiply[grid, (TILE, TILE)](a, b, c)
