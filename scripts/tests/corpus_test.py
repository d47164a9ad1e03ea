"""Tests of scripts/corpus: as a user runs it, and what it makes of verdicts and compilers' messages.

usage: corpus_test.py BUILD [unittest's arguments]"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

from verdicts import compare, listing
from verdicts.run import compile_error, exit_name

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "emulator" / "tests" / "corpus" / "own.toml"
PUBLIC = ROOT / "emulator" / "tests" / "corpus" / "public.toml"
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
HAS_NVCC = bool(shutil.which("nvcc")) or os.access(
    os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin/nvcc"), os.X_OK)
COMPILER = "nvcc" if HAS_NVCC else "clang"

CLEAN = """#include <cstdio>
__global__ void set(int* p) { p[threadIdx.x] = threadIdx.x; }
int main() {
  int *p, last = 0;
  cudaMalloc(&p, 32 * sizeof(int));
  set<<<1, 32>>>(p);
  cudaMemcpy(&last, p + 31, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("last: %d\\n", last);
}
"""
LEAKS = CLEAN.replace("  cudaFree(p);\n", "")
SPINS = "int main() { for (volatile int i = 0;; i = i + 1) {} }\n"
SLEEPS = "#include <unistd.h>\nint main() { for (;;) pause(); }\n"
CRASHES = "#include <cstdlib>\nint main() { std::abort(); }\n"
WRONG = "int main() {\n  return not_there;\n}\n"


def corpus(list_file, folder, *options):
    return subprocess.run([ROOT / "scripts" / "corpus", list_file, "--from", folder, "--build", BUILD,
                           "--compiler", COMPILER, *options], capture_output=True, text=True, check=False)


def table(output):
    """The closing table as {column: count}."""
    rows = [line for line in output.splitlines() if line.startswith("| ")]
    columns, counts = ([cell.strip() for cell in row.strip("|").split("|")] for row in (rows[0], rows[2]))
    return {column: int(count) for column, count in zip(columns, counts)}


def program(name, **keys):
    """One [[program]] of a repository `made`."""
    lines = ["[[program]]", f'name = "{name}"', 'repository = "someone/made"', f'sources = ["{name}.cu"]']
    return "\n".join(lines + [f"{key} = {value}" for key, value in keys.items()]) + "\n"


class InFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.made = self.folder / "someone" / "made"
        self.made.mkdir(parents=True)
        self.list = self.folder / "list.toml"

    def put(self, name, text):
        (self.made / f"{name}.cu").write_text(text, encoding="utf-8")

    def run_list(self, text, *options):
        self.list.write_text(text, encoding="utf-8")
        return corpus(self.list, self.folder, *options)

    def verdict(self, name):
        programs = {program.name: program for program in listing.read(self.list)}
        return programs[name].stored(COMPILER)


class OwnList(InFolder):
    def test_the_project_s_programs_have_the_verdicts_of_the_list(self):
        done = corpus(OWN, ROOT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(table(done.stdout), {"same": 4, "better": 0, "worse": 0, "other version": 0,
                                              "no verdict": 0, "not fetched": 0, "not built": 0})

    def test_a_verdict_that_differs_is_one_line_and_exit_status_1(self):
        text = OWN.read_text(encoding="utf-8")
        self.list.write_text(text.replace("tiled_gemm.cu:22", "tiled_gemm.cu:23"), encoding="utf-8")
        done = corpus(self.list, ROOT, "--only", "gemm/row_too_many", "--only", "gemm")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        found = [line for line in done.stdout.splitlines() if line.startswith("gemm")]
        self.assertEqual(len(found), 2, done.stdout)
        self.assertIn("finding oob-global-read at tiled_gemm.cu:22 (error) was not there, is there: read the code",
                      found[0])
        self.assertIn("at tiled_gemm.cu:23 (error) was there, is not there", found[1])
        self.assertEqual(table(done.stdout)["worse"], 1)
        self.assertEqual(table(done.stdout)["same"], 1)

    def test_storing_verdicts_that_are_stored_changes_nothing(self):
        text = OWN.read_text(encoding="utf-8")
        self.list.write_text(text, encoding="utf-8")
        done = corpus(self.list, ROOT, "--write", "--only", "gemm")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.list.read_text(encoding="utf-8"), text)


class Programs(InFolder):
    def test_what_was_not_fetched_is_listed_and_not_counted_as_passed(self):
        self.put("clean", CLEAN)
        text = program("clean") + "\n" + program("missing") + "\n" + program("clean").replace(
            '"clean"', '"no_header"') + 'headers = ["not_there.h"]\n'
        self.assertEqual(self.run_list(text, "--write").returncode, 0)
        done = corpus(self.list, self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("not fetched, and not compared: missing, no_header", done.stdout)
        self.assertEqual(table(done.stdout)["same"], 1)
        self.assertEqual(table(done.stdout)["not fetched"], 2)
        self.assertEqual(corpus(self.list, self.folder, "--only", "missing").returncode, 3)

    def test_a_program_without_a_verdict_is_not_the_same(self):
        self.put("clean", CLEAN)
        done = self.run_list(program("clean"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("clean: has no verdict for", done.stdout)

    def test_programs_that_hang_crash_or_do_not_compile_have_verdicts(self):
        for name, text in (("spins", SPINS), ("sleeps", SLEEPS), ("crashes", CRASHES), ("wrong", WRONG)):
            self.put(name, text)
        text = "\n".join(program(name, seconds=1) for name in ("spins", "sleeps", "crashes", "wrong"))
        done = self.run_list(text, "--write", "--jobs", "2")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(table(done.stdout)["not built"], 1)
        self.assertEqual(self.verdict("spins")["exit"], "out of time")
        self.assertEqual(self.verdict("sleeps")["exit"], "out of time")
        self.assertEqual(self.verdict("crashes")["exit"], "SIGABRT")
        self.assertEqual(self.verdict("wrong"), {"built": False, "error": "undefined name, wrong.cu:2"})
        # It ends now, and another one does not build.
        self.put("sleeps", CLEAN)
        self.put("crashes", WRONG)
        done = corpus(self.list, self.folder, "--only", "sleeps", "--only", "crashes")
        self.assertEqual(done.returncode, 1)
        self.assertIn("sleeps: better: exit status was out of time, is 0", done.stdout)
        self.assertIn("crashes: worse: built was yes, is no (undefined name, crashes.cu:2)", done.stdout)
        self.assertEqual(table(done.stdout)["better"], 1)
        self.assertEqual(table(done.stdout)["worse"], 1)

    def test_writing_keeps_comments_order_and_reasons(self):
        self.put("leaks", LEAKS)
        self.put("clean", CLEAN)
        text = ("# About the list.\n\n" + program("leaks", prints='["^last: 31$"]', never_prints='["^last: 0$"]') +
                "\n# About the next one.\n" + program("clean", deterministic="true"))
        self.assertEqual(self.run_list(text, "--write").returncode, 0)
        first = self.list.read_text(encoding="utf-8")
        self.assertEqual([finding["kind"] for finding in self.verdict("leaks")["findings"]], ["leak"])
        self.assertTrue(self.verdict("leaks")["prints"])
        self.assertIn("stdout_sha256", self.verdict("clean"))
        self.assertEqual([line for line in first.splitlines() if line.startswith(("#", "name"))],
                         ["# About the list.", 'name = "leaks"', "# About the next one.", 'name = "clean"'])
        # A person adds a reason; then the program's exit status changes.
        self.list.write_text(first.replace("count = 1 }", 'count = 1, why = "p is not freed" }'), encoding="utf-8")
        self.put("leaks", LEAKS.replace('last);\n}', 'last);\n  return 7;\n}'))
        done = corpus(self.list, self.folder, "--write")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("leaks: worse: exit status was 0, is 7", done.stdout)
        self.assertEqual(self.verdict("leaks")["exit"], 7)
        self.assertEqual(self.verdict("leaks")["findings"][0]["why"], "p is not freed")
        self.assertEqual(self.list.read_text(encoding="utf-8"),
                         first.replace("count = 1 }", 'count = 1, why = "p is not freed" }').replace(
                             "exit = 0\nprints", "exit = 7\nprints"))

    def test_another_version_is_not_compared(self):
        self.put("clean", CLEAN)
        git = ["git", "-C", self.made, "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", "init", "-q", self.made], check=True)
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "one"], check=True)
        head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        self.assertEqual(self.run_list(program("clean", commit=f'"{head}"'), "--write").returncode, 0)
        self.assertEqual(corpus(self.list, self.folder).returncode, 0)
        stored = self.list.read_text(encoding="utf-8")
        done = self.run_list(stored.replace(head, "0" * 40))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(done.stdout.splitlines()[0],
                         f"clean: the checkout is at {head}, the list has {'0' * 40}: check that out")
        self.assertEqual(table(done.stdout)["other version"], 1)
        # The same sources at another commit are the same version; other sources are not, at any commit.
        digest = subprocess.run(["sha256sum", self.made / "clean.cu"], check=True, capture_output=True,
                                text=True).stdout.split()[0]
        known = stored.replace(f'commit = "{head}"', f'commit = "{"0" * 40}"\nsha256 = "{digest}"')
        self.assertEqual(self.run_list(known).returncode, 0)
        self.put("clean", CLEAN + "\n")
        done = self.run_list(known)
        self.assertEqual(done.returncode, 1)
        self.assertIn("clean: its sources differ from the list's (SHA-256)", done.stdout)
        # A folder that is not a git checkout gets a note.
        shutil.rmtree(self.made / ".git")
        self.put("clean", CLEAN)
        done = self.run_list(known)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("made is not a git checkout; its sources are compared by SHA-256", done.stdout)


class BrokenLists(InFolder):
    def expect(self, text, message):
        done = self.run_list(text)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr, f"error: {self.list}:{message}\n")

    def test_each_is_one_error_with_file_and_line(self):
        self.expect("", "1: the list has no [[program]]")
        self.expect("title = 1\n", "1: unknown key 'title'")
        self.expect("[[program]]\nname = \n", "2:8: Invalid value")
        self.expect(program("a", arg="[]"), "5: unknown key 'arg' in a program")
        self.expect(program("a", seconds='"1"'), "5: 'seconds' in a program has to be a number")
        self.expect(program("a", seconds="true"), "5: 'seconds' in a program has to be a number")
        self.expect(program("a", seconds="0"), "5: 'seconds' has to be at least 1")
        self.expect(program("a", commit='"main"'), "5: 'commit' has to be hexadecimal, as `[0-9a-f]{40}`")
        self.expect(program("a", prints='["("]'), "5: '(' is not a regular expression: missing ), unterminated "
                    "subpattern at position 0")
        self.expect(program("a") + program("a"), "5: the name 'a' is that of line 1")
        self.expect('[[program]]\nname = "a"\nsources = ["a.cu"]\n', "1: a program needs 'repository'")
        self.expect(program("a") + "[program.verdict.gcc]\nbuilt = true\n",
                    "1: a verdict is [program.verdict.nvcc] or [program.verdict.clang], not 'gcc'")
        self.expect(program("a") + '[program.verdict.nvcc]\nbuilt = true\nfindings = [{ kind = "leak" }]\n',
                    "7: a finding needs 'kind', 'at', 'severity' and 'count'")

    def test_a_program_that_the_list_does_not_have_is_wrong_usage(self):
        done = self.run_list(program("a"), "--only", "b")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, f"error: {self.list} has no program 'b'\n")


class Parts(unittest.TestCase):
    def test_the_first_compile_error_has_a_kind_and_a_place(self):
        self.assertEqual(compile_error("a.cu(3): warning #1: unused\na.cu(7): error: identifier \"x\" is undefined\n"),
                         "undefined name, a.cu:7")
        self.assertEqual(compile_error("/tmp/a.cu:2:10: fatal error: 'b.h' file not found\n"),
                         "missing header, a.cu:2")
        self.assertEqual(compile_error("a.cu:1:10: fatal error: b.h: No such file or directory\n"),
                         "missing header, a.cu:1")
        self.assertEqual(compile_error("a.cu(4): error: too few arguments in function call\n"),
                         "no matching function, a.cu:4")
        self.assertEqual(compile_error("a.cu(9): error: expected a \";\"\n"), "syntax, a.cu:9")
        self.assertEqual(compile_error("/usr/bin/ld: a.o: undefined reference to `f()'\n"), "undefined symbol")
        self.assertEqual(compile_error("nvcc fatal : Unknown option '-x'\n"), "other")

    def test_a_signal_is_named(self):
        self.assertEqual([exit_name(code) for code in (0, 3, -11, 134, 255)], [0, 3, "SIGSEGV", "SIGABRT", 255])

    def test_a_difference_is_better_or_worse(self):
        finding = {"kind": "leak", "at": "a.cu:3", "severity": "error", "count": 1}
        good = {"built": True, "exit": 0, "prints": True, "stdout_sha256": "a", "findings": []}

        def ways(was, now):
            return [difference.way for difference in compare.verdicts({**good, **was}, {**good, **now})]

        self.assertEqual(ways({}, {}), [])
        self.assertEqual(ways({"exit": 1}, {}), ["better"])
        self.assertEqual(ways({}, {"exit": "SIGSEGV"}), ["worse"])
        self.assertEqual(ways({"exit": 1}, {"exit": 2}), ["worse"])
        self.assertEqual(ways({"prints": False, "stdout_sha256": "b"}, {}), ["better"])
        self.assertEqual(ways({"stdout_sha256": "b"}, {}), ["worse"])
        self.assertEqual(ways({}, {"findings": [finding]}), ["worse"])
        self.assertEqual(ways({"findings": [finding]}, {}), ["worse"])
        self.assertEqual(ways({"findings": [finding]}, {"findings": [{**finding, "count": 2}]}), ["worse"])
        self.assertEqual(ways({"findings": [{**finding, "why": "true: never freed"}]}, {"findings": [finding]}), [])
        self.assertEqual(ways({"findings": [{**finding, "why": "false: freed by the caller"}]}, {}), ["better"])
        self.assertEqual(ways({"exit": 1}, {"findings": [finding]}), ["worse", "better"])
        # A run that is cut has no findings.
        self.assertEqual(ways({"exit": "out of time"}, {"findings": [finding]}), ["better"])
        self.assertEqual(ways({"findings": [finding]}, {"exit": "out of time", "findings": []}), ["worse"])

    def test_every_finding_of_the_lists_has_a_reason_and_every_program_a_verdict(self):
        for path in (OWN, PUBLIC):
            for entry in listing.read(path):
                for compiler, verdict in entry.verdict.items():
                    for finding in verdict.get("findings", []):
                        self.assertTrue(finding.get("why"), f"{path.name}, {entry.name}, {compiler}: {finding}")
                self.assertIn("nvcc", entry.verdict, f"{path.name}: {entry.name}")

    def test_the_public_list_says_which_version(self):
        table_of = tomllib.loads(PUBLIC.read_text(encoding="utf-8"))
        for entry in table_of["program"]:
            self.assertTrue(entry.get("commit") and entry.get("sha256"), entry["name"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
