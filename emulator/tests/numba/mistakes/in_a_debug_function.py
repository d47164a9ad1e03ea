"""A mistake in a device function: with `debug=True` its own line"""
import numpy as np
from numba import cuda


@cuda.jit(device=True, debug=True, opt=False)
def put(values, i, value):
    values[i] = value  # finding: oob-global-write


@cuda.jit(debug=True, opt=False)
def fill(values):
    put(values, cuda.grid(1) * 2, 1)


fill[1, 64](np.zeros(100, dtype=np.float32))
