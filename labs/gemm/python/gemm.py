from numba import cuda


# One thread computes one element of c, row by column.
@cuda.jit
def multiply(a, b, c):
    # TODO 1: which row and which column of c are this thread's? Neighbouring threads should have neighbouring columns.

    # TODO 2: the grid may have more threads than c has elements.

    # TODO 3: add the products of the row of a and the column of b.
    pass


def gemm(a, b, c):
    # a, b and c are arrays in device memory, of the shapes (m, k), (k, n) and (m, n).

    # TODO 4: how many blocks of 16 x 16 threads cover c? Launch the kernel: multiply[(x, y), (16, 16)](...).

    # TODO 5: when it works, use tiles in shared memory: cuda.shared.array and cuda.syncthreads.
    pass
