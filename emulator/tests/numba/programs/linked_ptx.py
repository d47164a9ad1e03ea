"""`declare_device` and `link=`: functions from a PTX file, and a file that is broken"""
import os
import tempfile

import numpy as np
from numba import cuda
from numba.cuda.cudadrv.driver import LinkerError

TEXT = """
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b32 status) add_seven(.param .b64 result, .param .b32 value) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.b64 %rd1, [result];
  ld.param.b32 %r1, [value];
  add.s32 %r2, %r1, 7;
  st.b32 [%rd1], %r2;
  st.param.b32 [status], 0;
  ret;
}
"""
add_seven = cuda.declare_device("add_seven", "int32(int32)")


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "seven.ptx")
        with open(file, "w") as stream:
            stream.write(text)

        @cuda.jit(link=[file], lineinfo=True)
        def kernel(values):
            i = cuda.grid(1)
            if i < values.size:
                values[i] = add_seven(values[i])

        values = np.arange(5, dtype=np.int32)
        kernel[1, 32](values)
        return values


np.testing.assert_array_equal(run(TEXT), np.arange(5) + 7)
try:
    run(TEXT.replace("%r2;", "%r2"))
except LinkerError as error:
    assert "seven.ptx:" in str(error), error
else:
    raise SystemExit("no LinkerError")
try:
    @cuda.jit("void(int32[:])", link=["no_such_file.ptx"])
    def kernel(values):
        values[0] = add_seven(values[0])
    kernel[1, 1](np.zeros(1, dtype=np.int32))
except LinkerError as error:
    assert "no_such_file.ptx not found" in str(error), error
else:
    raise SystemExit("no LinkerError")
