"""The figures of the handouts, from lab.toml, datasets and ladder.json: plan, points, cases, checks, ladder."""

import json
import re
import tomllib
from math import ceil, log2

from blocks import has, put, table

GLOBAL_STORE = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"
GLOBAL_LOAD = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
SHARED_LOAD = "smsp__inst_executed_op_shared_ld.sum"
SHARED_STORE = "smsp__inst_executed_op_shared_st.sum"
LDMATRIX = "smsp__inst_executed_op_ldsm.sum"
STMATRIX = "matrix_stores"
DIVERGENT = "smsp__sass_branch_targets_threads_divergent.sum"
THREADS = "smsp__thread_inst_executed.sum"
SHARED_ATOMIC = "smsp__inst_executed_op_shared_atom.sum"
ASYNC_COPIES = "smsp__inst_executed_op_ldgsts.sum"
LOAD_CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
STORE_CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"
L2_READ = "lts__t_sectors_op_read.sum"
ATOMIC_WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"


class Stage:
    """One stage of a ladder: its counters, summed over kernels, and the dims of the performance case."""

    def __init__(self, name, entry, dims):
        self.name, self.d, self.ms = name, dims, entry["modelled_ms"]
        self.launches = sum(k["launches"] for k in entry["kernels"])
        self.counters = dict(entry["counters"])
        for kernel in entry["kernels"]:
            for counter, value in kernel["counters"].items():
                if counter not in entry["counters"]:
                    self.counters[counter] = self.counters.get(counter, 0) + value

    def __getitem__(self, counter):
        return self.counters.get(counter, 0)


def _outputs(s):
    return s.d["height"] * s.d["width"]


def _products(s):
    return s.d["m"] * s.d["n"] * s.d["k"]


def _matrix_products(s):
    """Of 16 x 16 and 16 x 8 elements."""
    return _products(s) / (16 * 8 * 16)


def _attention_products(s):
    """Of 16 x 16 and 16 x 8 elements, in both products of attention."""
    return 2 * s.d["heads"] * s.d["n"] ** 2 * s.d["depth"] / (16 * 8 * 16)


LAUNCHES = ("launches", lambda s: s.launches)
# What a lab's table shows besides the time.
COLUMNS = {
    "devices": [LAUNCHES],
    "paths": [("divergent branches per 32 samples", lambda s: 8 * s[DIVERGENT] / s.d["pixels"]),
              ("active lanes per instruction", lambda s: s[THREADS] / s["warp_instructions"]),
              ("sectors loaded per pixel", lambda s: s[GLOBAL_LOAD] / s.d["pixels"])],
    "vecadd": [LAUNCHES, ("warp instructions per 32 elements", lambda s: 32 * s["warp_instructions"] / s.d["n"])],
    "network": [LAUNCHES, ("floats loaded, millions", lambda s: 8 * s[GLOBAL_LOAD] / 1e6),
                ("floats stored, millions", lambda s: 8 * s[GLOBAL_STORE] / 1e6),
                ("warp instructions, millions", lambda s: s["warp_instructions"] / 1e6)],
    "forward": [LAUNCHES, ("copies", lambda s: s["copies_to_device"] + s["copies_to_host"]),
                ("floats loaded, millions", lambda s: 8 * s[GLOBAL_LOAD] / 1e6),
                ("warp instructions, millions", lambda s: s["warp_instructions"] / 1e6)],
    "attention": [LAUNCHES, ("floats loaded, millions", lambda s: 8 * s[GLOBAL_LOAD] / 1e6),
                  ("shared loads per multiply-add",
                   lambda s: 32 * s[SHARED_LOAD] / (2 * s.d["heads"] * s.d["n"] ** 2 * s.d["depth"]))],
    "gemm": [("floats loaded, millions", lambda s: 8 * s[GLOBAL_LOAD] / 1e6),
             ("shared loads per multiply-add", lambda s: 32 * s[SHARED_LOAD] / _products(s))],
    "convolution": [("floats fetched per output", lambda s: 8 * s[GLOBAL_LOAD] / _outputs(s)),
                    ("shared loads per output", lambda s: 32 * s[SHARED_LOAD] / _outputs(s))],
    "histogram": [("sectors per 32 values", lambda s: 32 * s[GLOBAL_LOAD] / s.d["n"]),
                  ("global atomics, thousands", lambda s: s["global_atomic_threads"] / 1e3),
                  ("wavefronts per shared atomic", lambda s: s[ATOMIC_WAVEFRONTS] / (s[SHARED_ATOMIC] or 1))],
    "reduction": [LAUNCHES, ("barriers per 32 values", lambda s: 32 * s["barriers"] / s.d["n"]),
                  ("warp instructions per 32 values", lambda s: 32 * s["warp_instructions"] / s.d["n"])],
    "scan": [LAUNCHES, ("reads per element", lambda s: 8 * s["dram_read_sectors"] / s.d["n"]),
             ("writes per element", lambda s: 8 * s["dram_write_sectors"] / s.d["n"]),
             ("additions per element", lambda s: s["flops_f32"] / s.d["n"]),
             ("barriers per 32 elements", lambda s: 32 * s["barriers"] / s.d["n"])],
}
COLUMNS["streams"] = [LAUNCHES, ("copies to the device", lambda s: s["copies_to_device"]),
                      ("of the time two engines work, %", lambda s: s["overlap_us"] / s.ms / 10)]
