# lab:     gemm
# tries:   computes the product on the host, from the files of the inputs, and lets a kernel copy it
# holds:   the recorded work is done again with other inputs, which such a product does not follow
# becomes: nothing
# flag:    computed-on-host
import numpy
from numba import cuda


@cuda.jit
def copy(product, c):
    row, column = cuda.grid(2)
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = product[row, column]


def gemm(a, b, c):
    if c.size == 0:
        return
    of_a, of_b = (numpy.fromfile(f"in-{name}.bin", numpy.float32) for name in "ab")
    product = of_a.reshape(a.shape) @ of_b.reshape(b.shape)
    grid = ((c.shape[0] + 15) // 16, (c.shape[1] + 15) // 16)
    copy[grid, (16, 16)](cuda.to_device(product), c)
