#!/usr/bin/env python3
"""What the nvcc of Python programs asks of the toolkit's, for which a file that writes its arguments stands.

usage: nvcc_test.py NVCC"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

NVCC = Path(sys.argv.pop(1)).resolve()
TOOLKIT = """#!/bin/sh
if [ "$1" = --version ]; then echo "release 13.0"; exit 0; fi
printf '%s\\n' "$@" >arguments.txt
for word; do case $word in *.cu) cat "$word" >source.txt;; esac; done
"""
KERNEL = "\n__global__ void k() {}\n"
# A program like PyCUDA: it writes the text between two lines and calls nvcc.
PROGRAM = '''import subprocess, sys
text = """
__global__ void k() {}
"""
text = eval(sys.argv[1])
with open("kernel.cu", "w") as file:
    file.write('extern "C" {\\n%s\\n}\\n' % text)
sys.exit(subprocess.run(["nvcc", *sys.argv[2:]]).returncode)
'''


class NvccTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.program = self.folder / "program.py"
        self.program.write_text(PROGRAM)
        for name in ["toolkit", "own", "work"]:
            (self.folder / name).mkdir()
        (self.folder / "toolkit" / "nvcc").write_text(TOOLKIT)
        (self.folder / "toolkit" / "nvcc").chmod(0o755)
        (self.folder / "own" / "nvcc").symlink_to(NVCC)

    def run_program(self, text, *arguments):
        path = os.pathsep.join([str(self.folder / "own"), str(self.folder / "toolkit"), os.environ["PATH"]])
        done = subprocess.run([sys.executable, self.program, text, *arguments], cwd=self.folder / "work", text=True,
                              capture_output=True, env={**os.environ, "PATH": path})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def written(self, name):
        return (self.folder / "work" / name).read_text()

    def test_a_cubin_becomes_a_fat_binary_with_ptx_and_lines(self):
        self.run_program("text", "--cubin", "-arch", "sm_90", "-code", "sm_90", "-O2", "kernel.cu")
        arguments = self.written("arguments.txt").split()
        self.assertEqual(arguments[:5], ["--fatbin", "-arch", "compute_90", "-O2", "-lineinfo"])
        self.assertEqual(arguments[-2:], ["-o", "kernel.cubin"])
        self.assertNotIn("--cubin", arguments)
        self.assertNotIn("-code", arguments)

    def test_the_text_gets_the_line_of_the_literal(self):
        self.run_program("text", "--cubin", "kernel.cu")
        self.assertEqual(self.written("source.txt"), f'extern "C" {{\n#line 2 "{self.program}"\n{KERNEL}\n}}\n')

    def test_a_text_that_is_put_together_has_its_own_lines(self):
        self.run_program("text + text", "--cubin", "kernel.cu")
        self.assertIn('#line 1 "kernel.cu"\n', self.written("source.txt"))

    def test_device_debug_information_stays(self):
        self.run_program("text", "--cubin", "-G", "kernel.cu")
        self.assertNotIn("-lineinfo", self.written("arguments.txt").split())

    def test_other_calls_go_to_the_toolkit_as_they_are(self):
        self.run_program("text", "--ptx", "-arch", "sm_90", "kernel.cu")
        self.assertEqual(self.written("arguments.txt").split(), ["--ptx", "-arch", "sm_90", "kernel.cu"])
        self.assertIn('extern "C" {\n\n__global__', self.written("source.txt"))

    def test_the_version_is_another_one_for_each_text_of_the_program(self):
        first = self.run_program("text", "--version")
        self.assertTrue(first.startswith("release 13.0\nwarpsim "), first)
        self.assertEqual(self.run_program("text", "--version"), first)
        self.program.write_text(PROGRAM + "# changed\n")
        self.assertNotEqual(self.run_program("text", "--version"), first)


if __name__ == "__main__":
    unittest.main()
