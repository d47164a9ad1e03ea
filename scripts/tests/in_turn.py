#!/usr/bin/env python3
"""Which part of a large family of tests a commit runs. Another commit runs another part, so that all
of them run in some commits; WARPGRADE_LONG_TESTS=1 runs all.

usage: in_turn.py NAME PARTS COMMAND...  runs the command if the commit selects NAME, one in PARTS, or
                                         if an argument is a file that was changed lately
       in_turn.py FAMILY PART/PARTS COMMAND...  if it selects this part, from 0, of the family
exit code 77 if not
"""

import functools
import hashlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def git(*arguments):
    """What git prints; nothing outside of a checkout."""
    try:
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return run.stdout if run.returncode == 0 else ""


@functools.cache
def commit():
    return git("rev-parse", "HEAD").strip()


@functools.cache
def changed_lately():
    """Files, from the root on, that the newest 50 commits or the working tree changed."""
    # A shallow clone's oldest commit has no parent there, and would seem to have changed every file.
    committed = git("log", "-50", "--min-parents=1", "--name-only", "--format=").splitlines()
    uncommitted = git("status", "--porcelain", "--untracked-files=all").splitlines()
    return set(committed) | {line[3:] for line in uncommitted}


def is_selected(name, parts, part=0):
    """Whether the commit selects this of the parts."""
    if os.environ.get("WARPGRADE_LONG_TESTS") == "1":
        return True
    digest = hashlib.sha256(f"{commit()} {name}".encode()).digest()
    return int.from_bytes(digest[:8], "little") % parts == part


def is_due(name, parts):
    """Whether a file was changed lately, or the commit selects it, one in `parts`."""
    return name in changed_lately() or is_selected(name, parts)


def main():
    name, which, *command = sys.argv[1:]
    part, _, parts = which.rpartition("/")
    files = {os.path.relpath(argument, ROOT) for argument in command if argument.startswith("/")}
    if not is_selected(name, int(parts), int(part or 0)) and not files & changed_lately():
        print(f"skipped: a commit runs one in {parts} of these tests (WARPGRADE_LONG_TESTS=1: all)")
        sys.exit(77)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
