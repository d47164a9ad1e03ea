"""A counter that is incremented without an atomic"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def count(values, counter):
    i = cuda.grid(1)
    if values[i] > 10:
        counter[0] += 1  # finding: race-global


count[4, 64](np.arange(256, dtype=np.int32), np.zeros(1, dtype=np.int32))
