"""Pinned, mapped and managed arrays"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def square(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] *= values[i]


managed = cuda.managed_array(50, dtype=np.int64)
managed[:] = np.arange(50)
square[1, 64](managed)
cuda.synchronize()
np.testing.assert_array_equal(managed, np.arange(50) ** 2)
managed[0] = 5
assert managed[0] == 5

mapped = cuda.mapped_array(20, dtype=np.float32)
mapped[:] = 3
square[1, 32](mapped)
cuda.synchronize()
np.testing.assert_array_equal(mapped, 9)

pinned = cuda.pinned_array((4, 4), dtype=np.float32)
pinned[:] = 2
on_device = cuda.to_device(pinned)
square[1, 32](on_device.reshape(16))
on_device.copy_to_host(pinned)
np.testing.assert_array_equal(pinned, 4)

ordinary = np.arange(8, dtype=np.float64)
with cuda.mapped(ordinary) as view:
    square[1, 8](view)
    cuda.synchronize()
np.testing.assert_array_equal(ordinary, np.arange(8.0) ** 2)
