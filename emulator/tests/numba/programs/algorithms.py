"""Algorithms: a scan in two levels, a bitonic sort, a stencil with a halo"""
import numpy as np
from numba import cuda, float32, int32

BLOCK = 64
WITH_HALO = BLOCK + 2


@cuda.jit(lineinfo=True)
def scan_blocks(values, sums):
    tile = cuda.shared.array(BLOCK, int32)
    i = cuda.threadIdx.x
    at = cuda.grid(1)
    tile[i] = values[at] if at < values.size else 0
    cuda.syncthreads()
    step = 1
    while step < BLOCK:
        other = tile[i - step] if i >= step else 0
        cuda.syncthreads()
        tile[i] += other
        cuda.syncthreads()
        step *= 2
    if at < values.size:
        values[at] = tile[i]
    if i == BLOCK - 1:
        sums[cuda.blockIdx.x] = tile[i]


@cuda.jit(lineinfo=True)
def add_sums(values, sums):
    at = cuda.grid(1)
    if at < values.size:
        for block in range(cuda.blockIdx.x):
            values[at] += sums[block]


@cuda.jit(lineinfo=True)
def sort_step(values, j, k):
    i = cuda.grid(1)
    other = i ^ j
    if other > i:
        if (values[i] > values[other]) == (i & k == 0):
            values[i], values[other] = values[other], values[i]


@cuda.jit(lineinfo=True)
def blur(source, target):
    tile = cuda.shared.array(WITH_HALO, float32)
    i = cuda.threadIdx.x
    at = cuda.grid(1)
    last = source.size - 1
    tile[i + 1] = source[min(at, last)]
    if i == 0:
        tile[0] = source[max(at - 1, 0)]
    if i == BLOCK - 1:
        tile[BLOCK + 1] = source[min(at + 1, last)]
    cuda.syncthreads()
    if at < source.size:
        target[at] = (tile[i] + tile[i + 1] + tile[i + 2]) / 3


random = np.random.default_rng(3)
host = random.integers(0, 10, 300).astype(np.int32)
values, sums = cuda.to_device(host), cuda.device_array(5, dtype=np.int32)
scan_blocks[5, BLOCK](values, sums)
add_sums[5, BLOCK](values, sums)
np.testing.assert_array_equal(values.copy_to_host(), np.cumsum(host))

keys = random.random(256)
on_device = cuda.to_device(keys)
k = 2
while k <= 256:
    j = k // 2
    while j > 0:
        sort_step[2, 128](on_device, j, k)
        j //= 2
    k *= 2
np.testing.assert_array_equal(on_device.copy_to_host(), np.sort(keys))

signal = random.random(200).astype(np.float32)
blurred = np.zeros_like(signal)
blur[4, BLOCK](signal, blurred)
padded = np.pad(signal, 1, mode="edge")
np.testing.assert_allclose(blurred, (padded[:-2] + padded[1:-1] + padded[2:]) / 3, rtol=1e-6)
