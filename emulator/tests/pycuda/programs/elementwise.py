"""`gpuarray`: arithmetic, slices, `cumath`, comparisons; `ElementwiseKernel`"""
import numpy as np
import pycuda.autoinit
from pycuda import cumath, gpuarray
from pycuda.elementwise import ElementwiseKernel

x = np.linspace(0, 4, 500, dtype=np.float32)
y = np.arange(500, dtype=np.float32)
gx, gy = gpuarray.to_gpu(x), gpuarray.to_gpu(y)
assert np.allclose((gx * 2 + gy / 3 - 1).get(), x * 2 + y / 3 - 1)
assert np.allclose(cumath.sqrt(gx).get(), np.sqrt(x))
assert np.allclose(cumath.sin(gx).get(), np.sin(x), atol=1e-6)
assert np.array_equal(gy[100:200].get(), y[100:200])
assert np.array_equal((gx > gy).get().astype(bool), x > y)
assert np.array_equal(gpuarray.arange(10, dtype=np.int32).get(), np.arange(10))
assert np.array_equal(gpuarray.zeros(7, np.float64).get(), np.zeros(7))
assert np.array_equal(gy.astype(np.int32).get(), y.astype(np.int32))

combine = ElementwiseKernel("float a, float *x, float b, float *y, float *z", "z[i] = a * x[i] + b * y[i]", "combine")
z = gpuarray.empty_like(gx)
combine(2.0, gx, 3.0, gy, z)
assert np.allclose(z.get(), 2 * x + 3 * y)
