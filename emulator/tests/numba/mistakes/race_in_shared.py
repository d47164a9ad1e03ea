"""A tile that is read without `syncthreads`"""
import numpy as np
from numba import cuda, int32


@cuda.jit(lineinfo=True)
def reverse(values):
    tile = cuda.shared.array(128, int32)
    i = cuda.threadIdx.x
    tile[i] = values[i]
    values[i] = tile[127 - i]  # finding: race-shared # or: unwritten-shared-read


reverse[1, 128](np.arange(128, dtype=np.int32))