COLUMNS["pipeline"] = [("barriers per 32 values", lambda s: 32 * s["barriers"] / (s.d["rows"] * s.d["columns"])),
                       ("asynchronous copies per 128 values",
                        lambda s: 128 * s[ASYNC_COPIES] / (s.d["rows"] * s.d["columns"])),
                       ("warp instructions, thousands", lambda s: s["warp_instructions"] / 1e3)]
COLUMNS["tensor"] = [("shared loads per mma.sync", lambda s: (s[SHARED_LOAD] + s[LDMATRIX]) / _matrix_products(s)),
                     ("bank conflicts per mma.sync",
                      lambda s: (s[LOAD_CONFLICTS] + s[STORE_CONFLICTS]) / _matrix_products(s)),
                     ("bytes from the L2 per factor",
                      lambda s: 32 * s[L2_READ] / (s.d["k"] * (s.d["m"] + s.d["n"]))),
                     ("barriers per warp", lambda s: s["barriers"] / s["warps"]),
                     ("warp instructions, thousands", lambda s: s["warp_instructions"] / 1e3)]
COLUMNS["attention_half"] = [LAUNCHES,
                             ("shared accesses per mma.sync",
                              lambda s: sum(s[counter] for counter in (SHARED_LOAD, SHARED_STORE, LDMATRIX, STMATRIX)) /
                              _attention_products(s)),
                             ("bank conflicts per mma.sync",
                              lambda s: (s[LOAD_CONFLICTS] + s[STORE_CONFLICTS]) / _attention_products(s)),
                             ("sectors from the L2, thousands", lambda s: s[L2_READ] / 1e3),
                             ("warp instructions, thousands", lambda s: s["warp_instructions"] / 1e3)]
PLAIN = [LAUNCHES, ("warp instructions, thousands", lambda s: s["warp_instructions"] / 1e3)]


def number(value):
    if value == 0:
        return "-"
    if value >= 1000:
        return f"{round(value):,}".replace(",", " ")
    digits = 0 if value >= 100 or value == int(value) else 1 if value >= 10 else 2
    return f"{value:.{digits}f}"


def plural(n, word):
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


class Lab:
    def __init__(self, root, name, python=False):
        self.root, self.id, self.python = root, name, python
        self.toml = tomllib.loads((root / "labs" / name / "lab.toml").read_text())
        self.reference = root / "reference" / name
        if python:  # labs/<id>/python/lab.toml has what differs
            self.toml |= tomllib.loads((root / "labs" / name / "python" / "lab.toml").read_text())
            self.reference /= "python"
        sets = root / "datasets" / f"{name}.toml"  # none in a lab of questions
        self.data = {d["name"]: d for d in tomllib.loads(sets.read_text())["dataset"]} if sets.exists() else {}
        self.cases = self.toml.get("case", [])

    def dataset(self, case_name):
        return self.data[next(c for c in self.cases if c["name"] == case_name)["dataset"]]

    def dims(self, case_name):
        return self.dataset(case_name)["dims"]

    def numbers(self, case_name):
        """The dims of a case, and its settings that are numbers: what formulas may name."""
        settings = self.dataset(case_name).get("settings", {})
        return {**self.dims(case_name), **{k: v for k, v in settings.items() if isinstance(v, int)}}

    def title_of(self, other):
        return tomllib.loads((self.root / "labs" / other / "lab.toml").read_text())["title"]


