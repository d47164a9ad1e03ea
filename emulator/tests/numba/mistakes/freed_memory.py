"""Memory of an array that is freed before the kernel uses it"""
import gc

import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def zero(values):
    values[cuda.threadIdx.x] = 0  # finding: use-after-free


class Foreign:
    """Keeps the address of an array, and not the array."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__


array = cuda.to_device(np.ones(32, dtype=np.int32))
view = cuda.as_cuda_array(Foreign(array))
del array
gc.collect()
cuda.current_context().memory_manager.deallocations.clear()
zero[1, 32](view)
cuda.synchronize()
