#!/usr/bin/env python3
"""The part of docs/fidelity.md on tensor cores and asynchronous copies.

  scripts/fidelity/tensor.py [--check] [BUILD]

Runs the programs counters_tensor_* of BUILD (default: build) under the emulator, and puts them beside
what a card counted and measured (emulator/tests/counters/h200_tensor.csv, by scripts/gpu_families).
Writes the part into the page, or says with --check whether it is what the page has.

Exit codes: 0 written or equal, 1 --check found a difference, 2 wrong usage, 3 something is missing."""

import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from fidelity import read  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLES = ROOT / "emulator" / "tests" / "counters"
PAGE = ROOT / "docs" / "fidelity.md"
BEGIN, END = "<!-- tensor cores -->\n", "<!-- end -->\n"
PROGRAMS = ("products", "copies", "programs")
INTRO = """
Kernels for each kind of matrix instruction, of access to fragments, of copy by the copy engine and
between blocks of a cluster, and whole programs: the rungs of the lab tensor (256 x 256 x 256) and attention
in f16 (two heads of 256 queries). One NVIDIA H200, driver 580.159.04, CUDA 13.0, ncu 2025.3.1.0,
2026-11-29: `scripts/gpu_families --only tensor`; the emulator's side is from `scripts/fidelity/tensor.py`.
Times are medians of three, by ncu, with caches flushed and clocks as they were. {equal:,} of {figures:,} figures
are equal.

Modelled times are too short where kernels wait for what is not modelled: how long `cp.async` and
`barrier.cluster` take. They are too long where `ptxas` makes less of the PTX than it says (`by_wmma`, E4M3). The
ratios of rungs 2 and 3 are not explained.
"""


def rows_of(name):
    with open(TABLES / name, encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=";"))


def emulated(build):
    """{kernel: counters} of the three programs."""
    kernels = {}
    for name in PROGRAMS:
        program = build / "emulator" / "tests" / "counters" / f"counters_tensor_{name}"
        with tempfile.NamedTemporaryFile(suffix=".json") as report:
            subprocess.run([build / "bin" / "warpsim", "--quiet", "--card", "h200", "--check", "cache", "--json",
                            report.name, "--", program], check=True, stdout=subprocess.DEVNULL)
            for kernel in json.loads(pathlib.Path(report.name).read_text())["kernels"]:
                kernels[read.short_name(kernel["name"])] = kernel["counters"]
    return kernels


def section(kernels):
    measured = rows_of("h200_tensor.csv")
    known = {(row["kernel"], row["metric"]): row["reason"] for row in rows_of("h200_tensor_differences.csv")}
    metrics = list(measured[0])[2:]
    equal = collections.Counter()
    differences, times = [], []
    for row in measured:
        emulator = kernels[row["kernel"]]
        modelled, us = 1000 * emulator["modelled_ms"], float(row["us"])
        times.append(f"| `{row['kernel']}` | {us:.2f} | {modelled:.2f} | {modelled / us:.2f} |")
        for metric in metrics:
            card = int(row[metric])
            if emulator[metric] == card:
                equal[metric] += 1
                continue
            why = known.get((row["kernel"], metric), "**unexplained**")
            differences.append(f"| `{row['kernel']}` | `{metric}` | {card:,} | {emulator[metric]:,} | {why} |")
    nonzero = {metric: sum(row[metric] != "0" for row in measured) for metric in metrics}
    parts = [INTRO.format(equal=sum(equal.values()), figures=len(measured) * len(metrics)),
             "| metric | kernels | not 0 | equal |\n|---|--:|--:|--:|",
             *(f"| `{metric}` | {len(measured)} | {nonzero[metric]} | {equal[metric]} |" for metric in metrics),
             "\n| kernel | metric | card | emulator | why |\n|---|---|--:|--:|---|", *differences,
             "\n| kernel | measured, µs | modelled, µs | ratio |\n|---|--:|--:|--:|", *times]
    return "\n".join(parts) + "\n\n"


def kept():
    """The part as the page has it, for a page that is written anew."""
    text = PAGE.read_text()
    return text[text.index(BEGIN) - len(HEAD):text.index(END) + len(END)]


HEAD = "## Tensor cores and asynchronous copies\n\n"


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments) - check > 1 or (len(arguments) > check and arguments[check].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    build = pathlib.Path(arguments[check]) if len(arguments) > check else ROOT / "build"
    for program in [build / "bin" / "warpsim",
                    *(build / "emulator" / "tests" / "counters" / f"counters_tensor_{name}" for name in PROGRAMS)]:
        if not program.exists():
            print(f"tensor.py: '{program}' is not there; build it first", file=sys.stderr)
            return 3
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    new = text[:begin] + section(emulated(build)) + text[end:]
    if check:
        print("equal" if new == text else f"{PAGE}: not what scripts/fidelity/tensor.py writes")
        return int(new != text)
    PAGE.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
