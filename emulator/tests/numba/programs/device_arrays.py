"""Device arrays: `to_device`, `device_array`, slices, reshaping, copies"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def scale(matrix, factor):
    row, column = cuda.grid(2)
    if row < matrix.shape[0] and column < matrix.shape[1]:
        matrix[row, column] *= factor


host = np.arange(6 * 8, dtype=np.float64).reshape(6, 8)
matrix = cuda.to_device(host)
scale[(2, 2), (4, 4)](matrix[:, 2:6], 10.0)  # a view with strides
expected = host.copy()
expected[:, 2:6] *= 10
np.testing.assert_array_equal(matrix.copy_to_host(), expected)

other = cuda.device_array_like(matrix)
other.copy_to_device(matrix)
np.testing.assert_array_equal(other.reshape(48).copy_to_host(), expected.ravel())
np.testing.assert_array_equal(other[3].copy_to_host(), expected[3])
other[:2] = 7
expected[:2] = 7
np.testing.assert_array_equal(other.copy_to_host(), expected)
assert other.T.shape == (8, 6)
empty = cuda.device_array((3, 4), dtype=np.int16)
assert empty.nbytes == 24
