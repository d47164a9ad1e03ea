"""`syncthreads` that only some threads of the block reach"""
import numpy as np
from numba import cuda, int32


@cuda.jit(lineinfo=True)
def half(values):
    tile = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    tile[i] = values[i]
    if i < 40:
        cuda.syncthreads()  # finding: barrier-divergence
        values[i] = tile[i] * 2


half[1, 64](np.arange(64, dtype=np.int32))
