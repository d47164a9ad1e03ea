#!/usr/bin/env python3
"""The checks of .clang-tidy hold. usage: tidy.py <build folder, built, with compile_commands.json>

Some are left out (compile_commands.py). Checked are the files of the newest 50 commits and of the working tree, and
of the others an eighth that the commit selects; WARPGRADE_LONG_TESTS=1 checks all. A file that passed is
not checked again, in any checkout, while it, the project's headers that it includes, the rules, its
command and clang-tidy are what they were. Exit code 77: cannot run here.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

import compile_commands
import in_turn


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


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

    headers = compile_commands.headers(build, root)
    common = output(tool, "--version") + digest(root / ".clang-tidy")

    def stamp_of(source):
        text = common + source.command.replace(str(root), "").replace(str(build), "")
        for path in [source.file, *sorted(headers.get(source.unit, ()))]:
            text += os.path.relpath(path, root) + digest(path)
        return stamps / hashlib.sha256(text.encode()).hexdigest()

    tasks = [source for source in compile_commands.sources(build, root)
             if not compile_commands.WITHOUT_TIDY.search(source.name)]
    alone = build / "tidy_commands"  # each source with a command of its own
    alone.mkdir(exist_ok=True)
    (alone / "compile_commands.json").write_text(json.dumps(
        [{"directory": task.directory, "file": task.file, "command": task.command} for task in tasks]))

    due = [(task.file, stamp_of(task)) for task in tasks if in_turn.is_due(task.name, 8)]
    waiting = [(file, stamp) for file, stamp in due if not stamp.exists()]

    def check(task):
        file, stamp = task
        options = ["--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error"]
        run = subprocess.run([tool, "-p", str(alone), *options, file], capture_output=True, text=True)
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
