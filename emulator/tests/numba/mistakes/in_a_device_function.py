"""A mistake in a device function: with `lineinfo=True` the line of the call, as Numba writes it"""
import numpy as np
from numba import cuda


@cuda.jit(device=True, lineinfo=True)
def put(values, i, value):
    values[i] = value


@cuda.jit(lineinfo=True)
def fill(values):
    put(values, cuda.grid(1) * 2, 1)  # finding: oob-global-write


fill[1, 64](np.zeros(100, dtype=np.float32))
