"""A tile that is read without `__syncthreads`"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

reverse = SourceModule(r"""
__global__ void reverse(float *a)
{
  __shared__ float tile[64];
  tile[threadIdx.x] = a[threadIdx.x];  // # or: race-shared
  a[threadIdx.x] = tile[63 - threadIdx.x];  // # finding: race-shared # or: unwritten-shared-read
}
""").get_function("reverse")
reverse(drv.InOut(np.arange(64, dtype=np.float32)), block=(64, 1, 1), grid=(1, 1))
