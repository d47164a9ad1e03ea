# verdict: fails-correctness
# pitfall: none
# caught-by: case "one tile"
# NumPy multiplies on the host, and the result is copied to the device.
import numpy
from numba import cuda


def gemm(a, b, c):
    if c.size == 0:
        return
    c.copy_to_device(numpy.ascontiguousarray(a.copy_to_host() @ b.copy_to_host()))
