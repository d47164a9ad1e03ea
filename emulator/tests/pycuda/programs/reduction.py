"""`ReductionKernel`, `gpuarray.sum`, `dot`, `max`, `min`"""
# reports in kernels of the package: warp-synchronous
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
from pycuda.reduction import ReductionKernel

x = np.arange(3000, dtype=np.float32)
y = np.ones(3000, dtype=np.float32)
gx, gy = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
squares = ReductionKernel(np.float32, neutral="0", reduce_expr="a + b", map_expr="x[i] * y[i]",
                          arguments="float *x, float *y")
assert np.isclose(squares(gx, gy).get(), x.sum())
assert np.isclose(gpuarray.sum(gx).get(), x.sum())
assert np.isclose(gpuarray.dot(gx, gy).get(), x.sum())
assert gpuarray.max(gx).get() == 2999
assert gpuarray.min(gx).get() == 0
