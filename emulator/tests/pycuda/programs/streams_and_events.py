"""Streams, events, pinned memory, asynchronous copies"""
import numpy as np
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

double = SourceModule(r"""
__global__ void twice(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
""").get_function("twice")
streams = [drv.Stream() for _ in range(2)]
hosts = [drv.pagelocked_empty(256, np.int32) for _ in streams]
devices = [drv.mem_alloc(host.nbytes) for host in hosts]
start, end = drv.Event(), drv.Event()
start.record(streams[0])
for number, (stream, host, device) in enumerate(zip(streams, hosts, devices)):
    host[:] = np.arange(256) + number
    drv.memcpy_htod_async(device, host, stream)
    double(device, block=(64, 1, 1), grid=(4, 1), stream=stream)
    drv.memcpy_dtoh_async(host, device, stream)
end.record(streams[0])
end.synchronize()
streams[1].synchronize()
for number, host in enumerate(hosts):
    assert np.array_equal(host, 2 * (np.arange(256) + number))
assert end.time_since(start) > 0
assert streams[0].is_done()
