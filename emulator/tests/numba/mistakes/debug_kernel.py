"""A race in a kernel that is compiled with `debug=True`"""
import numpy as np
from numba import cuda, int32


@cuda.jit(debug=True, opt=False)
def reverse(values):
    tile = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    tile[i] = values[i]
    values[i] = tile[63 - i]  # finding: race-shared # or: unwritten-shared-read


reverse[1, 64](np.arange(64, dtype=np.int32))
