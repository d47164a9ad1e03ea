"""`__cuda_array_interface__`: arrays of other libraries, views, fortran order"""
import numpy as np
from numba import cuda


class Foreign:
    """What another library would pass."""

    def __init__(self, array):
        self.keep = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


@cuda.jit(lineinfo=True)
def fill(matrix):
    i, j = cuda.grid(2)
    if i < matrix.shape[0] and j < matrix.shape[1]:
        matrix[i, j] = 10 * i + j


matrix = cuda.to_device(np.zeros((3, 4), dtype=np.int32, order="F"))
assert matrix.is_f_contiguous()
fill[(1, 1), (8, 8)](Foreign(matrix))
expected = 10 * np.arange(3)[:, None] + np.arange(4)
np.testing.assert_array_equal(matrix.copy_to_host(), expected)
view = cuda.as_cuda_array(Foreign(matrix))
np.testing.assert_array_equal(view.copy_to_host(), expected)
assert cuda.is_cuda_array(Foreign(matrix))
