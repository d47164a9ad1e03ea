"""`syncthreads_count`, `syncthreads_and`, `syncthreads_or`, fences"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def votes(values, out):
    i = cuda.threadIdx.x
    count = cuda.syncthreads_count(values[i] > 10)
    every = cuda.syncthreads_and(values[i] >= 0)
    some = cuda.syncthreads_or(values[i] == 63)
    if i == 0:
        out[0] = count
        out[1] = every != 0
        out[2] = some != 0


@cuda.jit(lineinfo=True)
def last_block_sums(parts, done, out):
    if cuda.threadIdx.x == 0:
        parts[cuda.blockIdx.x] = cuda.blockIdx.x + 1
        cuda.threadfence()
        if cuda.atomic.add(done, 0, 1) == cuda.gridDim.x - 1:
            cuda.threadfence()
            total = 0
            for k in range(cuda.gridDim.x):
                total += parts[k]
            out[0] = total


out = np.zeros(3, dtype=np.int32)
votes[1, 64](np.arange(64, dtype=np.int32), out)
np.testing.assert_array_equal(out, [53, 1, 1])
total = np.zeros(1, dtype=np.int32)
last_block_sums[10, 32](np.zeros(10, dtype=np.int32), np.zeros(1, dtype=np.int32), total)
assert total[0] == 55
