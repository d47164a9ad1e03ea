# tries:   computes on the host and reports the end of the call to the device itself, twice
# holds:   an output in host memory has to hold what the device sent; an end is reported once
# becomes: nothing
# flag:    unusual-import
import ctypes


def vecadd(a, b, c):
    c[:] = a + b
    runtime = ctypes.CDLL("libcudart.so.13")
    runtime.__cudaHarnessCallEnds()
    runtime.__cudaHarnessCallEnds()
