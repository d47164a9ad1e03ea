# tries:   nothing: a kernel that is called with NumPy arrays, which Numba copies in both directions
# holds:   copies that Numba makes by itself are those of the function
# becomes: right
# flag:    none
from numba import cuda


@cuda.jit
def add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def vecadd(a, b, c):
    if c.size:
        print("adding", c.size, "elements")
        add[(c.size + 255) // 256, 256](a, b, c)