def plan(lab):
    parts = []
    if "week" in lab.toml:
        parts.append(f"Week {lab.toml['week']} of the course.")
    if "hours" in lab.toml:
        parts.append(f"Plan {lab.toml['hours']:g} hour{'s' if lab.toml['hours'] != 1 else ''}.")
    after = [f"\"{lab.title_of(other)}\" (`{other}`)" for other in lab.toml.get("after", [])]
    listed = " and ".join(filter(None, [", ".join(after[:-1]), *after[-1:]]))
    parts.append(f"Do {listed} first." if after else "No lab comes before it.")
    return " ".join(parts)


def points(lab):
    rubric, hidden = lab.toml["rubric"], sum(1 for c in lab.cases if not c.get("visible", True))
    shown = len(lab.cases) - hidden
    tiers = lab.toml.get("performance", {}).get("tier", [])
    tier_words = ", ".join(f"{t['points']:g}{' points' if i == 0 else ''} up to {t['ratio']:g}{' times' if i == 0 else ''}"
                           for i, t in enumerate(tiers))
    call = lab.toml.get("performance", {}).get("time") == "timeline"
    time = "modelled time of the call with its copies" if call else "modelled time"
    if lab.toml.get("device", {}).get("count", 1) == 1 and not lab.python:  # others run on the emulator only
        time += ", or measured time on a GPU"
    texts = {
        "build": "it is read as Python, and defines the function" if lab.python else "it compiles and links",
        "correctness": f"{plural(len(lab.cases), 'case')}, each with its own points; {shown} are shown to you, the other "
                       f"{hidden} use other sizes and values of the same kinds",
        "safety": "no access outside a buffer, no race, no divergent barrier, no read of uninitialized memory, no leak, no "
                  "unchecked failure",
        "concept": f"the {plural(len(lab.toml.get('concept', [])), 'check')} below",
        "questions": f"the {plural(len(lab.toml.get('question', [])), 'question')} below",
        "performance": time + ", as a ratio to the reference: " + tier_words,
    }
    return table(["part", "points", "for"],
                 [[name.capitalize(), f"{rubric[name]:g}", text] for name, text in texts.items() if rubric.get(name)])


def _shape(dims):
    return ", ".join(f"{name} = {value}" for name, value in dims.items())


def cases(lab):
    rows = []
    hidden = [c for c in lab.cases if not c.get("visible", True)]
    for case in lab.cases:
        if case.get("visible", True):
            rows.append([case["name"], f"{case['points']:g}", _shape(lab.data[case["dataset"]]["dims"])])
    if hidden:
        rows.append([f"{plural(len(hidden), 'hidden case')}", f"{sum(c['points'] for c in hidden):g}", ""])
    return table(["case", "points", "size"], rows)


