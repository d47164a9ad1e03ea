"""Prints what the comparisons gave: a summary for the terminal, docs/fidelity.md for readers."""

import collections
import textwrap

from fidelity import compare

_INTRO = """# The emulator compared with a card

`scripts/gpu_fidelity` runs the same programs under the emulator and on this machine's GPU and compares
the results. This page is its output: `scripts/gpu_fidelity --render FILE`. Known differences are
listed with their reasons in `scripts/fidelity/known.toml`; any other makes the script exit with 1 and
is marked **unexplained** below. Earlier runs: [performance.md](performance.md#against-a-card).

"""
_PARTS = {"goldens": "the golden tests", "verdicts": "the verdicts", "counters": "the counters",
          "findings": "compute-sanitizer's findings"}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(_cell(c) for c in row) + " |" for row in rows])


def _cell(value):
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")


def _reason(row):
    return row["reason"] or "**unexplained**"


def page(state, known, older=()):
    machine = _machine(state["machine"])
    parts = [_INTRO + machine[0].upper() + machine[1:] + ".\n"]
    absent = [name for part, name in _PARTS.items() if not state[part]]
    if absent:
        parts.append(f"Not in this run: {', '.join(absent)}.\n")
    taken = [(run["machine"], compare.take_counters(state, run)) for run in older]
    for part in (_goldens(state, known), _verdicts(state, known), _counters(state, known, taken),
                 _findings(state, known)):
        parts += filter(None, [part])
    return "\n".join(parts)


def _machine(machine):
    gpus = machine.get("gpus", 1)
    return (f"{'one' if gpus == 1 else gpus} {machine.get('gpu', 'GPU')} "
            f"(compute capability {machine.get('capability', '?')}), "
            f"driver {machine.get('driver', '?')}, CUDA {machine.get('cuda', '?')}, "
            f"ncu {machine.get('ncu', '?')}, {machine.get('date', '?')}")


def _goldens(state, known):
    sides = state["goldens"]
    if not sides:
        return ""
    rows = [[side, len(files), sum(f["ran"] for f in files.values()),
             sum(f["skipped"] for f in files.values()),
             sum(len(f["failures"]) for f in files.values())]
            for side, files in sides.items()]
    failures = collections.Counter((row["where"], row["side"], _reason(row))
                                   for row in compare.goldens(sides, known))
    text = "## Golden tests of PTX\n\nThe same forms and launches; all values must be equal bit by bit.\n\n"
    text += table(["on", "files", "ran", "need another card", "differ"], rows) + "\n"
    if failures:
        text += "\n" + table(["file", "on", "differ", "why"],
                             [[*key[:2], n, key[2]] for key, n in failures.items()]) + "\n"
    return text


def _lab(program):
    return program.split("/")[0]


def _labs(programs):
    return ", ".join(sorted(set(map(_lab, programs))))


def _verdicts(state, known):
    rows, tally = compare.verdicts(state["verdicts"], known)
    if not tally["programs"]:
        return ""
    labs = sorted({_lab(program) for program in state["verdicts"]})
    lines = [_verdicts_of(state, known, lab) for lab in labs]
    emulated = [lab for lab, line in zip(labs, lines) if not line[1]]
    lines = [line for line in lines if line[1]]
    text = f"""## Verdicts

Every stage, solution and wrong program of {len(lines)} labs, with the public data. {tally['left out']:,}
cases did not run on both: a run may be limited to some of each verdict (`--cases`), and after two
cases of a program that ran out of time the rest are skipped. Right is within the error model.

"""
    total = ["all", *(sum(column) for column in list(zip(*lines))[1:])]
    text += table(["lab", "programs", "do not build", "cases", "same verdict", "right on both",
                   "differ, undefined", "differ, known", "unexplained"], [*lines, total]) + "\n"
    if emulated:
        text += f"\nOnly the emulator ran these labs: {', '.join(emulated)}.\n"
    undefined = [row for row in rows if row["reason"].startswith("finding ")]
    if undefined:
        text += """
Undefined: the emulator found a mistake in that case after which a program may do anything.

""" + _undefined(undefined)
    groups = collections.defaultdict(list)
    for row in rows:
        if row not in undefined:
            groups[row["where"], row["emulator"], row["cuda"], _reason(row)].append(row["what"])
    if not groups:
        return text
    return text + "\n" + table(
        ["program", "emulator", "card", "cases", "why"],
        [[where, ours, theirs, _some([f'"{case}"' for case in cases], 2), why]
         for (where, ours, theirs, why), cases in groups.items()]) + "\n"


