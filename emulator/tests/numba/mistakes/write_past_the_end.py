"""An index that is compared with `<=`"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def fill(values):
    i = cuda.grid(1)
    if i <= values.size:
        values[i] = i  # finding: oob-global-write


fill[2, 64](cuda.device_array(100, dtype=np.int32))
cuda.synchronize()
