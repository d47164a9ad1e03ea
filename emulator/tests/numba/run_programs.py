#!/usr/bin/env python3
"""Numba programs under warpsim, unmodified: those that check themselves, and those with a mistake.

usage: run_programs.py WARPSIM [--write] [NAME...]

PyCUDA's programs (../pycuda) are run in the same way.

programs/ must end with exit code 0 and without a finding; comments in them say what else is expected:
"# prints: TEXT", "# exits: CODE", "# warpsim: OPTIONS", and "# reports: KIND in line 0" of a kernel of Numba's own.
"# reports in kernels of the package: KIND" stands for any number of findings in kernels that the package writes itself.
In mistakes/ the comment "# finding: KIND" stands in the line that a finding must name ("# or: KIND" in others that
are as good), "# finding without a line: KIND" where the kernel has no line table, and "# finding in line N of the text: KIND" where
the program puts the text of the kernel together. The tables of docs/python.md list all of them; --write makes the tables anew.

Exit code 77: the package or what it compiles with is not installed."""

import concurrent.futures
import dataclasses
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent.parent / "docs" / "python.md"
SKIPPED = 77
TEXT = "kernel.cu"  # of PyCUDA's SourceModule, where its lines are not the program's
ERROR_FINDING = 99  # exit code of warpsim
SECONDS = 300
# Prints what is missing, for a Python that is to run the programs.
PROBE = """
try:
    import numba
    from numba import cuda
except ImportError as error:
    print(f"{error} (Debian: apt-get install python3-numba)")
else:
    from numba.cuda.cudadrv import nvvm
    try:
        nvvm.NVVM()
        nvvm.LibDevice()
        problem = "" if cuda.is_available() else f"Numba finds no device: {cuda.cuda_error()}"
    except Exception as error:
        problem = f"the CUDA Toolkit with libNVVM: {error}"
    print(problem)
"""


@dataclasses.dataclass
class Suite:
    package: str
    folder: Path  # with programs/ and mistakes/
    probe: str  # prints what is missing


def python_with(package):
    """The first Python in PATH, or the distribution's, that has this package."""
    for python in ["python3", "/usr/bin/python3"]:
        found = subprocess.run([python, "-c", f"import numpy, {package}"], capture_output=True)
        if found.returncode == 0:
            return python
    return "python3"


def options_of(text, name):
    """What stands after "# name:" in a program, once per line."""
    return re.findall(rf"^# {name}: (.*)$", text, re.MULTILINE)


def title_of(path):
    return re.match(r'"""(.*?)"""', path.read_text(), re.DOTALL)[1]


def run(warpsim, python, path, folder):
    """@returns the completed process and its findings"""
    text = path.read_text()
    report = Path(folder, path.stem + ".json")
    options = [word for line in options_of(text, "warpsim") for word in shlex.split(line)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "ignore",
                   "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0"}
    done = subprocess.run([warpsim, "--json", report, *options, "--", python, path], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, env=environment)
    findings = json.loads(report.read_text())["findings"] if report.exists() else []
    return done, findings


def check_program(text, done, findings):
    """What is wrong with the run of a program; nothing if it is as it should be."""
    wanted = int((options_of(text, "exits") or ["0"])[0])
    if done.returncode != wanted:
        yield f"exit code {done.returncode}, not {wanted}"
    for line in options_of(text, "prints"):
        if line not in done.stdout.splitlines():
            yield f"does not print {line!r}"
    expected = options_of(text, "reports in kernels of the package")
    reported = {f"{finding['kind']} in line {finding.get('line')}" for finding in findings
                if finding["kind"] not in expected or Path(finding.get("file") or "").name != TEXT}
    for kind in expected:
        if kind not in [finding["kind"] for finding in findings]:
            yield f"no finding {kind} in a kernel of the package, as the page says"
    if reported != set(options_of(text, "reports")):
        yield f"findings {sorted(reported)}"


def check_mistake(path, text, done, findings):
    if done.returncode != ERROR_FINDING:
        yield f"exit code {done.returncode}, not {ERROR_FINDING}"
    places = {(number, kind) for number, line in enumerate(text.splitlines(), 1)
              for kind in re.findall(r"# (?:finding|or): (\S+)", line)}
    found = {(finding.get("line"), finding["kind"]) for finding in findings
             if Path(finding.get("file") or "").name == path.name}
    for kind in options_of(text, "finding without a line"):
        if kind not in [finding["kind"] for finding in findings if not finding.get("line")]:
            yield f"no finding {kind} without a line: {findings}"
        if "compile with @cuda.jit(lineinfo=True) to see the source line" not in done.stdout:
            yield "does not say how to see the line"
    for line, kind in re.findall(r"^# finding in line (\d+) of the text: (\S+)$", text, re.MULTILINE):
        if (int(line), kind) not in [(finding.get("line"), finding["kind"]) for finding in findings
                                     if Path(finding.get("file") or "").name == TEXT]:
            yield f"no finding {kind} in line {line} of the text: {findings}"
    if places and not places & found:
        yield f"expected one of {sorted(places)}, found {sorted(found, key=str)}"
    for line, kind in sorted(found - places, key=str):
        yield f"finding {kind} in line {line}, which is not marked"


def table(suite, folder, heading):
    rows = [f"| {heading} | program |", "|---|---|"]
    for path in sorted((suite.folder / folder).glob("*.py")):
        rows.append(f"| {title_of(path)} | `{path.stem}` |")
    return "\n".join(rows) + "\n"


def page_with_tables(suite, page):
    """The page with its tables as they should be."""
    for folder, heading in [("programs", "what works"), ("mistakes", "mistake")]:
        begin, end = f"<!-- {suite.package} {folder} -->\n\n", "\n<!-- end -->"
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = before + begin + table(suite, folder, heading) + end + after
    return page


def main(suite):
    arguments = sys.argv[1:]
    write = "--write" in arguments
    warpsim, *names = [argument for argument in arguments if argument != "--write"]
    page = PAGE.read_text()
    if write:
        PAGE.write_text(page_with_tables(suite, page))
    elif page != page_with_tables(suite, page):
        sys.exit(f"the tables of {PAGE} do not list these programs; make them: {sys.argv[0]} {warpsim} --write")

    python = python_with(suite.package)
    probe = subprocess.run([warpsim, "--quiet", "--", python, "-c", suite.probe], text=True, capture_output=True)
    if probe.stdout.strip() or probe.returncode != 0:
        print(f"skipped: {probe.stdout.strip() or probe.stderr.strip()}")
        sys.exit(SKIPPED)

    paths = [path for folder in ["programs", "mistakes"] for path in sorted((suite.folder / folder).glob("*.py"))
             if not names or path.stem in names]
    failures = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(run, warpsim, python, path, folder) for path in paths]
        for path, one in zip(paths, runs):
            done, findings = one.result()
            text = path.read_text()
            check = check_program(text, done, findings) if path.parent.name == "programs" else check_mistake(
                path, text, done, findings)
            problems = list(check)
            print(f"{path.parent.name}/{path.name}: {'; '.join(problems) or 'as expected'}", flush=True)
            if problems:
                failures += 1
                print(done.stdout)
    print(f"{len(paths)} programs, {failures} failed")
    sys.exit(failures != 0 or not paths)


if __name__ == "__main__":
    main(Suite("numba", HERE, PROBE))
