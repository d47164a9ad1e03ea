"""Local arrays and constant arrays"""
import numpy as np
from numba import cuda, float64

COEFFICIENTS = np.array([3.0, 0.0, -2.0, 1.0])
TABLE = np.arange(12, dtype=np.int16).reshape(3, 4)


@cuda.jit(lineinfo=True)
def polynomial(x, out):
    constants = cuda.const.array_like(COEFFICIENTS)
    powers = cuda.local.array(4, float64)
    i = cuda.grid(1)
    if i < x.size:
        powers[0] = 1
        for k in range(1, 4):
            powers[k] = powers[k - 1] * x[i]
        total = 0.0
        for k in range(4):
            total += constants[k] * powers[k]
        out[i] = total


@cuda.jit(lineinfo=True)
def look_up(out):
    table = cuda.const.array_like(TABLE)
    i = cuda.threadIdx.x
    out[i] = table[i // 4, i % 4]


x = np.linspace(-2, 2, 50)
out = np.zeros_like(x)
polynomial[2, 32](x, out)
np.testing.assert_allclose(out, 3 - 2 * x**2 + x**3, rtol=1e-14, atol=1e-14)
values = np.zeros(12, dtype=np.int16)
look_up[1, 12](values)
np.testing.assert_array_equal(values, np.arange(12))
