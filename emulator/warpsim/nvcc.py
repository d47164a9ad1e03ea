#!/usr/bin/env python3
"""nvcc for programs under warpsim: what asks for machine code (--cubin), as PyCUDA does, gets a fat binary with PTX.

Everything else goes to the toolkit's nvcc as it is. warpsim puts the folder of this file in front of PATH. PyCUDA
keeps what nvcc makes by its text, its options and nvcc's version; the version that this prints is another one, so
that neither a GPU nor the emulator gets what was made for the other.
"""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TO_CUBIN = {"--cubin", "-cubin"}
VERSION = {"--version", "-V"}
LINES = {"-lineinfo", "--generate-line-info", "-G", "--device-debug"}
# What PyCUDA writes around the text of a SourceModule.
BEFORE, AFTER = 'extern "C" {\n', "\n}\n"


def toolkit_nvcc():
    folders = os.environ.get("PATH", "").split(os.pathsep)
    folders += [os.path.join(os.environ[name], "bin") for name in ["CUDA_HOME", "CUDA_PATH"] if os.environ.get(name)]
    folders.append("/usr/local/cuda/bin")
    for folder in folders:
        found = shutil.which("nvcc", path=folder) if folder else None
        # Not this file, nor another copy of it, which would look further and find this one.
        if found and Path(found).read_bytes() != Path(__file__).read_bytes():
            return found
    return None


def calling_program():
    """The file of the Python program that has started nvcc, or None."""
    process = Path("/proc", str(os.getppid()))
    try:
        words = (process / "cmdline").read_text(errors="replace").split("\0")
        folder = os.readlink(process / "cwd")
    except OSError:
        return None
    for word in words[1:]:
        # The program's folder may not be that of the process any more.
        for path in [Path(folder, word), Path(os.environ.get("PWD", folder), word)]:
            if word.endswith(".py") and path.is_file():
                return path
    return None


def line_of_text(text, program):
    """The line of the program at which this text begins as a literal; None if it is not one, or several."""
    try:
        tree = ast.parse(program.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    lines = [node.lineno for node in ast.walk(tree)
             if isinstance(node, ast.Constant) and node.value == text
             and node.end_lineno - node.lineno == text.count("\n")]
    return lines[0] if len(lines) == 1 else None


def with_line(source, program):
    """The text for nvcc, in which line numbers are those of the program, or else of the SourceModule's text."""
    wrapped = source.startswith(BEFORE) and source.endswith(AFTER)
    text = source[len(BEFORE):-len(AFTER)] if wrapped else source
    line = line_of_text(text, program) if program else None
    name = str(program) if line else "kernel.cu"
    placed = f'#line {line or 1} "{name}"\n{text}'
    return BEFORE + placed + AFTER if wrapped else placed


def for_ptx(options):
    """The options, with PTX in place of machine code."""
    result = []
    words = iter(options)
    for word in words:
        if word in ["-code", "--gpu-code"]:
            next(words, None)
        elif re.match(r"(-code|--gpu-code)=", word):
            continue
        else:
            result.append(re.sub(r"^((?:-arch=|--gpu-architecture=)?)sm_(\d+[a-z]?)$", r"\1compute_\2", word))
    return result


def main():
    nvcc = toolkit_nvcc()
    arguments = sys.argv[1:]
    if nvcc is None:
        sys.exit("nvcc: the toolkit's nvcc was found neither in PATH nor in CUDA_HOME")
    program = calling_program()
    if VERSION & set(arguments):
        done = subprocess.run([nvcc, *arguments], stdout=subprocess.PIPE)
        sys.stdout.buffer.write(done.stdout)
        text = program.read_bytes() if program else b""
        # With the program's text, which says at which lines kernels are.
        print("warpsim", program, hashlib.sha256(text).hexdigest())
        sys.exit(done.returncode)
    sources = [word for word in arguments if word.endswith(".cu")]
    if not TO_CUBIN & set(arguments) or len(sources) != 1 or {"-o", "--output-file"} & set(arguments):
        os.execv(nvcc, [nvcc, *arguments])

    options = [word for word in arguments if word not in TO_CUBIN and word not in sources]
    if not LINES & set(options):
        options.append("-lineinfo")
    source = Path(sources[0])
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, source.name)
        copy.write_text(with_line(source.read_text(), program))
        command = [nvcc, "--fatbin", *for_ptx(options), "-I" + str(source.resolve().parent), str(copy),
                   "-o", source.with_suffix(".cubin").name]
        sys.exit(subprocess.run(command).returncode)


if __name__ == "__main__":
    main()
