# Rung 1: one thread for each element.
#
# The grid is rounded up to whole blocks, so the last block may have threads without an element, which the condition
# excludes. A warp reads 32 floats side by side: 128 bytes, 4 sectors. 12 bytes move for one addition, so memory, not
# arithmetic, sets the time.
from numba import cuda

THREADS = 256


@cuda.jit
def add(a, b, c):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < c.size:
        c[i] = a[i] + b[i]


def vecadd(a, b, c):
    if c.size == 0:
        return
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_c = cuda.device_array_like(c)
    blocks = (c.size + THREADS - 1) // THREADS
    add[blocks, THREADS](d_a, d_b, d_c)
    d_c.copy_to_host(c)
