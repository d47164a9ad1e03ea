"""Prints what the comparisons gave: a summary for the terminal, docs/fidelity.md for readers."""

import collections

from fidelity import compare

_INTRO = """# The emulator compared with a card

`scripts/gpu_fidelity` runs the same programs under the emulator and on this machine's GPU and compares
the results. This page is its output: `scripts/gpu_fidelity --render FILE`. Explained
differences are listed with their reasons in `scripts/fidelity/known.toml`; any other makes the script
exit with 1 and is marked **unexplained** below.

"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(_cell(c) for c in row) + " |" for row in rows])


def _cell(value):
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return f"{value:,}" if isinstance(value, int) else str(value).replace("|", "\\|")


def _reason(row):
    return row["reason"] or "**unexplained**"


def page(state, known):
    machine = state["machine"]
    parts = [_INTRO + (
        f"One {machine.get('gpu', 'GPU')} (compute capability {machine.get('capability', '?')}), "
        f"driver {machine.get('driver', '?')}, CUDA {machine.get('cuda', '?')}, "
        f"ncu {machine.get('ncu', '?')}, {machine.get('date', '?')}.\n")]
    for render in (_goldens, _verdicts, _counters, _findings):
        parts += filter(None, [render(state, known)])
    return "\n".join(parts)


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


def _verdicts(state, known):
    rows, tally = compare.verdicts(state["verdicts"], known)
    labs = sorted({program.split("/")[0] for program, sides in state["verdicts"].items()
                   if {"emulator", "cuda"} <= sides.keys()})
    text = f"""## Verdicts

Every stage, solution and wrong program of these labs, on every case with the public data:
{', '.join(labs)}. Of
{tally['programs']:,} programs {tally['do not build']} do not build; {tally['cases']:,} cases ran on
both, {tally['same']:,} with the same verdict ({tally['passed on both']:,} right within the error model).
{tally['left out']:,} cases were skipped: a run may be limited to some of each verdict (`--cases`), and
after two cases that ran out of time on the card the rest are skipped.

"""
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["where"], row["emulator"], row["cuda"], _reason(row)].append(row["what"])
    if groups:
        text += "Where they differ, the program's behavior is undefined; the last column has the emulator's finding.\n\n"
    return text + table(["program", "emulator", "card", "cases", "why"],
                        [[where, ours, theirs, _some(cases), why]
                         for (where, ours, theirs, why), cases in groups.items()]) + "\n"


def _some(names):
    shown = ", ".join(f'"{name}"' for name in names[:2])
    return shown if len(names) < 3 else f"{shown} and {len(names) - 2} more"


def _counters(state, known):
    rows = compare.counters(state["counters"], known)
    stages = sum({"emulator", "cuda"} <= sides.keys() for sides in state["counters"].values())
    text = f"""## Counters

The kernels of the performance case of {stages} stages and solutions, counted by the emulator and by
Nsight Compute; launches of one kernel are summed.

"""
    by_metric = collections.defaultdict(list)
    for row in rows:
        by_metric[row["metric"]].append(row)
    text += table(["metric", "kernels", "equal", "explained", "unexplained"],
                  [[f"`{metric}`", len(group), sum(r["same"] for r in group),
                    sum(not r["same"] and bool(r["reason"]) for r in group),
                    sum(not r["same"] and not r["reason"] for r in group)]
                   for metric, group in by_metric.items()]) + "\n"
    absent = state["machine"].get("not counted", [])
    if absent:
        text += "\nThis card's ncu lacks " + ", ".join(f"`{name}`" for name in absent) + ".\n"
    different = [row for row in rows if not row["same"]]
    if not different:
        return text
    # Few reasons explain many rows, so a row has its reason's number.
    reasons = dict.fromkeys(row["reason"] for row in different if row["reason"])
    numbers = {reason: i + 1 for i, reason in enumerate(reasons)}
    text += "\n" + "".join(f"{number}. {reason}\n" for reason, number in numbers.items())
    return text + "\n" + table(
        ["stage", "kernel", "metric", "emulator", "card", "why"],
        [[row["where"], row["kernel"], f"`{row['metric']}`", row["emulator"], row["cuda"],
          numbers.get(row["reason"], _reason(row))] for row in different]) + "\n"


def _findings(state, known):
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
    text += table(["tool", "class", "found by both, programs", "only by the tool, explained",
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
                        [[f"`{kind}`", len(names), ", ".join(names[:4]) + (
                            f" and {len(names) - 4} more" if len(names) > 4 else "")]
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