def _verdicts_of(state, known, lab):
    """The lab's line of the table."""
    rows, tally = compare.verdicts({program: sides for program, sides in state["verdicts"].items()
                                    if _lab(program) == lab}, known)
    undefined = sum(row["reason"].startswith("finding ") for row in rows)
    unexplained = sum(not row["reason"] for row in rows)
    return [lab, *(tally[key] for key in ("programs", "do not build", "cases", "same",
                                          "passed on both")),
            undefined, len(rows) - undefined - unexplained, unexplained]


def _undefined(rows):
    """Which ends the differing cases had, and with which findings."""
    ends = collections.Counter((row["emulator"], row["cuda"]) for row in rows)
    text = table(["emulator", "card", "cases"], [[*pair, n] for pair, n in ends.most_common()])
    by_kind = collections.defaultdict(list)
    for row in rows:
        for kind in row["reason"].removeprefix("finding ").split(", "):
            by_kind[kind].append(row["where"])
    return text + "\n\n" + table(
        ["finding", "cases", "programs", "which"],
        [[f"`{kind}`", len(names), len(set(names)), _some(list(dict.fromkeys(names)), 3)]
         for kind, names in sorted(by_kind.items())]) + "\n"


def _some(names, most):
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _counters(state, known, taken=()):
    rows = compare.counters(state["counters"], known)
    if not rows:
        return ""
    complete = [stage for stage, sides in state["counters"].items()
                if {"emulator", "cuda"} <= sides.keys()]
    text = (f"The kernels of the performance case of {len(complete)} stages and solutions, counted by "
            "the emulator and by Nsight Compute; launches of one kernel are summed.")
    for machine, stages in taken:
        if stages:
            text += (f" What the card counted for {len(stages)} of them ({_labs(stages)}) is from an older "
                     "run, since when neither their sources nor what the emulator counts have changed: "
                     f"{_machine(machine)}.")
    left = [stage for stage in state["counters"] if stage not in complete]
    if left:
        text += f" Stages of {_labs(left)} were not counted on the card."
    absent = state["machine"].get("not counted", [])
    if absent:
        text += " This card's ncu lacks " + ", ".join(f"`{name}`" for name in absent) + "."
    text = "## Counters\n\n" + textwrap.fill(text, 104) + "\n"
    head = ["figures", "equal", "known", "unexplained"]
    stages = collections.Counter(map(_lab, complete))
    text += "\n" + table(["lab", "stages", *head],
                         [[lab, stages[lab], *_tally(group)]
                          for lab, group in _grouped(rows, lambda row: _lab(row["where"]))]) + "\n"
    text += "\n" + table(["metric", *head],
                         [[f"`{metric}`", *_tally(group)]
                          for metric, group in _grouped(rows, lambda row: row["metric"])]) + "\n"
    different = [row for row in rows if not row["same"]]
    by_reason = dict(_grouped([row for row in different if row["reason"]], lambda row: row["reason"]))
    if by_reason:
        # In the order of known.toml, since reasons refer to one another.
        entries = dict.fromkeys(entry["reason"] for entry in known.entries["counters"])
        text += """
Known differences. Card / emulator is the card's figure divided by the emulator's, where that is not 0.

""" + table(["why", "figures", "card / emulator", "where"],
            [[reason, len(by_reason[reason]), _ratios(by_reason[reason]),
              _some(list(dict.fromkeys(_lab(row["where"]) for row in by_reason[reason])), 6)]
             for reason in entries if reason in by_reason]) + "\n"
    unexplained = [row for row in different if not row["reason"]]
    if unexplained:
        text += "\n" + table(
            ["stage", "kernel", "metric", "emulator", "card", "why"],
            [[row["where"], row["kernel"], f"`{row['metric']}`", row["emulator"], row["cuda"],
              _reason(row)] for row in unexplained]) + "\n"
    return text