def evaluate(formula, dims):
    """The value of a formula over dims, or nothing if it also names counters."""
    if isinstance(formula, (int, float)):
        return formula
    names = {"ceil_div": lambda a, b: -(-a // b), "ceil": ceil, "log2": log2, "max": max, "min": min, **dims}
    try:
        return eval(formula, {"__builtins__": {}}, names)  # our own files
    except NameError:
        return None


def _one_line(formula):
    return re.sub(r"\s+", " ", str(formula)).strip()


def _accepted(check, value):
    """What a check accepts: numbers where its formula is one, and what they are times the formula."""
    least, most = check.get("at_least"), check.get("at_most")
    if value is None:
        bounds = [f"{word} {factor:g}" for word, factor in (("at least", least), ("at most", most)) if factor]
        return " and ".join(bounds) + " times that"
    if least and most:
        words, factors = f"{number(least * value)} to {number(most * value)}", f"{least:g} to {most:g}"
    else:
        words = f"at least {number(least * value)}" if least else f"at most {number(most * value)}"
        factors = f"{least or most:g}"
    return words if float(value) in (1, 100) or factors == "1" else f"{words} ({factors} times)"


def checks(lab):
    rows = []
    for check in lab.toml.get("concept", []):
        value = evaluate(check["expected"], lab.numbers(check["case"]))
        formula = f"`{_one_line(check['expected'])}`"
        is_number = isinstance(check["expected"], (int, float)) or re.fullmatch(r"[\d.]+", str(check["expected"]))
        of = f"{number(value)}" if is_number else formula if value is None else f"{formula} = {number(value)}"
        rows.append([check["title"], f"{check['points']:g}", check["unit"], of, _accepted(check, value)])
    names = sorted({c["case"] for c in lab.toml.get("concept", [])})
    where = " and ".join(f"\"{n}\" ({_shape(lab.dims(n))})" for n in names)
    return (f"Counted by the emulator in the case {where}:\n\n" +
            table(["check", "points", "counted", "compared with", "accepted"], rows))


SAME_TIME = 1.05  # as in reports: kSameTime, grader/record/grade/grade.h


def detours(times):
    """A paragraph on the rungs whose next one is slower, with the one after it that is faster; empty if there are none."""
    parts = []
    for i in range(len(times) - 1):
        if times[i + 1] <= times[i] * SAME_TIME:
            continue
        faster = next((j for j in range(i + 2, len(times)) if times[j] * SAME_TIME <= times[i]), None)
        parts.append(f"rung {i + 2} is slower than rung {i + 1}, and " +
                     (f"rung {faster + 1} is the next faster one" if faster else "no higher rung is faster in this case"))
    if not parts:
        return ""
    text = "; ".join(parts)
    return f"\n\nNot every rung is faster than the one before: {text}."


def ladder(lab):
    document = json.loads((lab.reference / "ladder.json").read_text())
    columns = COLUMNS.get(lab.id, PLAIN)
    stages = [Stage(rung["stage"], document["stages"][rung["stage"]], document["shape"]) for rung in lab.toml["rung"]]
    rows = [[i + 1, rung["title"], *(number(f(stage)) for _, f in columns), number(1000 * stage.ms)]
            for i, (rung, stage) in enumerate(zip(lab.toml["rung"], stages))]
    case = next(c for c in lab.cases if c["name"] == lab.toml["performance"]["case"])
    card = document["card"].replace("NVIDIA ", "").split("-")[0]
    of = "the call with its copies" if lab.toml["performance"].get("time") == "timeline" else "all kernels"
    return (f"The case \"{case['name']}\" ({_shape(document['shape'])}); modelled time of {of} on an {card}:\n\n" +
            table(["rung", "idea", *(head for head, _ in columns), "µs"], rows) + detours([s.ms for s in stages]))


def answering(lab):
    """How a lab of questions is done."""
    return f"""```
warpgrade start {lab.id} {" " * (11 - len(lab.id))}# a folder with answers.toml, which has the questions
warpgrade check {lab.id} . {" " * (9 - len(lab.id))}# says which answers are right
```

Write each answer after its `=` in `answers.toml`. A number may have its unit: `"24 threads"`. A formula is in quotation
marks: `"(n + 1) / 2"`. Of several options that are right, give all: `["a", "c"]`. Until an answer is right, `check` shows a
hint. You can try as often as you like. If your course has numbers for each student, `start` needs your name and the
course's id, and the numbers of others are of no use to you."""


def questions(lab):
    rows = [[q["title"], f"{q['points']:g}"] for q in lab.toml["question"]]
    return table(["question", "points"], rows)


PARTS = {"plan": plan, "points": points, "cases": cases, "checks": checks, "ladder": ladder, "answering": answering,
         "questions": questions}


def pages(root):
    """{path: content} of all handouts with generated parts."""
    result = {}
    for toml in sorted([*(root / "labs").glob("*/lab.toml"), *(root / "labs").glob("*/python/lab.toml")]):
        file = toml.parent / "README.md"
        text = file.read_text()
        if not any(has(text, part) for part in PARTS):
            continue
        python = toml.parent.name == "python"
        lab = Lab(root, toml.parent.parent.name if python else toml.parent.name, python)
        for part, make in PARTS.items():
            if has(text, part):
                text = put(text, part, make(lab), file.relative_to(root))
        result[file] = text
    return result
