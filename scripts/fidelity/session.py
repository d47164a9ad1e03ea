"""The results so far, what is built, and how programs are started."""

import collections
import concurrent.futures
import contextlib
import datetime
import hashlib
import itertools
import json
import os
import pathlib
import subprocess
import threading
import time
import tomllib

import wrong_programs

ROOT = pathlib.Path(os.environ.get("WARPGRADE_ROOT") or
                    pathlib.Path(__file__).resolve().parent.parent.parent)
CARDS = {"H200": "h200", "H100": "h100", "A100": "a100", "A40": "a40", "T4": "t4", "L4": "l4",
         "4090": "rtx4090", "3060": "rtx3060"}


class Session:
    """The results so far, the folder for what is built, and how to start the programs."""

    def __init__(self, options):
        self.options = options
        self.path = options.out
        self.work = options.out.with_suffix(".work")
        self.work.mkdir(parents=True, exist_ok=True)
        self.state = {"schema": 1, "machine": {}, "sources": {}, "goldens": {}, "verdicts": {},
                      "counters": {}, "findings": {}}
        if self.path.exists():
            self.state.update(json.loads(self.path.read_text()))
        self.lock = threading.Lock()
        self.gpu = itertools.cycle(gpus())  # programs are dealt out to all of them
        self.making = threading.Lock()
        self.made = set()  # labs whose wrong programs are in the folder
        self.building = collections.defaultdict(threading.Lock)  # by program
        self.saved = time.monotonic()
        self.end = time.monotonic() + options.seconds
        self.left = 0
        self.problems = []

    def take_emulator_half(self, file, parts):
        """Takes the emulator's results from a file that a run with --side emulator wrote elsewhere,
        but for programs whose source was another one. How many programs it took."""
        other = json.loads(file.read_text())
        same = {program for program, source in other.get("sources", {}).items()
                if self.source_file(program).exists() and digest(self.source_file(program)) == source}
        if "goldens" in parts and "emulator" in other.get("goldens", {}):
            self.put("goldens", "emulator", other["goldens"]["emulator"])
        for part in {"verdicts", "counters"} & set(parts):
            for program in same & other.get(part, {}).keys():
                if "emulator" in other[part][program]:
                    self.put(part, program, "emulator", other[part][program]["emulator"])
        return len(same)

    def put(self, part, *keys_and_value):
        """put("verdicts", program, side, value); written to disk every few seconds."""
        *keys, last, value = keys_and_value
        with self.lock:
            place = self.state[part]
            for key in keys:
                place = place.setdefault(key, {})
            place[last] = value
            if time.monotonic() - self.saved > 3:
                self._write()

    def save(self):
        with self.lock:
            self._write()

    def _write(self):
        draft = self.path.with_suffix(".draft")
        draft.write_text(json.dumps(self.state, indent=0) + "\n")
        draft.replace(self.path)
        self.saved = time.monotonic()

    def each(self, jobs, workers):
        """Runs jobs side by side until time is up; a job that fails is a problem, not the end."""
        def one(name, job):
            if time.monotonic() > self.end:
                self.left += 1
                return
            try:
                job()
            except Exception as error:  # noqa: BLE001 - reported below, with the job's name
                self.problems.append(f"{name}: {error}")
                print(f"  problem: {name}: {error}", flush=True)
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for future in [pool.submit(one, *each) for each in jobs]:
                future.result()
        self.save()

    def run_file(self, program, side, limit, cases=None, tool=()):
        """What `warpgrade lab run` says of one program in these cases (None: in all)."""
        source = self.source_file(program)
        self.put("sources", program, digest(source))
        scratch = self.work / program.replace("/", ".")
        scratch.mkdir(parents=True, exist_ok=True)
        report = scratch / f"{threading.get_ident()}.json"
        report.unlink(missing_ok=True)
        command = [self.options.build / "bin" / "warpgrade", "lab", "run", program.split("/")[0],
                   source, "--device", side, "--card", self.card(), "--build",
                   scratch, "--json", report, "--limit", str(limit)]
        for case in cases or []:
            command += ["--case", case]
        if side == "cuda":
            # Workers get no variables of ours. With a cache the driver compiles a kernel once.
            home = self.work / "home"
            home.mkdir(exist_ok=True)
            command += ["--", "env", f"HOME={home}", f"CUDA_CACHE_PATH={home}/cache",
                        f"CUDA_VISIBLE_DEVICES={next(self.gpu)}", *tool]
        # Who comes first builds; the others wait for the program.
        is_built = (scratch / "program.cu").exists()
        with contextlib.nullcontext() if is_built else self.building[program]:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                                  errors="replace", check=False)
        if done.returncode not in (0, 1) or not report.exists():
            raise RuntimeError((done.stderr or done.stdout).strip()[-400:])
        result = json.loads(report.read_text())
        report.unlink()
        return result

    def runs_on_card(self, program):
        """A lab of several devices is graded on the emulator only."""
        lab = program.split("/")[0]
        settings = tomllib.loads((ROOT / "labs" / lab / "lab.toml").read_text(encoding="utf-8"))
        return settings.get("device", {}).get("count", 1) == 1

    def source_file(self, program):
        """The file of "gemm/stages/04_tiled", "gemm/solution/solution", "gemm/wrong/no_guard", ..."""
        lab, kind, name = program.split("/")
        if kind != "wrong":
            return ROOT / "reference" / lab / (kind if kind != "solution" else "") / f"{name}.cu"
        folder = self.work / "wrong" / lab
        with self.making:
            if lab not in self.made:
                wrong_programs.write(self.options.build / "bin" / "warpgrade", lab, folder)
                self.made.add(lab)
        return folder / f"{name}.cu"

    def card(self):
        """The card that the emulator is to be: the one that this machine's GPU suggests."""
        if self.options.card:
            return self.options.card
        name = self.state["machine"].get("gpu", "H200")
        return next((card for part, card in CARDS.items() if part in name), "h200")


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def output_of(*command):
    """What a tool of NVIDIA's prints; the libraries that our own programs need are not for it."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              check=False, timeout=120, env=environment).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def gpus():
    """As CUDA_VISIBLE_DEVICES names them: those that it names already, else all of this machine."""
    if os.environ.get("CUDA_VISIBLE_DEVICES"):
        return os.environ["CUDA_VISIBLE_DEVICES"].split(",")
    names = output_of("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines()
    return range(max(1, len(names)))


def describe_machine():
    query = output_of("nvidia-smi", "--query-gpu=name,driver_version,compute_cap",
                      "--format=csv,noheader").splitlines()
    if not query:
        return {}
    gpu, driver, capability = [word.strip() for word in query[0].split(",")]
    return {"gpu": gpu, "gpus": len(query), "driver": driver, "capability": capability,
            "cuda": output_of("nvcc", "--version").split("release ")[-1].split(",")[0],
            "ncu": output_of("ncu", "--version").split("Version ")[-1].split(" ")[0],
            "sanitizer": output_of("compute-sanitizer", "--version").split("Version ")[-1],
            "date": datetime.date.today().isoformat()}