def _grouped(rows, key):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return list(groups.items())


def _tally(rows):
    return [len(rows), sum(row["same"] for row in rows),
            sum(not row["same"] and bool(row["reason"]) for row in rows),
            sum(not row["same"] and not row["reason"] for row in rows)]


def _ratios(rows):
    ratios = sorted(row["cuda"] / row["emulator"] for row in rows if row["emulator"])
    if not ratios:
        return ""
    least, most = (f"{ratio:.4g}" for ratio in (ratios[0], ratios[-1]))
    return least if least == most else f"{least} to {most}"


def _findings(state, known):
    if not state["findings"]:
        return ""
    rows, only_ours = compare.findings(state["findings"], known)
    complete = sum(map(compare.is_complete, state["findings"].values()))
    build = sum("/wrong/" in program and bool(sides.get("emulator", {}).get("cases"))
                for program, sides in state["verdicts"].items())
    which = f"the {build} wrong programs that build"
    if complete < build:
        which = f"{complete} of {which} (the others were not run)"
    text = f"""## Findings

compute-sanitizer's four tools on {which},
each in the case with the most findings in the emulator. A mistake counts as found by both if the emulator
reports one of that class in the same case.

"""
    counts = collections.defaultdict(lambda: [set(), set(), set()])
    for row in rows:
        place = 0 if row["found"] else 1 if row["reason"] else 2
        counts[row["tool"], row["class"]][place].add(row["where"])
    text += table(["tool", "class", "found by both, programs", "only by the tool, known",
                   "unexplained"],
                  [[tool, kind, *(len(group) for group in groups)]
                   for (tool, kind), groups in sorted(counts.items())]) + "\n"
    missed = collections.Counter((row["where"], row["case"], row["tool"], row["message"],
                                  _reason(row)) for row in rows if not row["found"])
    if missed:
        text += "\nFound by the tool and not by the emulator:\n\n" + table(
            ["program", "case", "tool", "it says", "why"], list(missed)) + "\n"
    text += "\nFound by the emulator only, in programs in which no tool found anything of that class:\n\n"
    return text + table(["finding", "programs", "which"],
                        [[f"`{kind}`", len(names), _some(names, 4)]
                         for kind, names in sorted(only_ours.items())]) + "\n"


def summary(state, known, parts):
    """Prints each part in a line and each unexplained difference. @returns how many there are"""
    verdicts, tally = compare.verdicts(state["verdicts"], known)
    found, _ = compare.findings(state["findings"], known)
    lists = {"goldens": compare.goldens(state["goldens"], known), "verdicts": verdicts,
             "counters": [r for r in compare.counters(state["counters"], known) if not r["same"]],
             "findings": [r for r in found if not r["found"]]}
    total = 0
    for part in parts:
        unexplained = [row for row in lists[part] if not row["reason"]]
        total += len(unexplained)
        print(f"{part}: {len(lists[part])} differences, {len(unexplained)} unexplained")
        for row in unexplained:
            print("  UNEXPLAINED " + "  ".join(str(value) for key, value in row.items()
                                                if key not in ("reason", "found", "same")))
    if tally["programs"]:
        print("verdicts: " + ", ".join(f"{key} {value}" for key, value in tally.items()))
    complete = set(parts) == set(lists) and all(state[part] for part in lists)
    for entry in known.unused() if complete else []:
        print(f"  known.toml: nothing fits {entry[:160]}")
    return total
