"""A stencil that is updated in place"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def smooth(values):
    i = cuda.grid(1)
    if 0 < i < values.size - 1:
        left = values[i - 1]  # finding: race-global # or: warp-synchronous
        right = values[i + 1]  # or: race-global # or: warp-synchronous
        values[i] = (left + right) / 2  # or: race-global


smooth[4, 64](np.arange(256, dtype=np.float64))
