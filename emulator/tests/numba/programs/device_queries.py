"""The device and kernels: names, limits, memory, attributes, occupancy, PTX"""
import numpy as np
from numba import cuda


@cuda.jit("void(float32[::1])", lineinfo=True, max_registers=40)
def kernel(values):
    tile = cuda.shared.array(64, np.float32)
    i = cuda.threadIdx.x
    tile[i] = values[i]
    cuda.syncthreads()
    values[i] = tile[63 - i]


assert cuda.is_available() and len(cuda.gpus) == 1
device = cuda.get_current_device()
assert device.name.startswith(b"NVIDIA") and device.compute_capability >= (7, 5)
assert device.MAX_THREADS_PER_BLOCK == 1024 and device.WARP_SIZE == 32
assert device.MULTIPROCESSOR_COUNT > 0 and device.uuid.startswith("GPU-")
free, total = cuda.current_context().get_memory_info()
block = cuda.device_array(1 << 20, dtype=np.uint8)
assert free - cuda.current_context().get_memory_info().free >= 1 << 20 and free <= total
definition = next(iter(kernel.overloads.values()))
assert 0 < definition.regs_per_thread <= 40
assert ".visible .entry" in next(iter(kernel.inspect_asm().values()))
blocks = cuda.current_context().get_active_blocks_per_multiprocessor(
    definition._codelibrary.get_cufunc(), 128, 0)
assert blocks > 0
values = np.arange(64, dtype=np.float32)
kernel[1, 64](values)
np.testing.assert_array_equal(values, 63 - np.arange(64))
with cuda.profiling():
    kernel[1, 64](values)
