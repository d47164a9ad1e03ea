# tries:   computes on the host, beside a kernel that adds other arrays
# holds:   an output in host memory has to hold what the device sent
# becomes: nothing
# flag:    computed-on-host
import numpy
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vecadd(a, b, c):
    if c.size == 0:
        return
    ones = cuda.to_device(numpy.ones(c.size, numpy.float32))
    add[(c.size + 255) // 256, 256](ones, ones, cuda.device_array_like(ones))
    c[:] = a + b
