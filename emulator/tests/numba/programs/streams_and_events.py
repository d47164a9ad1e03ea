"""Streams, events, callbacks, copies that overlap"""
import numpy as np
from numba import cuda


@cuda.jit(lineinfo=True)
def increment(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] += 1


streams = [cuda.stream() for _ in range(2)]
start, end = cuda.event(), cuda.event()
called = []
host = [np.full(256, k, dtype=np.int32) for k in range(2)]
with cuda.pinned(*host):
    start.record(stream=streams[0])
    for stream, array in zip(streams, host):
        on_device = cuda.to_device(array, stream=stream)
        increment[2, 128, stream](on_device)
        increment[2, 128, stream](on_device)
        on_device.copy_to_host(array, stream=stream)
    end.record(stream=streams[0])
    streams[1].wait(end) if hasattr(streams[1], "wait") else end.wait(streams[1])
    streams[0].add_callback(lambda stream, status, data: called.append((status, data)), "data")
    for stream in streams:
        stream.synchronize()
for k in range(2):
    np.testing.assert_array_equal(host[k], k + 2)
assert called == [(0, "data")], called
assert end.query() and cuda.event_elapsed_time(start, end) >= 0
with streams[0].auto_synchronize():
    increment[2, 128, streams[0]](on_device)
assert not cuda.default_stream() == streams[0]
