"""How a build compiles each source of the project, and what it includes.

In a unity build (cmake/Unity.cmake) the compiler sees translation units that include several sources. Each
of them is listed with the unit's command, so that tools can look at it alone."""

import collections
import dataclasses
import json
import os
import pathlib
import re
import subprocess

# Not looked at by clang-tidy: handlers (one body per opcode, compiled three times), tests, benches, the command
# lines and what writes reports, pages and exports. The time goes to the code whose mistakes would be silent.
WITHOUT_TIDY = re.compile(
    r"^emulator/(isa/handlers|host_bench|report|warpsim)/|_test\.cpp$|/tests/"
    r"|^grader/(author/(model_bench|new)|class/(export|page|similar|slurm)|run/gpu_profile|show/report"
    r"|testing)/|^grader/cli/[^/]+$")
INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Source:
    file: str  # absolute
    name: str  # from the project's root
    command: str
    directory: str
    unit: str  # the file that the compiler is given: this one, or one that includes it


def members(unit):
    """The sources that a unit of a unity build includes; of another file, itself."""
    if "/Unity/unity_" not in unit:
        return [unit]
    return INCLUDED.findall(pathlib.Path(unit).read_text(encoding="utf-8"))


def sources(build, root):
    """The project's own sources, each once."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        unit = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
        for file in members(unit):
            name = os.path.relpath(file, root)
            if name.split("/")[0] in ("emulator", "harness", "grader") and name.endswith(".cpp"):
                command = entry["command"].replace(entry["file"], file)
                found[file] = Source(file, name, command, entry["directory"], unit)
    return list(found.values())


def headers(build, root):
    """{unit: the project's files that it includes}, as the compiler noted them."""
    found = collections.defaultdict(set)
    listed = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], check=True, capture_output=True, text=True)
    block = []
    for line in [*listed.stdout.splitlines(), ""]:
        if line.startswith("    "):
            block.append(os.path.normpath(build / line.strip()))
        elif block:
            ours = [path for path in block if path.startswith(f"{root}/")]
            if ours:
                found[ours[0]].update(ours[1:])
            block = []
    return found
