"""`SourceModule`: `In`, `Out` and `InOut`, a prepared call, an attribute of a function"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

module = SourceModule("""
__global__ void add(float *sum, const float *a, const float *b, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}
__global__ void scale(float *a, float factor)
{
  a[threadIdx.x] *= factor;
}
""")
add = module.get_function("add")
a = np.random.default_rng(1).random(1000, dtype=np.float32)
b = np.arange(1000, dtype=np.float32)
total = np.empty_like(a)
add(drv.Out(total), drv.In(a), drv.In(b), np.int32(1000), block=(128, 1, 1), grid=(8, 1))
assert np.array_equal(total, a + b)

scale = module.get_function("scale")
part = a[:64].copy()
scale(drv.InOut(part), np.float32(2), block=(64, 1, 1), grid=(1, 1))
assert np.array_equal(part, 2 * a[:64])

device = drv.to_device(part)
scale.prepare("Pf")
scale.prepared_call((1, 1), (64, 1, 1), device, 0.5)
assert np.array_equal(drv.from_device(device, 64, np.float32), a[:64])
assert add.num_regs > 0 and add.max_threads_per_block == 1024
