"""Atomics: add, sub, min, max, and, or, xor, exch, inc, dec, compare-and-swap"""
import numpy as np
from numba import cuda, int32


@cuda.jit(lineinfo=True)
def histogram(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


@cuda.jit(lineinfo=True)
def all_of_them(integers, floats, words):
    i = cuda.grid(1)
    cuda.atomic.sub(integers, 0, i)
    cuda.atomic.max(integers, 1, i)
    cuda.atomic.min(integers, 2, i)
    cuda.atomic.add(floats, 0, 0.5)
    cuda.atomic.max(floats, 1, float(i))
    cuda.atomic.min(floats, 2, float(i))
    cuda.atomic.or_(words, 0, 1 << (i % 32))
    cuda.atomic.and_(words, 1, ~(1 << (i % 32)) & 0xFFFFFFFF)
    cuda.atomic.xor(words, 2, 1 << (i % 32))
    cuda.atomic.inc(words, 3, 9)
    cuda.atomic.dec(words, 4, 9)
    cuda.atomic.exch(words, 5, 77)


@cuda.jit(lineinfo=True)
def first_wins(winner, count):
    tile = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        tile[0] = 0
    cuda.syncthreads()
    cuda.atomic.add(tile, 0, 1)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0 and cuda.atomic.compare_and_swap(winner, -1, 5) == -1:
        count[0] = tile[0]


values = np.arange(1000, dtype=np.int32) ** 2 % 7
bins = np.zeros(7, dtype=np.int64)
histogram[8, 128](values, bins)
np.testing.assert_array_equal(bins, np.bincount(values, minlength=7))

integers = np.array([0, -1, 10**6], dtype=np.int32)
floats = np.array([0, -1, 1e6])
words = np.array([0, 0xFFFFFFFF, 0, 0, 0, 0], dtype=np.uint32)
all_of_them[2, 32](integers, floats, words)
np.testing.assert_array_equal(integers, [-sum(range(64)), 63, 0])
np.testing.assert_array_equal(floats, [32, 63, 0])
np.testing.assert_array_equal(words, [0xFFFFFFFF, 0, 0, 64 % 10, (-64) % 10, 77])

winner = np.array([-1], dtype=np.int32)
count = np.zeros(1, dtype=np.int32)
first_wins[3, 40](winner, count)
assert winner[0] == 5 and count[0] == 40
