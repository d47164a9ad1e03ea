#!/usr/bin/env python3
"""Two grades of one submission, from different machines, are the same.

usage: same_grade.py A.json B.json

Everything is compared, but for what names the machine or is time of its clock. Prints how many values
and counters were the same, or the first differences and exit status 1.
"""

import json
import sys

MACHINE = {"seconds", "started", "environment"}


def values(node, path=""):
    """Yields (path, value) of every leaf."""
    if isinstance(node, dict):
        for name, inner in node.items():
            if name not in MACHINE:
                yield from values(inner, f"{path}.{name}")
    elif isinstance(node, list):
        for i, inner in enumerate(node):
            yield from values(inner, f"{path}[{i}]")
    else:
        yield path, node


def main():
    first, second = (dict(values(json.load(open(name, encoding="utf-8")))) for name in sys.argv[1:])
    paths = list(first) + [path for path in second if path not in first]
    different = [path for path in paths if first.get(path, "none") != second.get(path, "none")]
    for path in different[:20]:
        print(f"{path}: {first.get(path, 'none')!r} and {second.get(path, 'none')!r}")
    counters = sum(".counters." in path for path in first)
    if different:
        print(f"{len(different)} of {len(paths)} values differ")
        return 1
    if counters == 0:
        print("the grades have no counters: nothing was executed")
        return 1
    print(f"{len(paths)} values are the same, {counters} counters among them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
