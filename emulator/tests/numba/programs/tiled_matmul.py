"""Shared memory and `syncthreads`: a tiled matrix product"""
import numpy as np
from numba import cuda, float32

TILE = 8


@cuda.jit(lineinfo=True)
def multiply(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0)
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        left[tx, ty] = 0
        right[tx, ty] = 0
        if x < a.shape[0] and ty + tile * TILE < a.shape[1]:
            left[tx, ty] = a[x, ty + tile * TILE]
        if y < b.shape[1] and tx + tile * TILE < b.shape[0]:
            right[tx, ty] = b[tx + tile * TILE, y]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[tx, k] * right[k, ty]
        cuda.syncthreads()
    if x < c.shape[0] and y < c.shape[1]:
        c[x, y] = total


random = np.random.default_rng(1)
a = random.integers(-4, 5, (21, 30)).astype(np.float32)
b = random.integers(-4, 5, (30, 19)).astype(np.float32)
c = np.zeros((21, 19), dtype=np.float32)
multiply[(3, 3), (TILE, TILE)](a, b, c)
np.testing.assert_array_equal(c, a @ b)  # small integers: exact
