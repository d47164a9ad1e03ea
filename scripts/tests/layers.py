#!/usr/bin/env python3
"""Each folder of the emulator's core links without those above it.

usage: layers.py LAYERS COMPILER [LINK OPTION...]

  LAYERS  one line for each folder, its name and its object files, separated by semicolons

A folder's objects are linked with those of the folders that docs/dependencies.toml lets it include,
directly or through others. What the test of includes cannot see is found here: a function that is
declared in a lower folder and defined in a higher one. Symbols that the file lists may be missing."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

from dependencies import FILE, Rules

UNDEFINED = re.compile(r"undefined reference to [`']([^`']+)'")


def below(rules, folder):
    """The folder and all that it may depend on."""
    found, todo = set(), [folder]
    while todo:
        here = todo.pop()
        if here not in found:
            found.add(here)
            todo += rules.includes(here)
    return found


def link(compiler, objects, options):
    """The symbols that are missing, and all that the linker said, if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = pathlib.Path(folder, "objects")
        arguments.write_text("\n".join(objects), encoding="utf-8")
        done = subprocess.run(
            [compiler, "-shared", "-o", f"{folder}/layer.so", "-Wl,--no-undefined", "-Wl,--no-demangle",
             f"@{arguments}", *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return set(UNDEFINED.findall(done.stdout)), "" if done.returncode == 0 else done.stdout


def names(symbol, name):
    """Whether a mangled symbol is that of a function without parameters of this name."""
    return symbol.endswith(f"{len(name)}{name}Ev")


def readable(text):
    """The text with names as they are written, where binutils has its program for that."""
    if not shutil.which("c++filt"):
        return text
    return subprocess.run(["c++filt"], input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.rstrip()


def examine(folder, rules, symbols, layers, compiler, options):
    objects = [path for layer in sorted(below(rules, folder)) for path in layers.get(layer, [])]
    listed = [entry["name"] for entry in symbols if entry["needed_by"] == folder]
    # Whoever includes the folder gets what it may lack.
    inherited = [entry["name"] for entry in symbols
                 if entry["needed_by"] in below(rules, folder) and entry["defined_by"] not in below(rules, folder)]
    missing, output = link(compiler, objects, options)
    expected = {symbol for symbol in missing if any(names(symbol, name) for name in inherited)}
    if expected:
        missing, output = link(compiler, objects, [*options, *(f"-Wl,--defsym={symbol}=0" for symbol in expected)])
    problems = [f"{folder} needs {symbol}, which no folder defines that it may include" for symbol in sorted(missing)]
    if output and not missing:
        problems.append(f"{folder} does not link: {output}")
    problems += [f"{FILE} lists that {folder} needs {name}, and it does not"
                 for name in listed if not any(names(symbol, name) for symbol in expected)]
    return problems


def main():
    layers_file, compiler, *options = sys.argv[1:]
    text = pathlib.Path(FILE).read_text(encoding="utf-8")
    rules = Rules(text)
    symbols = tomllib.loads(text).get("symbol", [])
    layers = {}
    for line in pathlib.Path(layers_file).read_text(encoding="utf-8").splitlines():
        name, *objects = line.split(";")
        layers[f"emulator/{name}"] = [path for path in objects if path]
    if not all(os.path.exists(path) for objects in layers.values() for path in objects):
        print("skipped: the core is not built")
        return 77
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda folder: examine(folder, rules, symbols, layers, compiler, options), layers)
        problems = [problem for found in results for problem in found]
    if problems:
        print(readable("\n".join(problems)))
    print(f"{len(layers)} layers, {len(symbols)} symbols listed, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
