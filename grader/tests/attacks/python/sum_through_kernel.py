# tries:   computes on the host, and lets a kernel copy the sums
# holds:   the recorded work is done again with other inputs, which such sums do not follow
# becomes: nothing
# flag:    computed-on-host
from numba import cuda


@cuda.jit
def copy(a, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i]


def vecadd(a, b, c):
    if c.size == 0:
        return
    sums = cuda.to_device(a + b)
    d_c = cuda.device_array_like(c)
    copy[(c.size + 255) // 256, 256](sums, d_c)
    d_c.copy_to_host(c)
