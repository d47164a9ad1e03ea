"""A block with more threads than the shared array has elements"""
import numpy as np
from numba import cuda, float32


@cuda.jit(lineinfo=True)
def copy(values):
    tile = cuda.shared.array(32, float32)
    tile[cuda.threadIdx.x] = values[cuda.threadIdx.x]  # finding: oob-shared-write
    cuda.syncthreads()
    values[cuda.threadIdx.x] = tile[cuda.threadIdx.x]


copy[1, 48](np.arange(48, dtype=np.float32))
