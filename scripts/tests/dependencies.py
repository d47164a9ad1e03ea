#!/usr/bin/env python3
"""The folders' dependencies are those of docs/dependencies.toml.

usage: dependencies.py [--print | --write] [--root FOLDER]

  --print  prints the dependencies as the includes have them
  --write  makes the tables of docs/ARCHITECTURE.md from the file

Without an option the include graph is held against the file: every folder with sources is listed,
every include goes to a folder that its folder lists, every listed dependency exists, and a folder
depends only on folders that are listed before it, so that there is no cycle. Subfolders of a listed
folder that are not listed themselves may include each other, without a cycle between two that lie
side by side. Exceptions are listed
with a reason. A test may include whatever its part may; nothing else may include support for tests.
"""

import argparse
import os
import pathlib
import re
import sys
import tomllib

FILE = "docs/dependencies.toml"
PAGE = "docs/ARCHITECTURE.md"
SUFFIXES = {".h", ".cpp", ".cu", ".cuh", ".inc"}
# Folders of tests and of what only tests use, wherever they stand.
TEST_FOLDERS = {"tests", "testing", "probe", "browser"}
# Programs that are graded, and packages of the browser tests.
NOT_OURS = {"attacks", "attempts", "samples", "node_modules"}
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def is_test(path):
    return path.stem.endswith("_test") or bool(TEST_FOLDERS & set(path.parts[:-1]))


class Rules:
    """What docs/dependencies.toml says."""

    def __init__(self, text):
        document = tomllib.loads(text)
        self.parts = document["parts"]  # name: the parts that it may include
        self.folders = {  # path: {"does", "includes"}, the lowest first
            f"{part}/{name}": entry
            for part, folders in document["folder"].items() for name, entry in folders.items()
        }
        self.exceptions = {(e["from"], e["to"]): e["reason"] for e in document.get("exception", [])}

    def folder_of(self, path):
        """The listed folder that a file belongs to: its own, or the nearest around it."""
        for parent in path.parents:
            if str(parent) in self.folders:
                return str(parent)
        return None

    def includes(self, folder):
        """The folders that a folder may include, as paths."""
        own_part = folder.split("/")[0]
        return {
            name if name.split("/")[0] in self.parts else f"{own_part}/{name}"
            for name in self.folders[folder].get("includes", [])
        }


def sources_in(root, parts):
    for part in parts:
        for path in sorted((root / part).rglob("*")):
            relative = path.relative_to(root)
            if path.suffix in SUFFIXES and path.is_file() and not NOT_OURS & set(relative.parts):
                yield relative


def included_by(root, path, parts):
    """The project's files that a file includes."""
    for name in INCLUDE.findall((root / path).read_text(encoding="utf-8", errors="replace")):
        if name.split("/")[0] in parts:
            yield pathlib.Path(name)
        elif (root / path.parent / name).is_file():
            yield pathlib.Path(os.path.normpath(path.parent / name))


def examine(root, rules):
    """Returns the dependencies as {(from, to): an example}, and the problems."""
    found = {}
    inside = {}  # the same of subfolders that are not listed
    problems = []
    for path in sources_in(root, rules.parts):
        part = path.parts[0]
        folder = rules.folder_of(path)
        if folder is None and not is_test(path):
            problems.append(f"{path}: its folder is not listed in {FILE}")
            continue
        for target in included_by(root, path, rules.parts):
            allowed = {part, *rules.parts[part]}
            if target.parts[0] not in allowed:
                problems.append(f"{path} includes {target}: {part} may not include {target.parts[0]}")
            elif is_test(path):
                continue
            elif is_test(target):
                problems.append(f"{path} includes {target}, which is for tests")
            else:
                to = rules.folder_of(target)
                if to is None:
                    problems.append(f"{path} includes {target}, whose folder is not listed in {FILE}")
                elif to != folder:
                    found.setdefault((folder, to), f"{path} includes {target}")
                elif not (path.is_relative_to(target.parent) or target.is_relative_to(path.parent)):
                    arrow = str(path.parent), str(target.parent)
                    inside.setdefault(arrow, f"{path} includes {target}")
    return found, problems + cycles(inside)


def cycles(arrows):
    """One problem for each arrow of {(from, to): an example} that lies on a cycle."""
    after = {}
    for origin, to in arrows:
        after.setdefault(origin, set()).add(to)

    def reaches(start, goal):
        seen, todo = set(), [start]
        while todo:
            here = todo.pop()
            if here == goal:
                return True
            if here not in seen:
                seen.add(here)
                todo += after.get(here, ())
        return False
    return [f"{example}: {to} depends on {origin}, too"
            for (origin, to), example in sorted(arrows.items()) if reaches(to, origin)]


def check(root, rules):
    found, problems = examine(root, rules)
    order = {folder: place for place, folder in enumerate(rules.folders)}
    listed = {(folder, to) for folder in rules.folders for to in rules.includes(folder)}
    for folder in rules.folders:
        if not (root / folder).is_dir():
            problems.append(f"{FILE}: there is no folder {folder}")
    for arrow in sorted(listed):
        if arrow[1] not in order:
            problems.append(f"{FILE}: {arrow[0]} lists {arrow[1]}, which is not a listed folder")
        elif order[arrow[1]] >= order[arrow[0]]:
            problems.append(f"{FILE}: {arrow[0]} lists {arrow[1]}, which does not stand before it")
    for arrow in sorted(found.keys() - listed - rules.exceptions.keys()):
        problems.append(f"{found[arrow]}: {FILE} does not list that {arrow[0]} includes {arrow[1]}")
    for arrow in sorted((listed | rules.exceptions.keys()) - found.keys()):
        problems.append(f"{FILE}: {arrow[0]} lists {arrow[1]} and includes nothing of it")
    for arrow in sorted(listed & rules.exceptions.keys()):
        problems.append(f"{FILE}: {arrow[0]} lists {arrow[1]}, and it is an exception too")
    return found, problems


def table(rules, part):
    """The Markdown table of a part's folders."""
    rows = ["| folder | what it does | includes |", "|---|---|---|"]
    for folder, entry in rules.folders.items():
        if folder.startswith(f"{part}/"):
            names = ", ".join(f"`{name}`" for name in entry.get("includes", []))
            rows.append(f"| `{folder.removeprefix(part + '/')}` | {entry['does']} | {names} |")
    return "\n".join(rows)


def with_tables(page, rules):
    """The page with the table of each part between its two marks."""
    for part in rules.parts:
        begin, end = f"<!-- folders of {part} -->", "<!-- end -->"
        start = page.index(begin) + len(begin)
        page = f"{page[:start]}\n\n{table(rules, part)}\n\n{page[page.index(end, start):]}"
    return page


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("--print", action="store_true")
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    chosen = arguments.parse_args()
    root = chosen.root
    rules = Rules((root / FILE).read_text(encoding="utf-8"))
    page = (root / PAGE).read_text(encoding="utf-8")
    if chosen.write:
        (root / PAGE).write_text(with_tables(page, rules), encoding="utf-8")
        return 0
    found, problems = check(root, rules)
    if chosen.print:
        for folder in rules.folders:
            targets = sorted(to for origin, to in found if origin == folder)
            print(f"{folder}: {' '.join(targets)}")
    if page != with_tables(page, rules):
        problems.append(f"{PAGE} differs from {FILE}: scripts/tests/dependencies.py --write repairs it")
    for problem in problems:
        print(problem)
    print(f"{len(rules.folders)} folders, {len(found)} dependencies, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
