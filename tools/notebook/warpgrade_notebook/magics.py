import json
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import HTML, display

from . import pages

LIMIT_SECONDS = 300


def program(name):
    """The path of a program of warpgrade: below WARPGRADE_HOME, else in PATH."""
    home = os.environ.get("WARPGRADE_HOME")
    candidate = Path(home, "bin", name) if home else None
    found = str(candidate) if candidate and candidate.exists() else shutil.which(name)
    if not found:
        raise UsageError(f"{name} was not found: add its folder to PATH, or set WARPGRADE_HOME to the folder that "
                         f"has bin/{name}")
    return found


def nvcc():
    """The path of nvcc; None where there is none."""
    for candidate in (shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if candidate and Path(candidate).exists():
            return candidate
    return None


def compile_command(source, target, debug):
    if nvcc():
        return [nvcc(), "-G" if debug else "-lineinfo", "-cudart", "shared", "-o", target, source]
    return [program("clang_cuda"), "-o", target, source]


def run(command, folder):
    """@returns the process's result; one that takes too long ends with a message."""
    try:
        return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired as expired:
        raise UsageError(f"{Path(command[0]).name} was ended after {LIMIT_SECONDS} seconds") from expired


def options(line, known, flags=()):
    """Splits "--check races -- a b" into ({"check": "races"}, words before, ["a", "b"])."""
    words = shlex.split(line)
    rest = words[words.index("--") + 1:] if "--" in words else []
    words = words[:words.index("--")] if "--" in words else words
    chosen, others = {}, []
    while words:
        word = words.pop(0)
        name = word[2:] if word.startswith("--") else None
        if name in flags:
            chosen[name] = True
        elif name in known and words:
            chosen[name] = words.pop(0)
        elif name is None:
            others.append(word)
        else:
            raise UsageError(f"'{word}' is not an option here; there are "
                             + ", ".join("--" + option for option in (*known, *flags)))
    return chosen, others, rest


@magics_class
class WarpgradeMagics(Magics):
    @cell_magic
    def cuda(self, line, cell):
        """%%cuda [--check LIST] [--card NAME] [--seed N] [--debug] [--pictures] [-- arguments]"""
        chosen, others, arguments = options(line, ("check", "card", "seed"), ("debug", "pictures"))
        if others:
            raise UsageError(f"'{others[0]}' was not expected; arguments of the program come after --")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "cell.cu").write_text(cell)
            built = run(compile_command("cell.cu", "cell", chosen.pop("debug", False)), folder)
            if built.returncode != 0:
                display(HTML(pages.failed_build(built.stdout + built.stderr)))
                return
            command = [program("warpsim"), "--json", "report.json", "--quiet"]
            if chosen.pop("pictures", False):
                command += ["--record", "pictures.html"]
            for name, value in chosen.items():
                command += ["--" + name, value]
            ran = run([*command, "--", "./cell", *arguments], folder)
            report = Path(folder, "report.json")
            findings = json.loads(report.read_text())["findings"] if report.exists() else []
            display(HTML(pages.program_run(cell, ran, findings)))
            pictures = Path(folder, "pictures.html")
            if pictures.exists():
                display(HTML(pages.framed(pictures.read_text(), "")))

    @cell_magic
    def warpgrade(self, line, cell):
        """%%warpgrade <lab> [--compiler nvcc|clang] [--page]"""
        chosen, labs, _ = options(line, ("compiler",), ("page",))
        if len(labs) != 1:
            raise UsageError("which lab? %%warpgrade vecadd; `!warpgrade labs` lists them")
        lab = labs[0]
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, f"{lab}.cu").write_text(cell)
            command = [program("warpgrade"), "check", lab, f"{lab}.cu", "--format", "json", "--html", "page.html"]
            if chosen.get("page"):
                command.append("--pictures")
            if "compiler" in chosen:
                command += ["--compiler", chosen["compiler"]]
            done = run(command, folder)
            if done.returncode not in (0, 1):
                raise UsageError(done.stderr.strip() or f"warpgrade ended with exit code {done.returncode}")
            if chosen.get("page"):
                display(HTML(pages.framed(Path(folder, "page.html").read_text(), done.stderr)))
            else:
                display(HTML(pages.checked(cell, json.loads(done.stdout), done.stderr)))
