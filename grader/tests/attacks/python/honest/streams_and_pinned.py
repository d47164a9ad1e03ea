# tries:   nothing: two streams, pinned memory, a device function, an eager signature
# holds:   what Numba offers is used as in any program
# becomes: right
# flag:    none
import numpy as np
from numba import cuda, float32, void


@cuda.jit(device=True)
def plus(x, y):
    return x + y


@cuda.jit(void(float32[:], float32[:], float32[:]))
def add(a, b, c):
    for i in range(cuda.grid(1), c.shape[0], cuda.gridsize(1)):
        c[i] = plus(a[i], b[i])


def vecadd(a, b, c):
    half = (c.size + 1) // 2
    for first in (0, half):
        part = slice(first, min(first + half, c.size))
        n = part.stop - part.start
        if n <= 0:
            continue
        stream = cuda.stream()
        staged = cuda.pinned_array(n, np.float32)
        d_a = cuda.to_device(a[part], stream)
        d_b = cuda.to_device(b[part], stream)
        d_c = cuda.device_array(n, np.float32, stream=stream)
        add[(n + 127) // 128, 128, stream](d_a, d_b, d_c)
        d_c.copy_to_host(staged, stream)
        stream.synchronize()
        c[part] = staged
