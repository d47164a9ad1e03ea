"""Warps: shuffles, votes, match, masks of lanes, `syncwarp`, bit functions"""
import numpy as np
from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit(lineinfo=True)
def warp_sum(values, out):
    total = values[cuda.grid(1)]
    offset = 16
    while offset > 0:
        total += cuda.shfl_down_sync(FULL, total, offset)
        offset //= 2
    if cuda.laneid == 0:
        out[cuda.grid(1) // 32] = total


@cuda.jit(lineinfo=True)
def lanes(out):
    lane = cuda.laneid
    out[0, lane] = cuda.shfl_sync(FULL, lane * 10, 5)
    out[1, lane] = cuda.shfl_up_sync(FULL, lane, 1)
    out[2, lane] = cuda.shfl_xor_sync(FULL, lane, 3)
    out[3, lane] = cuda.ballot_sync(FULL, lane % 2 == 0)
    out[4, lane] = cuda.all_sync(FULL, lane < 32)
    out[5, lane] = cuda.any_sync(FULL, lane == 40)
    out[6, lane] = cuda.match_any_sync(FULL, lane // 16)
    out[7, lane] = cuda.lanemask_lt()
    cuda.syncwarp()
    if lane < 8:
        out[8, lane] = cuda.activemask()
    out[9, lane] = cuda.popc(lane) + 100 * cuda.clz(lane + 1)  # of 64 bits: lane + 1
    out[10, lane] = cuda.brev(lane)
    out[11, lane] = cuda.ffs(lane)
    out[12, lane] = cuda.warpsize
    out[13, lane] = cuda.selp(lane < 3, 1, 2)


values = np.arange(96, dtype=np.float32)
sums = np.zeros(3, dtype=np.float32)
warp_sum[1, 96](values, sums)
np.testing.assert_array_equal(sums, values.reshape(3, 32).sum(axis=1))

out = np.zeros((14, 32), dtype=np.uint32)
lanes[1, 32](out)
lane = np.arange(32)
np.testing.assert_array_equal(out[0], 50)
np.testing.assert_array_equal(out[1], np.maximum(lane - 1, 0))
np.testing.assert_array_equal(out[2], lane ^ 3)
np.testing.assert_array_equal(out[3], 0x55555555)
assert out[4].all() and not out[5].any()
np.testing.assert_array_equal(out[6], np.where(lane < 16, 0x0000FFFF, 0xFFFF0000))
np.testing.assert_array_equal(out[7], (1 << lane) - 1)
np.testing.assert_array_equal(out[8, :8], 0xFF)
np.testing.assert_array_equal(
    out[9], [bin(i).count("1") + 100 * (64 - (i + 1).bit_length()) for i in range(32)])
np.testing.assert_array_equal(out[10], [int(f"{i:032b}"[::-1], 2) for i in range(32)])
np.testing.assert_array_equal(out[11], [(i & -i).bit_length() for i in range(32)])
np.testing.assert_array_equal(out[12], 32)
np.testing.assert_array_equal(out[13], np.where(lane < 3, 1, 2))
