# tries:   leaves work and the release of its memory to handlers that run when the interpreter ends
# holds:   the interpreter's end does not come: memory that is not freed at the end of the call is a leak
# becomes: leak
# flag:    unusual-import
import atexit

from numba import cuda

KEPT = []
atexit.register(KEPT.clear)


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vecadd(a, b, c):
    if c.size == 0:
        return
    d_c = cuda.device_array_like(c)
    add[(c.size + 255) // 256, 256](cuda.to_device(a), cuda.to_device(b), d_c)
    d_c.copy_to_host(c)
    KEPT.append(d_c)
