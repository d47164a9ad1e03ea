"""`math`, `libdevice`, `fma`, `cbrt`, with and without `fastmath`"""
import math

import numpy as np
from numba import cuda
from numba.cuda import libdevice


@cuda.jit(lineinfo=True)
def functions(x, out):
    i = cuda.grid(1)
    if i < x.size:
        value = x[i]
        out[0, i] = math.sin(value)
        out[1, i] = math.exp(-value)
        out[2, i] = math.log1p(value)
        out[3, i] = math.sqrt(value)
        out[4, i] = math.atan2(value, 2.0)
        out[5, i] = math.erf(value)
        out[6, i] = math.lgamma(value + 1)
        out[7, i] = value ** 1.5
        out[8, i] = math.hypot(value, 1.0)
        out[9, i] = cuda.cbrt(value)
        out[10, i] = cuda.fma(value, value, 1.0)
        out[11, i] = libdevice.rsqrt(value + 1)


@cuda.jit(fastmath=True)
def fast(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.cos(x[i]) / x[i]


x = np.linspace(0.1, 3, 64)
out = np.zeros((12, 64))
functions[1, 64](x, out)
expected = [np.sin(x), np.exp(-x), np.log1p(x), np.sqrt(x), np.arctan2(x, 2),
            [math.erf(v) for v in x], [math.lgamma(v + 1) for v in x], x**1.5, np.hypot(x, 1),
            np.cbrt(x), x * x + 1, 1 / np.sqrt(x + 1)]
np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-14)
short = x.astype(np.float32)
result = np.zeros_like(short)
fast[1, 64](short, result)
np.testing.assert_allclose(result, np.cos(short) / short, rtol=1e-4, atol=1e-5)
