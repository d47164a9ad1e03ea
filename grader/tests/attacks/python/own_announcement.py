# tries:   before the call announces one of its own, whose output is an array that it has filled with the sums
# holds:   one call is announced in a process, and what the device did not send to the host earns nothing
# becomes: nothing
# flag:    unusual-import
import ctypes
import os

import numpy

FILES = sorted(name for name in os.listdir(".") if name.endswith(".bin"))
RUNTIME = ctypes.CDLL("libcudart.so.13")


class Array(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char * 64), ("address", ctypes.c_uint64), ("bytes", ctypes.c_uint64),
                ("element_bytes", ctypes.c_uint32), ("is_input", ctypes.c_uint8), ("is_output", ctypes.c_uint8),
                ("on_host", ctypes.c_uint8), ("reserved", ctypes.c_uint8)]


class Call(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("fault_handler", ctypes.c_uint64),
                ("arrays", Array * 64)]


A, B = (numpy.fromfile(next(name for name in FILES if f"-{letter}." in name), numpy.float32) for letter in "ab")
C = A + B
CALL = Call(count=3)
for place, (name, array) in enumerate(((b"a", A), (b"b", B), (b"c", C))):
    CALL.arrays[place] = Array(name, array.ctypes.data, array.nbytes, 4, int(name != b"c"), int(name == b"c"), 1, 0)
RUNTIME.cudaFree(None)
RUNTIME.__cudaHarnessCallBegins(ctypes.byref(CALL))
RUNTIME.__cudaHarnessCallEnds()


def vecadd(a, b, c):
    c[:] = a + b
