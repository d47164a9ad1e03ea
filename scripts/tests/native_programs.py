#!/usr/bin/env python3
"""Programs do the same with and without native code (docs/native-code.md).

usage: native_programs.py WARPSIM FOLDER...

Each program in the folders runs twice under WARPSIM for each set of checks, interpreted and with everything
compiled: output, exit code and the report with the counters of every instruction have to be equal. With
WARPSIM_LONG=1 all programs run; without, every fifth, which are others each day."""

import concurrent.futures
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CHECKS = ["none", "bounds,counters", "all"]
# Executions after which a run is compiled. Not "off", and of one length: what a kernel reads of the host's heap or
# stack has its alignment, which changes with what the runtime allocates and with the environment.
INTERPRETED, COMPILED = "999999999", "000000001"
SECONDS = 60
NO_DEVICE_CODE = 3  # of warpsim: the program cannot be run under the emulator


def programs(folders):
    found = []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file() and os.access(path, os.X_OK) and not path.suffix and "CMakeFiles" not in path.parts:
                found.append(path)
    if os.environ.get("WARPSIM_LONG") == "1":
        return found
    return found[datetime.date.today().toordinal() % 5::5]


def run(warpsim, program, checks, jit, folder):
    """All that can be seen of a run; None where it takes too long."""
    report = pathlib.Path(folder, "report.json")
    report.unlink(missing_ok=True)
    command = [warpsim, "--jit", jit, "--threads", "1", "--check", checks, "--instructions", "--json", report,
               "--", program]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=folder, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    text = report.read_text(encoding="utf-8") if report.exists() else "{}"
    return done.returncode, done.stdout, json.loads(text)


def examine(warpsim, program):
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for checks in CHECKS:
            interpreted = run(warpsim, program, checks, INTERPRETED, folder)
            if interpreted is None or interpreted[0] == NO_DEVICE_CODE:
                continue
            # What is not the same in two runs says nothing.
            if run(warpsim, program, checks, INTERPRETED, folder) != interpreted:
                continue
            compiled = run(warpsim, program, checks, COMPILED, folder)
            if compiled is None:
                problems.append(f"{program.name}, checks {checks}: takes too long when compiled")
                continue
            for what, one, other in zip(("exit code", "output", "report"), interpreted, compiled):
                if one != other:
                    problems.append(f"{program.name}, checks {checks}: another {what}")
    return problems


def main():
    warpsim, *folders = map(os.path.abspath, sys.argv[1:])
    chosen = programs(folders)
    if not chosen:
        print("skipped: no programs are built")
        return 77
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda program: examine(warpsim, program), chosen))
    problems = [problem for found in results for problem in found]
    print("\n".join(problems + [f"{len(chosen)} programs, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
