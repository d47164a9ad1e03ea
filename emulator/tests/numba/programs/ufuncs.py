"""`@vectorize(target="cuda")`: broadcasting, device arrays, streams, `reduce`"""
import numpy as np
from numba import cuda, vectorize


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], target="cuda")
def add(a, b):
    return a + b


@vectorize(["float32(float32, float32)"], target="cuda")
def clip(x, limit):
    return min(x, limit)


a = np.arange(12).reshape(3, 4)
np.testing.assert_array_equal(add(a, 10), a + 10)
row = np.arange(4).reshape(1, 4)
np.testing.assert_array_equal(add(a, row), a + row)
np.testing.assert_array_equal(add(a * 0.5, a.astype(np.float64)), a * 1.5)
on_device = cuda.to_device(np.arange(100, dtype=np.float32))
result = clip(on_device, cuda.to_device(np.full(100, 42, dtype=np.float32)))
assert cuda.is_cuda_array(result)
np.testing.assert_array_equal(result.copy_to_host(), np.minimum(np.arange(100), 42))
stream = cuda.stream()
np.testing.assert_array_equal(add(a, a, stream=stream), 2 * a)
assert add.reduce(np.arange(1000)) == 499500
