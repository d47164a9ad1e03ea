#!/usr/bin/env python3
"""Executes a notebook with a real kernel: notebook_test.py <folder of warpgrade and warpsim>.

Exit code 77, which CTest shows as skipped, where nbclient or a kernel of Python is missing."""

import os
import sys
from pathlib import Path

try:
    import nbformat
    from jupyter_client.kernelspec import KernelSpecManager
    from nbclient import NotebookClient
except ImportError:
    print("skipped: no python3-nbclient; scripts/setup installs it")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
RACE = """#include <cstdio>
__global__ void shift(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = values[63 - threadIdx.x];
}
int main(int argc, char** argv) {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  shift<<<1, 64>>>(out);
  std::printf("<b>%s</b>\\n", argc > 1 ? argv[1] : "");
  cudaFree(out);
}
"""
FAILURES = []


def check(condition, what, shown):
    if not condition:
        FAILURES.append(what)
        print(f"failed: {what}\n{shown}\n")


def main():
    if "python3" not in KernelSpecManager().find_kernel_specs():
        print("skipped: no python3-ipykernel; scripts/setup installs it")
        return 77
    programs = Path(sys.argv[1]).resolve()
    os.environ["PATH"] = f"{programs}:{ROOT / 'scripts'}:{os.environ['PATH']}"
    os.environ["PYTHONPATH"] = str(ROOT / "tools" / "notebook")
    os.environ["XDG_STATE_HOME"] = "/dev/null"
    right = (ROOT / "reference" / "vecadd" / "solution.cu").read_text()
    cells = [
        "%load_ext warpgrade_notebook",
        "%%cuda -- hello\n" + RACE,
        "%%cuda\nint main() { return x; }\n",
        "%%cuda --check none\n" + RACE,
        "%%warpgrade vecadd\n" + right,
        "%%warpgrade vecadd\n" + right.replace("rest < n; ++rest", "rest <= n; ++rest"),
        "%%warpgrade vecadd --page\n" + right,
        "%%warpgrade vecad\n" + right,
        "%%cuda --chekc none\n" + RACE,
        "%%cuda --pictures\n" + RACE,
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True).execute()

    def html(index):
        outputs = notebook.cells[index].outputs
        return "".join(str(o.get("data", {}).get("text/html", "")) + "\n".join(o.get("traceback", []))
                       + o.get("text", "") for o in outputs)

    check(html(0) == "", "the extension loads without output", html(0))
    check("&lt;b&gt;hello&lt;/b&gt;" in html(1), "a program's output is shown, and escaped", html(1))
    check("[race-shared" in html(1) and "values[63 - threadIdx.x]" in html(1), "a race has its line", html(1))
    check("It does not compile" in html(2) and "&quot;x&quot;" in html(2).replace("'", "&quot;"),
          "a program that does not compile shows the compiler's messages", html(2))
    check("The checks found nothing" in html(3), "checks can be turned off", html(3))
    check("vecadd: 100 of 100 points" in html(4), "a right lab has all points", html(4))
    check("in line" in html(5) and "rest &lt;= n" in html(5) and "100 of 100" not in html(5),
          "a wrong lab shows the line", html(5))
    check("<iframe srcdoc=" in html(6) and "&lt;title&gt;" in html(6), "the page is shown in a frame", html(6))
    check("did you mean" in html(7), "an unknown lab has a suggestion", html(7))
    check("is not an option here" in html(8), "an unknown option is an error", html(8))
    check("recording-data" not in html(1) and "[race-shared" in html(9) and "recording-data" in html(9),
          "a program's pictures are shown where they were asked for", html(9)[:2000])
    check("recorded_case" in html(6), "the page of a lab has pictures", html(6)[:2000])
    print(f"{len(FAILURES)} failures")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
