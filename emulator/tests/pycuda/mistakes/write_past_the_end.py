"""An index that is compared with `<=`"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

fill = SourceModule("""
__global__ void fill(float *out, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = 1.0f;  // # finding: oob-global-write
}
""").get_function("fill")
out = drv.mem_alloc(400)
try:
    fill(out, np.int32(100), block=(128, 1, 1), grid=(1, 1))
    pycuda.autoinit.context.synchronize()
except drv.LogicError:
    pass  # the error of the access
