#!/usr/bin/env python3
"""PyCUDA programs under warpsim, unmodified, as ../numba/run_programs.py runs Numba's.

usage: run_programs.py WARPSIM [--write] [NAME...]"""

import importlib.util
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Prints what is missing, for a Python that is to run the programs.
PROBE = """
try:
    import pycuda.driver
except ImportError as error:
    print(f"{error} (Debian: apt-get install python3-pycuda, in contrib)")
else:
    import subprocess
    found = subprocess.run(["nvcc", "--version"], capture_output=True)
    print("" if found.returncode == 0 else "nvcc, with which PyCUDA compiles")
"""


def load_runner():
    source = HERE.parent / "numba" / "run_programs.py"
    specification = importlib.util.spec_from_file_location("numba_programs", source)
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


if __name__ == "__main__":
    runner = load_runner()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["PYCUDA_CACHE_DIR"] = cache
        runner.main(runner.Suite("pycuda", HERE, PROBE))
