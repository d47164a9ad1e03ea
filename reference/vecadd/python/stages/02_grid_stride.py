# Rung 2: a grid of fixed size walks over the elements.
#
# The grid has as many threads as the device keeps busy; each takes an element and then the one a whole grid further
# on. Any number of elements works with any grid. Memory accesses stay as in rung 1: in each step a warp reads 32
# floats side by side.
from numba import cuda

THREADS = 256
BLOCKS_PER_MULTIPROCESSOR = 8  # 2048 threads fill one


@cuda.jit
def add(a, b, c):
    for i in range(cuda.grid(1), c.size, cuda.gridsize(1)):
        c[i] = a[i] + b[i]


def vecadd(a, b, c):
    if c.size == 0:
        return
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_c = cuda.device_array_like(c)
    needed = (c.size + THREADS - 1) // THREADS
    most = cuda.get_current_device().MULTIPROCESSOR_COUNT * BLOCKS_PER_MULTIPROCESSOR
    add[min(needed, most), THREADS](d_a, d_b, d_c)
    d_c.copy_to_host(c)
