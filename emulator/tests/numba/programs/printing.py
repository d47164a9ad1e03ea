"""`print` in a kernel; its text is the program's output"""
# prints: thread 2 of block 1: 0.500000
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def talk(values):
    if cuda.threadIdx.x == 2 and cuda.blockIdx.x == 1:
        print("thread", cuda.threadIdx.x, "of block 1:", values[0])


talk[2, 4](np.array([0.5]))
cuda.synchronize()
