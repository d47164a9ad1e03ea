"""Constant and dynamic shared memory, memory pools, managed memory, fills"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule
from pycuda.tools import DeviceMemoryPool

module = SourceModule("""
__constant__ float weights[4];
__global__ void weighted(float *out, const float *in)
{
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = weights[threadIdx.x % 4] * tile[blockDim.x - 1 - threadIdx.x];
}
""")
weights = np.array([1, 2, 3, 4], dtype=np.float32)
address, size = module.get_global("weights")
assert size == 16
drv.memcpy_htod(address, weights)
values = np.arange(32, dtype=np.float32)
out = np.empty_like(values)
module.get_function("weighted")(drv.Out(out), drv.In(values), block=(32, 1, 1), grid=(1, 1), shared=128)
assert np.array_equal(out, np.tile(weights, 8) * values[::-1])

pool = DeviceMemoryPool()
block = pool.allocate(64)
drv.memset_d32(int(block), 7, 16)
assert np.array_equal(drv.from_device(block, 16, np.uint32), np.full(16, 7))
block.free()
pool.stop_holding()

managed = drv.managed_empty(32, np.float32, mem_flags=drv.mem_attach_flags.GLOBAL)
managed[:] = values
module.get_function("weighted")(managed, drv.In(values), block=(32, 1, 1), grid=(1, 1), shared=128)
pycuda.autoinit.context.synchronize()
assert np.array_equal(managed, out)
