"""Dynamic shared memory, also as several arrays"""
import numpy as np
from numba import cuda, float32, int32


@cuda.jit(lineinfo=True)
def reverse(values):
    tile = cuda.shared.array(0, int32)
    i = cuda.threadIdx.x
    tile[i] = values[i]
    cuda.syncthreads()
    values[i] = tile[cuda.blockDim.x - 1 - i]


@cuda.jit(lineinfo=True)
def two_arrays(out):
    integers = cuda.shared.array(0, int32)[:32]
    floats = cuda.shared.array(0, float32)[32:64]
    i = cuda.threadIdx.x
    integers[i] = i
    floats[i] = float32(i) / 2
    cuda.syncthreads()
    out[i] = integers[31 - i] + floats[31 - i]


values = np.arange(100, dtype=np.int32)
reverse[1, 100, 0, 400](values)
np.testing.assert_array_equal(values, np.arange(100)[::-1])
out = np.zeros(32, dtype=np.float32)
two_arrays[1, 32, 0, 256](out)
np.testing.assert_array_equal(out, (31 - np.arange(32)) * 1.5)
