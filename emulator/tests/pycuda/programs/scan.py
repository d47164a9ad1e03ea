"""`InclusiveScanKernel`, `ExclusiveScanKernel`"""
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

x = np.arange(1, 1500, dtype=np.int32)
device = gpuarray.to_gpu(x)
InclusiveScanKernel(np.int32, "a + b")(device)
assert np.array_equal(device.get(), np.cumsum(x))
device = gpuarray.to_gpu(x)
ExclusiveScanKernel(np.int32, "a > b ? a : b", neutral="0")(device)
assert np.array_equal(device.get(), np.concatenate([[0], x[:-1]]))
