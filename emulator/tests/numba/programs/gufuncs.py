"""`@guvectorize(target="cuda")`: cores of one and two dimensions"""
import numpy as np
from numba import guvectorize


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()", target="cuda")
def dot(a, b, out):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    out[0] = total


@guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])"], "(m,n),(n,p)->(m,p)", target="cuda")
def multiply(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = np.float32(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


a = np.arange(20, dtype=np.float64).reshape(4, 5)
np.testing.assert_array_equal(dot(a, a + 1), (a * (a + 1)).sum(axis=1))
left = np.arange(7 * 6, dtype=np.float32).reshape(7, 2, 3)
right = np.ones((7, 3, 2), dtype=np.float32)
np.testing.assert_array_equal(multiply(left, right), left @ right)
