"""Exceptions of kernels with `debug=True` are raised in Python"""
import numpy as np
from numba import cuda


@cuda.jit(debug=True, opt=False)
def check(values):
    i = cuda.grid(1)
    if values[i] < 0:
        raise ValueError("negative")
    values[i] = 1


values = np.arange(8, dtype=np.int32)
check[1, 8](values)
np.testing.assert_array_equal(values, 1)
try:
    check[1, 8](np.arange(8, dtype=np.int32) - 5)
except ValueError as error:
    assert "tid=[0, 0, 0] ctaid=[0, 0, 0]: negative" in str(error), error
else:
    raise SystemExit("no ValueError")
