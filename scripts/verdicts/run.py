"""Builds and runs one program of a list (docs/corpus.md): what became of it, as facts."""

import collections
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from .compare import LATE

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILE_SECONDS = 600
WALL_FACTOR = 4            # a run may take so many times its processor seconds by the clock: other work runs, too,
WALL_MORE = 5              # and so many seconds more
OUTPUT_BYTES = 64 << 20    # of standard output, and of each file that the program writes

# Soft and hard limits of processor seconds, the address space in KiB, files in KiB; then the command.
LIMITS = 'ulimit -S -t {seconds}; ulimit -H -t {more}; ulimit -v {memory} -f {output} -c 0; exec "$@"'

# Kinds of compile errors, by what nvcc, its host compiler, clang and the linker write.
ERROR_KINDS = [
    ("missing header", r"No such file or directory|cannot open source file|file not found"),
    ("undefined symbol", r"undefined reference|[Uu]nresolved extern|undefined symbol"),
    ("undefined name", r"is undefined|undeclared|not declared|has not been declared|unknown type name"
                       r"|no member named|has no member"),
    ("no matching function", r"no (?:matching function|instance of|suitable)|too (?:few|many) arguments"),
    ("syntax", r"expected "),
]
ERROR_LINE = re.compile(r"(?:^|\s)(?:(?P<file>[^\s:()]+)(?:\((?P<line>\d+)\)|:(?P<line_2>\d+)(?::\d+)?))?:?\s*"
                        r"(?:fatal |catastrophic )?error\b")


class Checkout:
    """A repository's folder below FOLDER: owner/name, or name."""

    def __init__(self, repository, folder):
        parts = repository.removesuffix(".git").rstrip("/").split("/")
        candidates = [folder] if repository == "." else [folder.joinpath(*parts[-2:]), folder / parts[-1]]
        self.folder = next((path for path in candidates if path.is_dir()), None)
        self.commit = self.read_commit() if self.folder else None

    def read_commit(self):
        """The commit that is checked out, or None where the folder is not the top of a git checkout."""
        try:
            done = subprocess.run(["git", "-C", self.folder, "rev-parse", "--show-toplevel", "HEAD"],
                                  capture_output=True, text=True, check=False)
        except OSError:
            return None
        lines = done.stdout.splitlines()
        if done.returncode != 0 or len(lines) != 2 or pathlib.Path(lines[0]).resolve() != self.folder.resolve():
            return None
        return lines[1]

    def files(self, names):
        """Their paths, or None where one is missing."""
        if self.folder is None:
            return None
        paths = [self.folder / name for name in names]
        return paths if all(path.is_file() for path in paths) else None


def clean_environment():
    """The environment without what changes a compiler's flags or the emulator's options."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("WARPSIM_") and name not in ("NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS")}
    return {**kept, "LC_ALL": "C.UTF-8"}


def digest(paths):
    """SHA-256 of the files' contents, one after the other."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def expand(values, checkout, sources):
    """Options with {repository} and {folder} (that of the first source) replaced."""
    names = {"{repository}": str(checkout.folder.resolve()), "{folder}": str(sources[0].resolve().parent)}
    for name, path in names.items():
        values = [value.replace(name, path) for value in values]
    return values


def compile_error(text):
    """The first error of a compiler's output: its kind, and `file:line` where it has one."""
    for line in text.splitlines():
        undefined = re.search(ERROR_KINDS[1][1], line)
        match = ERROR_LINE.search(line)
        if not match and not undefined:
            continue
        kind = next((kind for kind, pattern in ERROR_KINDS if re.search(pattern, line)), "other")
        number = match and (match["line"] or match["line_2"])
        return f"{kind}, {pathlib.Path(match['file']).name}:{number}" if number else kind
    return "other"


