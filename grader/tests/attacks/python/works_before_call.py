# tries:   reads the files of the inputs when it is imported, adds them on the device then, and in the call only
#          copies the sums
# holds:   the call's recorded work is done again with other inputs, and the sums of earlier work do not follow
# becomes: nothing
# flag:    computed-on-host
import numpy
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


A, B = (numpy.fromfile(f"in-{name}.bin", numpy.float32) for name in "ab")
SUMS = cuda.device_array_like(A) if A.size else None
if A.size:
    add[(A.size + 255) // 256, 256](cuda.to_device(A), cuda.to_device(B), SUMS)
    cuda.synchronize()


def vecadd(a, b, c):
    global SUMS
    if c.size:
        SUMS.copy_to_host(c)
        SUMS = None
