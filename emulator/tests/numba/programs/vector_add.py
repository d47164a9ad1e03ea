"""Host arrays as arguments, a grid-stride loop, `forall`"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def add(a, b, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = a[i] + b[i]


@cuda.jit
def double(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] *= 2


a = np.arange(1000, dtype=np.float32)
b = np.full(1000, 0.5, dtype=np.float32)
out = np.zeros_like(a)
add[4, 64](a, b, out)
np.testing.assert_array_equal(out, a + b)
double.forall(out.size)(out)
np.testing.assert_array_equal(out, 2 * (a + b))
