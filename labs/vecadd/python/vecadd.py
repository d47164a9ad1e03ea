from numba import cuda


# One thread computes one element of c.
@cuda.jit
def add(a, b, c):
    # TODO 1: which element does this thread compute? Use cuda.blockIdx.x, cuda.blockDim.x and cuda.threadIdx.x.

    # TODO 2: the grid may have more threads than there are elements. Add only where there is one.
    pass


def vecadd(a, b, c):
    # a, b and c are NumPy arrays in host memory.

    # TODO 3: copy a and b to the device, and make an array for c there (cuda.to_device, cuda.device_array_like).

    # TODO 4: how many blocks of 256 threads cover all elements? Launch the kernel: add[blocks, 256](...).

    # TODO 5: copy the result back into c, the array of the caller.
    pass
