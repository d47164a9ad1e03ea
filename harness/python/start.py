"""The program around a student's function in Python, as harness/worker/main.cpp is in CUDA C++.

usage: start.py REQUEST open|locked

The grader puts it beside call.json, which says what is called and with which arguments, libworker.so
(harness/python/entry.cpp) and the folder src with the submission. It runs in the student's process: nothing in
it is secret, and the grader believes nothing of what it does (docs/security.md)."""

import ctypes
import gc
import json
import os
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src"
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_void_p))


class Bytes:
    """Memory of the harness, as NumPy and Numba read it."""

    def __init__(self, key, address, shape, dtype):
        setattr(self, key, {"data": (address, False), "shape": shape, "typestr": dtype, "version": 3, "strides": None})


def import_numba(settings):
    """Numba on the emulator, and with what this machine has of the toolkit.

    @returns the modules numpy and numba.cuda"""
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(":")[0]
    os.environ["NUMBA_CUDA_DRIVER"] = os.path.join(libraries, "libcuda.so.1")
    os.environ["NVVM_IR_VER_CHK"] = "0"  # docs/python.md
    os.environ["NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"] = "0"  # most cases of a lab are small
    os.environ["NUMBA_CUDA_WARN_ON_IMPLICIT_COPY"] = "0"
    for library in ("OMP", "OPENBLAS", "NUMBA"):  # a thread for each processor would be many
        os.environ[f"{library}_NUM_THREADS"] = "1"
    from numba.cuda import cuda_paths
    # Numba's own search fails where libNVVM is beside the other libraries, as in NVIDIA's packages on PyPI.
    cuda_paths.get_cuda_paths._cached_result = {
        key: cuda_paths._env_path_tuple("warpgrade", settings[key]) for key in ("nvvm", "libdevice", "cudalib_dir")}
    import numpy
    from numba import cuda
    with_lines(cuda)
    return numpy, cuda


def with_lines(cuda):
    """Findings name lines of the submission without lineinfo=True, too, and nothing is kept in files, which
    submissions cannot write."""
    original = cuda.jit

    def jit(*arguments, **options):
        options.pop("cache", None)
        if not options.get("debug"):
            options.setdefault("lineinfo", True)
        return original(*arguments, **options)

    jit.__doc__ = original.__doc__
    cuda.jit = jit


def what_ended(error):
    """An exception as the report's sentence, with the last line of the submission that it came through."""
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(str(SOURCES)):
            place = f"{os.path.relpath(frame.filename, SOURCES)}:{frame.lineno}: "
    if isinstance(error, SyntaxError) and error.filename and error.filename.startswith(str(SOURCES)):
        place = f"{os.path.relpath(error.filename, SOURCES)}:{error.lineno}: "
    text = " ".join(str(error).split())
    return f"{place}{type(error).__name__}{': ' if text else ''}{text}"


def main():
    # What Numba makes while it is imported lives until the process ends: looking at it again and again in search of
    # garbage would be a fifth of the processor time of a small case.
    gc.disable()
    request, locked = sys.argv[1], sys.argv[2:] == ["locked"]
    settings = json.loads((HERE / "call.json").read_text())
    # By its path, so that nothing of a submission takes its place.
    worker = ctypes.CDLL(str(HERE / "libworker.so"), mode=ctypes.RTLD_GLOBAL)
    worker.warpgrade_python_open(request.encode())
    try:
        numpy, cuda = import_numba(settings)
    except BaseException as error:
        worker.warpgrade_python_fault(f"Numba cannot be used: {error!r}".encode())
    gc.freeze()
    gc.enable()

    def ended(error):
        """Ends the process with the student's exception."""
        if isinstance(error, SystemExit):
            code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
            flush()
            worker.warpgrade_python_ended(code & 0xFF, None)
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next  # ours
        traceback.print_exception(type(error), error, trace)
        message = what_ended(error)
        flush()
        worker.warpgrade_python_ended(1, message.encode(errors="replace"))

    def flush():
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass

    def arguments_of(slots):
        """The function's arguments: NumPy arrays, device arrays and numbers."""
        values = {}
        for argument in settings["arguments"]:
            slot = slots[argument["slot"]]
            dtype = numpy.dtype(argument["type"])
            if not argument["is_array"]:
                value = (ctypes.c_char * dtype.itemsize).from_address(slot)
                values[argument["name"]] = numpy.frombuffer(value, dtype)[0].item()
                continue
            address = ctypes.c_void_p.from_address(slot).value or 0
            shape = tuple(ctypes.c_uint64.from_address(slots[extent]).value for extent in argument["extents"])
            if argument["on_device"]:
                values[argument["name"]] = cuda.as_cuda_array(
                    Bytes("__cuda_array_interface__", address if 0 not in shape else 0, shape, dtype.str))
            else:
                values[argument["name"]] = numpy.asarray(Bytes("__array_interface__", address, shape, dtype.str))
        return [values[name] for name in settings["parameters"]]

    def call(slots):
        try:
            function(*arguments_of(slots))
        except BaseException as error:
            ended(error)
        flush()
        # What Numba has not freed yet, and cycles keep alive, is not a leak.
        gc.collect()
        try:
            context = cuda.current_context()
            for pending in (context.memory_manager.deallocations, context.deallocations):
                pending.clear()
        except Exception:
            pass  # an error of a kernel, which the harness is told when it waits for the device

    worker.warpgrade_python_begin(int(locked))
    sys.path.append(str(SOURCES))  # last: no file of the submission takes the place of a module
    sys.argv = [settings["source"]]
    try:
        text = (SOURCES / settings["source"]).read_bytes()
        module = type(sys)(Path(settings["source"]).stem)
        module.__file__ = str(SOURCES / settings["source"])
        sys.modules[module.__name__] = sys.modules.get(module.__name__, module)
        exec(compile(text, module.__file__, "exec"), module.__dict__)
        function = module.__dict__.get(settings["function"])
        if not callable(function):
            raise NameError(f"no function `{settings['function']}` is defined")
    except BaseException as error:
        ended(error)
    callback = CALLBACK(call)
    worker.warpgrade_python_work(settings["slots"], callback)


main()
