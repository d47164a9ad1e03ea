# tries:   nothing: Numba makes the kernel from a function of one element
# holds:   its kernel reads and writes what one by hand does
# becomes: right
# flag:    none
from numba import float32, vectorize


@vectorize([float32(float32, float32)], target="cuda")
def plus(x, y):
    return x + y


def vecadd(a, b, c):
    if c.size:
        plus(a, b, out=c)
