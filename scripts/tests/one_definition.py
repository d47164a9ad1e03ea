#!/usr/bin/env python3
"""No two types have the same name in the same namespace.

Two of them in one program violate the one-definition rule, and no compiler says so: each file sees one.
Sources are formatted, so a type of a namespace begins in the first column."""

import collections
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OPEN = re.compile(r"(?:inline )?namespace(?: ([\w:]+))? \{$")
CLOSED = re.compile(r"\}  // namespace")
TYPE = re.compile(r"(?:struct|class|enum class|enum|union) (?:alignas\([^)]*\) )?(\w+)(?: final)?(?: : [^{]*)? \{")


def definitions(lines):
    """(name with namespaces, line) of the types in namespaces that have a name."""
    namespaces = []
    for number, line in enumerate(lines, 1):
        if opened := OPEN.match(line):
            namespaces.append(opened[1])
        elif CLOSED.match(line):
            namespaces.pop()
        elif (found := TYPE.match(line)) and namespaces and None not in namespaces:
            yield "::".join([*namespaces, found[1]]), number


def repeated(sources):
    """{name: places} of the types that are defined more than once. @param sources  {path: lines}"""
    places = collections.defaultdict(list)
    for path, lines in sources.items():
        for name, number in definitions(lines):
            places[name].append(f"{path}:{number}")
    return {name: found for name, found in places.items() if len(found) > 1}, len(places)


def check_itself():
    one = ["namespace a {", "struct Line {", "};", "}  // namespace a"]
    hidden = ["namespace a {", "namespace {", "struct Line {", "};", "}  // namespace", "}  // namespace a"]
    assert list(repeated({"x.h": one, "y.h": one})[0]) == ["a::Line"]
    assert not repeated({"x.h": one, "y.cpp": hidden})[0]


def main():
    check_itself()
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "*.h", "*.cpp"],
                            stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    wrong, count = repeated({name: (ROOT / name).read_text(encoding="utf-8").splitlines()
                             for name in listed if (ROOT / name).exists()})
    for name, places in wrong.items():
        print(f"{name} is defined {len(places)} times: {', '.join(places)}; rename one")
    print(f"{count} types")
    sys.exit(bool(wrong) or count < 100)


if __name__ == "__main__":
    main()
