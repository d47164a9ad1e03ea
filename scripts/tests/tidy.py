#!/usr/bin/env python3
"""The checks of .clang-tidy hold. usage: tidy.py <build folder, built, with compile_commands.json>

Handlers (one body per opcode, compiled three times), tests, benches, the command lines and what writes
reports, pages and exports are left out: the time, three seconds per file, goes to the code whose
mistakes would be silent. Checked are the files of the newest 50 commits and of the working tree, and
of the others an eighth that the commit selects; WARPGRADE_LONG_TESTS=1 checks all. A file that passed is
not checked again, in any checkout, while it, the project's headers that it includes, the rules, its
command and clang-tidy are what they were. Exit code 77: cannot run here.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import in_turn

LEFT_OUT = re.compile(
    r"^emulator/(isa/handlers|host_bench|report|warpsim)/|_test\.cpp$|/tests/"
    r"|^grader/(author/(model_bench|new)|class/(export|page|similar|slurm)|run/gpu_profile|show/report"
    r"|testing)/|^grader/cli/[^/]+$")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def included(build, root):
    """The project's files that each of its sources includes, as the compiler noted them."""
    found = {}
    block = []
    for line in output("ninja", "-C", str(build), "-t", "deps").splitlines() + [""]:
        if line.startswith("    "):
            block.append(line.strip())
        elif block:
            paths = [os.path.normpath(build / path) for path in block]
            ours = [path for path in paths if path.startswith(f"{root}/")]
            if ours:
                found.setdefault(ours[0], set()).update(ours[1:])
            block = []
    return found


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path.cwd().resolve()
    tool = shutil.which("clang-tidy")
    if not tool or not shutil.which("ninja") or not (build / "compile_commands.json").exists():
        print("skipped: needs clang-tidy, ninja (scripts/setup installs them) and a built project")
        return 77
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    stamps = pathlib.Path(caches) / "warpgrade" / "tidy"
    try:
        stamps.mkdir(parents=True, exist_ok=True)
    except OSError:
        stamps = build / "tidy"
        stamps.mkdir(exist_ok=True)

    digests = {}

    def digest(path):
        if path not in digests:
            try:
                content = pathlib.Path(path).read_bytes()
            except FileNotFoundError:  # a header that is gone since the build
                content = b""
            digests[path] = hashlib.sha256(content).hexdigest()
        return digests[path]

    headers = included(build, root)
    common = output(tool, "--version") + digest(root / ".clang-tidy")

    def stamp_of(file, command):
        text = common + command.replace(str(root), "").replace(str(build), "")
        for path in [file, *sorted(headers.get(file, ()))]:
            text += os.path.relpath(path, root) + digest(path)
        return stamps / hashlib.sha256(text.encode()).hexdigest()

    tasks = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
        name = os.path.relpath(file, root)
        ours = name.split("/")[0] in ("emulator", "harness", "grader") and name.endswith(".cpp")
        if ours and not LEFT_OUT.search(name):
            tasks.append((file, stamp_of(file, entry["command"])))
    tasks = list(dict(tasks).items())  # a file that several targets compile is looked at once
    def is_due(file):
        name = os.path.relpath(file, root)
        return name in in_turn.changed_lately() or in_turn.is_selected(name, 8)

    due = [(file, stamp) for file, stamp in tasks if is_due(file)]
    waiting = [(file, stamp) for file, stamp in due if not stamp.exists()]

    def check(task):
        file, stamp = task
        options = ["--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error"]
        run = subprocess.run([tool, "-p", str(build), *options, file], capture_output=True, text=True)
        if run.returncode == 0:
            stamp.touch()
            return True
        print(run.stdout, flush=True)
        return False

    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        passed = list(pool.map(check, waiting))
    print(f"{len(due)} of {len(tasks)} files, {len(due) - len(waiting)} of them passed before as they are")
    return 0 if all(passed) else 1


sys.exit(main())
