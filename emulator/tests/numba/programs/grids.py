"""Grids and blocks of two and three dimensions"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def transpose(source, target):
    x, y = cuda.grid(2)
    if x < source.shape[0] and y < source.shape[1]:
        target[y, x] = source[x, y]


@cuda.jit(lineinfo=True)
def numbers(volume):
    x, y, z = cuda.grid(3)
    if x < volume.shape[0] and y < volume.shape[1] and z < volume.shape[2]:
        block = (cuda.blockIdx.z * cuda.gridDim.y + cuda.blockIdx.y) * cuda.gridDim.x + cuda.blockIdx.x
        thread = (cuda.threadIdx.z * cuda.blockDim.y + cuda.threadIdx.y) * cuda.blockDim.x
        volume[x, y, z] = 100 * block + thread + cuda.threadIdx.x


source = np.arange(30 * 17, dtype=np.int32).reshape(30, 17)
target = np.zeros((17, 30), dtype=np.int32)
transpose[(4, 3), (8, 8)](source, target)
np.testing.assert_array_equal(target, source.T)

volume = np.zeros((4, 5, 6), dtype=np.int32)
numbers[(2, 3, 2), (2, 2, 4)](volume)
assert volume[0, 0, 0] == 0
assert volume[3, 4, 5] == 100 * 11 + (1 * 2 + 0) * 2 + 1
