# What performance is compared with: one thread for each element.
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
