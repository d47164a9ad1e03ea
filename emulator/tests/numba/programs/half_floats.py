"""float16: arrays and the arithmetic of `cuda.fp16`"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def combine(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[0, i] = cuda.fp16.hadd(a[i], b[i])
        out[1, i] = cuda.fp16.hmul(a[i], b[i])
        out[2, i] = cuda.fp16.hfma(a[i], b[i], a[i])
        out[3, i] = a[i]
        out[4, i] = cuda.fp16.hneg(a[i])


a = np.arange(1, 33, dtype=np.float16)
b = (np.arange(32) / 8).astype(np.float16)
out = np.zeros((5, 32), dtype=np.float16)
combine[1, 32](a, b, out)
np.testing.assert_array_equal(out[0], a + b)
np.testing.assert_array_equal(out[1], a * b)
np.testing.assert_array_equal(out[2], (a.astype(np.float64) * b + a).astype(np.float16))
np.testing.assert_array_equal(out[3], a)
np.testing.assert_array_equal(out[4], -a)
