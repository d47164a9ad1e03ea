"""Cooperative groups: `cg.this_grid().sync()`, which links libcudadevrt"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def rows_in_order(matrix):
    column = cuda.grid(1)
    grid = cuda.cg.this_grid()
    for row in range(1, matrix.shape[0]):
        opposite = matrix.shape[1] - column - 1
        matrix[row, column] = matrix[row - 1, opposite] + 1
        grid.sync()


matrix = np.zeros((12, 128), dtype=np.int32)
matrix[0] = np.arange(128)
rows_in_order[4, 32](matrix)
expected = np.zeros_like(matrix)
expected[0] = np.arange(128)
for row in range(1, 12):
    expected[row] = expected[row - 1][::-1] + 1
np.testing.assert_array_equal(matrix, expected)
definition = next(iter(rows_in_order.overloads.values()))
assert definition.cooperative and definition.max_cooperative_grid_blocks(32) >= 4
