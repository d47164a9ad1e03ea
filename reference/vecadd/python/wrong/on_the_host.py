# verdict: fails-concept
# pitfall: none
# caught-by: concept loads-once
# NumPy adds on the host: no kernel, and no points for one.
import numpy


def vecadd(a, b, c):
    numpy.add(a, b, out=c)
