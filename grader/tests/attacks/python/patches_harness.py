# tries:   looks for expected values among all objects, replaces the harness's functions and settings, and
#          what it imports
# holds:   nothing of the harness in the process decides, and expected values are not there
# becomes: nothing
# flag:    unusual-import
import builtins
import gc
import inspect
import sys

import numpy


def vecadd(a, b, c):
    expected = [x for x in gc.get_objects() if isinstance(x, numpy.ndarray) and x.size == c.size]
    for array in expected:
        try:
            array[:] = 0
        except (TypeError, ValueError):
            pass
    for frame in inspect.stack():
        frame.frame.f_locals.get("settings", {}).update(function="print")
        for name in list(frame.frame.f_globals):
            if name in ("what_ended", "CALLBACK", "Bytes"):
                frame.frame.f_globals[name] = lambda *arguments: None
    numpy.frombuffer = numpy.asarray = lambda *arguments, **options: numpy.zeros(1)
    sys.modules["numba"] = sys.modules["ctypes"] = None
    builtins.exec = builtins.compile = None
    c[:] = a + b
