"""Device functions, signatures, closures, tuples as arguments"""
import numpy as np
from numba import cuda, float64, int32


@cuda.jit(device=True)
def cube(x):
    return x * x * x


@cuda.jit("int32(int32)", device=True)
def factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


def make_kernel(offset):
    @cuda.jit(lineinfo=True)
    def kernel(values):
        i = cuda.grid(1)
        if i < values.size:
            values[i] = cube(values[i]) + offset
    return kernel


@cuda.jit((int32[:],), lineinfo=True)
def factorials(out):
    i = cuda.threadIdx.x
    out[i] = factorial(i)


@cuda.jit(lineinfo=True)
def with_tuple(out, point, scale):
    i = cuda.threadIdx.x
    out[i] = point[i] * scale


values = np.arange(10, dtype=np.float64)
make_kernel(1)[1, 32](values)
np.testing.assert_array_equal(values, np.arange(10.0) ** 3 + 1)
integers = np.arange(4, dtype=np.int64)
make_kernel(-2)[1, 32](integers)
np.testing.assert_array_equal(integers, [-2, -1, 6, 25])
out = np.zeros(8, dtype=np.int32)
factorials[1, 8](out)
np.testing.assert_array_equal(out, [1, 1, 2, 6, 24, 120, 720, 5040])
three = np.zeros(3)
with_tuple[1, 3](three, (1.5, 2.5, 3.5), float64(2))
np.testing.assert_array_equal(three, [3, 5, 7])
