"""Mistakes of the source raise `CompileError`, with the line of the program"""
import pycuda.autoinit
import pycuda.driver as drv
from pycuda.compiler import SourceModule

try:
    SourceModule("""
__global__ void broken(int *a)
{
  a[0] = b;
}
""")
except drv.CompileError as error:
    assert "compile_errors.py(10): error" in error.stderr, error.stderr
else:
    raise AssertionError("it compiles")
