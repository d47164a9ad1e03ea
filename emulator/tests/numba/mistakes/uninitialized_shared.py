"""A shared array of which only a part is initialized"""
import numpy as np
from numba import cuda, int32


@cuda.jit(lineinfo=True)
def sums(values, out):
    tile = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    if i < values.size:
        tile[i] = values[i]
    cuda.syncthreads()
    out[i] = tile[i]  # finding: unwritten-shared-read


sums[1, 64](np.arange(60, dtype=np.int32), np.zeros(64, dtype=np.int32))
