#!/usr/bin/env python3
"""Each source includes what it uses: it compiles without the others of its translation unit in a unity
build (cmake/Unity.cmake). usage: compile_alone.py <build folder, with compile_commands.json>

Those that clang-tidy looks at are left out, because it compiles them alone, too (tidy.py). Looked at are the
files of the newest 50 commits and of the working tree, and of the others an eighth that the commit selects;
WARPGRADE_LONG_TESTS=1 looks at all. Exit code 77: the build is none.
"""

import concurrent.futures
import pathlib
import shlex
import subprocess
import sys

import compile_commands
import in_turn


def without_output(command):
    """The compiler's arguments that say how, without where the object and the list of includes go."""
    arguments = iter(shlex.split(command))
    kept = []
    for argument in arguments:
        if argument in ("-o", "-MF", "-MT", "-MQ"):
            next(arguments)
        elif argument not in ("-c", "-MD") and not argument.endswith("/ccache"):
            kept.append(argument)
    return [*kept, "-fsyntax-only"]


def check_itself():
    assert without_output("/usr/bin/ccache c++ -O3 -MD -MT a.o -MF a.d -o a.o -c a.cpp") == [
        "c++", "-O3", "a.cpp", "-fsyntax-only"]


def main():
    check_itself()
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path.cwd().resolve()
    if not (build / "compile_commands.json").exists():
        print("skipped: needs a build folder made by CMake")
        return 77
    united = [source for source in compile_commands.sources(build, root) if source.unit != source.file]
    if not united:
        print("skipped: no unity build, in which every source is compiled alone")
        return 77
    due = [source for source in united
           if compile_commands.WITHOUT_TIDY.search(source.name) and in_turn.is_due(source.name, 8)]

    def check(source):
        run = subprocess.run(without_output(source.command), cwd=source.directory, capture_output=True, text=True)
        if run.returncode != 0:
            print(f"{source.name} does not compile alone:\n{run.stderr}", flush=True)
        return run.returncode == 0

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        passed = list(pool.map(check, due))
    print(f"{len(due)} of {len(united)} files")
    return 0 if all(passed) else 1


sys.exit(main())
