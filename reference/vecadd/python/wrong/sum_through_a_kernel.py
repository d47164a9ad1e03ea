# verdict: fails-correctness
# pitfall: none
# caught-by: case "a million"
# NumPy adds on the host, and a kernel only copies the result.
from numba import cuda


@cuda.jit
def copy(a, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i]


def vecadd(a, b, c):
    if c.size == 0:
        return
    d_sum = cuda.to_device(a + b)
    d_c = cuda.device_array_like(c)
    copy[(c.size + 255) // 256, 256](d_sum, d_c)
    d_c.copy_to_host(c)
