"""A neighbour that the last element does not have"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def differences(values, out):
    i = cuda.grid(1)
    if i < values.size:
        following = values[i + 1]  # finding: oob-global-read
        out[i] = following - values[i]


differences[1, 64](np.arange(64, dtype=np.float32), np.zeros(64, dtype=np.float32))
