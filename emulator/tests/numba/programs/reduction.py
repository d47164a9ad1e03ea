"""`@cuda.reduce`, with an initial value, a size and results on the device"""
# reports: sync-mask in line 0
# exits: 99
# Numba's reduction kernel has a syncwarp() of the whole warp in a branch that two lanes take.
import numpy as np
from numba import cuda


@cuda.reduce
def total(a, b):
    return a + b


@cuda.reduce
def largest(a, b):
    return max(a, b)


values = np.arange(5000, dtype=np.float64)
assert total(values) == values.sum()
assert total(values, init=10) == values.sum() + 10
assert total(values, size=100) == values[:100].sum()
assert largest(-values) == 0
on_device = cuda.to_device(values)
result = cuda.device_array(1, dtype=np.float64)
total(on_device, res=result)
assert result.copy_to_host()[0] == values.sum()
