"""A kernel without `lineinfo=True`: the finding has the kernel, not the line"""
# finding without a line: oob-global-write
import numpy as np
from numba import cuda


@cuda.jit
def fill(values):
    values[cuda.grid(1)] = 1


fill[2, 64](cuda.device_array(100, dtype=np.int32))
cuda.synchronize()
