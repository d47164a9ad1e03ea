"""A sum over `device_array` memory that is not initialized"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def add(values, out):
    i = cuda.grid(1)
    out[i] = out[i] + values[i]  # finding: unwritten-global-read


add[1, 64](np.ones(64, dtype=np.int32), cuda.device_array(64, dtype=np.int32))
cuda.synchronize()
