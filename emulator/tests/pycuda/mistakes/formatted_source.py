"""In a text that the program puts together, the line is that of the text"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

# finding in line 4 of the text: oob-global-write
fill = SourceModule("""
__global__ void fill(%(type)s *out)
{
  out[threadIdx.x] = 1;
}
""" % {"type": "int"}).get_function("fill")
out = drv.mem_alloc(40)
fill(out, block=(32, 1, 1), grid=(1, 1))