class Runner:
    """compiler: nvcc's path, or 'clang' for scripts/clang_cuda of this tree with the build's libcudart."""

    def __init__(self, build, nvcc):
        self.build, self.nvcc = build, nvcc

    def compile_command(self, program, sources, checkout, output):
        flags = expand(program.flags, checkout, sources)
        names = [str(path.resolve()) for path in sources]
        if self.nvcc:
            return [self.nvcc, "-cudart", "shared", "-lineinfo", "-Xcompiler=-g1", *flags, *names, "-o", str(output)]
        return [str(ROOT / "scripts" / "clang_cuda"), *flags, *names, "-o", str(output)]

    def verdict(self, program, checkout, sources):
        """(the verdict, processor seconds of the run or None)."""
        with tempfile.TemporaryDirectory(prefix="corpus-") as name:
            scratch = pathlib.Path(name)
            output = scratch / "program"
            environment = {**clean_environment(),
                           "WARPGRADE_CUDART": str(self.build / "lib/warpsim/libcudart.so.13")}
            try:
                done = subprocess.run(self.compile_command(program, sources, checkout, output), cwd=scratch,
                                      env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, errors="replace",
                                      timeout=COMPILE_SECONDS, check=False)
            except subprocess.TimeoutExpired:
                return {"built": False, "error": LATE}, None
            if done.returncode != 0:
                return {"built": False, "error": compile_error(done.stdout)}, None
            return self.run(program, checkout, sources, output, scratch)

    def run(self, program, checkout, sources, executable, scratch):
        work = scratch / "work"
        work.mkdir()
        report = scratch / "report.json"
        command = ["bash", "-c", LIMITS.format(seconds=program.seconds, more=program.seconds + 1,
                                               memory=program.memory_gib << 20, output=OUTPUT_BYTES >> 10), "limits",
                   str(self.build / "bin" / "warpsim"), "--check", "all", "--json", str(report), "--quiet",
                   "--error-exitcode", "0", "--", str(executable),
                   *expand(program.arguments, checkout, sources)]

        late = False
        with open(scratch / "stdout", "wb") as out:
            process = subprocess.Popen(command, cwd=work, env=clean_environment(), stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                _, status, usage = wait(process, WALL_FACTOR * program.seconds + WALL_MORE)
            except subprocess.TimeoutExpired:
                late = True
                os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = -signal.SIGKILL
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what the program started and left behind
        except ProcessLookupError:
            pass
        seconds = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        late = late or code in (-signal.SIGXCPU, 128 + signal.SIGXCPU)
        late = late or (seconds >= program.seconds and code in (-signal.SIGKILL, 128 + signal.SIGKILL))
        text = (scratch / "stdout").read_bytes()
        verdict = {"built": True, "exit": LATE if late else exit_name(code)}
        if (program.prints or program.never_prints) and not late:
            verdict["prints"] = prints(program, text.decode("utf-8", "replace"))
        if program.deterministic and not late:
            verdict["stdout_sha256"] = hashlib.sha256(text).hexdigest()
        verdict["findings"] = [] if late else findings_of(report)
        return verdict, seconds


def prints(program, text):
    """Whether each of `prints` matches a line, and none of `never_prints`, as in lab.toml."""
    lines = text.splitlines()

    def found(pattern):
        search = re.compile(pattern).search
        return any(search(line) for line in lines)

    return all(map(found, program.prints)) and not any(map(found, program.never_prints))


def wait(process, seconds):
    """wait4 with a limit by the clock. Throws TimeoutExpired."""
    end = time.monotonic() + seconds
    pause = 0.01
    while time.monotonic() < end:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return pid, status, usage
        time.sleep(pause)
        pause = min(0.2, pause * 1.5)
    raise subprocess.TimeoutExpired(process.args, seconds)


def exit_name(code):
    """The exit status, or the signal's name. A shell's 128 + signal counts as the signal."""
    number = -code if code < 0 else code - 128 if code > 128 else 0
    try:
        return signal.Signals(number).name if number else code
    except ValueError:
        return code


def findings_of(report):
    """Findings of a report, equal ones together, by place."""
    try:
        found = json.loads(report.read_text(encoding="utf-8"))["findings"]
    except (OSError, ValueError, KeyError):
        return []
    counts = collections.Counter()
    for finding in found:
        counts[(place(finding), finding["kind"], finding["severity"])] += 1
    return [{"kind": kind, "at": at, "severity": severity, "count": count}
            for (at, kind, severity), count in sorted(counts.items(), key=order)]


def order(item):
    (at, kind, severity), _ = item
    name, _, line = at.rpartition(":")
    return (name, int(line) if line.isdigit() else 0, kind, severity)


def place(finding):
    """`file:line`, or what stands for it: host code of a program without line tables has none."""
    return f"{pathlib.Path(finding['file']).name}:{finding['line']}" if finding["file"] else finding["kernel"] or "-"
