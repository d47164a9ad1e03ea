#!/usr/bin/env python3
"""docs/libraries.md: the functions that the drop-in libraries have, from the libraries themselves.

    scripts/pages/libraries.py [--check] [FOLDER]    FOLDER has them: build/lib/warpsim
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from blocks import put, table

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "libraries.md"
LETTERS = "SDCZ"
# What cuBLAS calls in cublasLt; no header declares it, but for what the header's inline functions call.
INTERNAL = re.compile(r"cublasLt([A-Z]{3}Matmul|LegacyGemm|_for_cublas_)|.*_internal$|cublasLt(ClearNvjetCache|CtxInit|ShutdownCtx|"
                      r"[GS]etEnvironmentMode|HeuristicLut.*|HeuristicsCache(Create|Destroy|Get|Put)|AlgoCharacteristic.*)$")


def _symbols(library):
    """{name: whether it is implemented}; a stub of a missing function is weak."""
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {m[2]: m[1] != "W" for m in re.finditer(r" ([TWi]) (\w+)@@", text) if not INTERNAL.match(m[2])}


def _as_written(symbols):
    """Names as programs write them: without the version, and once for both sizes of integers."""
    there = {re.sub(r"_v2$", "", re.sub(r"_64$", "", name)) for name, real in symbols.items() if real}
    known = {re.sub(r"_v2$", "", re.sub(r"_64$", "", name)) for name in symbols}
    return there, known


def _families(names, library="cublas"):
    """cublasSgemm and cublasDgemm are one row: ("cublas<t>gemm", "S, D"). Other names are of no family."""
    families = defaultdict(list)
    for name in names:
        typed = re.fullmatch(library + r"([SDCZ])([a-z].*)", name)
        other = typed and f"{library}{LETTERS['DSZC'.index(typed[1])]}{typed[2]}"
        in_family = typed and {f"{library}{letter}{typed[2]}" for letter in LETTERS} & names >= {name, other}
        families[f"{library}<t>{typed[2]}" if in_family else name].append(typed[1] if in_family else "")
    rows = []
    for family, letters in sorted(families.items(), key=lambda item: item[0].replace("<t>", "").lower()):
        if letters == [""]:
            rows.append((f"`{family}`", ""))
        else:
            rows.append((f"`{family}`", ", ".join(sorted(letters, key=LETTERS.index))))
    return rows


def functions_of_cublas(folder):
    there, known = _as_written(_symbols(folder / "libcublas.so.13"))
    typed = [row for row in _families(there) if row[1]]
    others = sorted(row[0] for row in _families(there) if not row[1])
    return (f"{len(there)} of {len(known)} functions of cuBLAS 13 are there:\n\n" +
            table(["function", "types"], typed) + "\n\nand " + ", ".join(others) + ".")


def functions_of(library, name):
    """Of a library whose functions are mostly not one for each type."""
    there, known = _as_written(_symbols(library))
    prefix = re.match(r"lib([a-zA-Z]+)", library.name)[1]
    return (f"{len(there)} of {len(known)} functions of {name} are there: " +
            ", ".join(f"`{name}`" for name in sorted(there)) + ".\n\nMissing are " +
            ", ".join(row[0] for row in _families(known - there, prefix)) + ".")


def page(folder):
    text = put(PAGE.read_text(), "functions of cuBLAS", functions_of_cublas(folder), PAGE)
    for file, name in (("libcublasLt.so.13", "cublasLt 13"), ("libcufft.so.12", "cuFFT 12"), ("libcurand.so.10", "cuRAND 10"),
                       ("libcusparse.so.12", "cuSPARSE 12")):
        text = put(text, f"functions of {name.split()[0]}", functions_of(folder / file, name), PAGE)
    return text


def pages(root):
    """Nothing without a build."""
    folder = root / "build" / "lib" / "warpsim"
    return {PAGE: page(folder)} if all(
        (folder / name).exists() for name in ("libcublas.so.13", "libcufft.so.12")) else {}


def main():
    check = "--check" in sys.argv[1:]
    folders = [word for word in sys.argv[1:] if word != "--check"]
    text = page(Path(folders[0]) if folders else ROOT / "build" / "lib" / "warpsim")
    if text == PAGE.read_text():
        return 0
    if check:
        print("docs/libraries.md: stale; run scripts/pages/libraries.py")
        return 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
