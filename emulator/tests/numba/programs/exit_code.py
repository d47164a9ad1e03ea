"""The exit code of a program is its own"""
# exits: 7
import sys

import numpy as np
from numba import cuda


@cuda.jit
def zero(values):
    values[cuda.threadIdx.x] = 0


values = np.ones(4)
zero[1, 4](values)
assert not values.any()
sys.exit(7)
