"""What differs when a lab is graded with clang: from the records of `lab check --record` with each compiler."""

import json
import statistics

import blocks
import wrong_programs

COMPILERS = ("nvcc", "clang")
PAGE = "cuda-headers.md"
SCHEMA = 2  # kSchema, grader/author/check/lab_record.cpp


def records(root, lab):
    """{compiler: {program: record}}, or None unless both compilers' records are of the same lab."""
    found = {}
    for compiler in COMPILERS:
        file = root / "reference" / lab / f"checked.{compiler}.json"
        if not file.exists():
            return None
        found[compiler] = json.loads(file.read_text())
        if found[compiler]["schema"] != SCHEMA:  # `lab check --record` writes it anew
            return None
    if found["nvcc"]["lab"] != found["clang"]["lab"]:
        return None
    return {compiler: found[compiler]["programs"] for compiler in COMPILERS}


def same_text(programs):
    """Names of the programs that both compilers were given with the same text."""
    return [name for name, p in programs["nvcc"].items()
            if programs["clang"].get(name, {}).get("source") == p["source"]]


def instructions_row(lab, programs):
    ratios = {}
    for name in same_text(programs):
        counts = [programs[compiler][name]["warp_instructions"] for compiler in ("clang", "nvcc")]
        if name.split("/")[0] in ("stage", "solution") and all(counts):
            ratios[name.split("/")[-1]] = counts[0] / counts[1]
    if not ratios:
        return None
    least, most = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
    return (lab, len(ratios), f"{statistics.median(ratios.values()):.2f}", f"{ratios[least]:.2f} (`{least}`)",
            f"{ratios[most]:.2f} (`{most}`)")


def claim(root, lab, name):
    """What a wrong program says of itself; {} for other programs."""
    kind, stem = name.split("/")
    return wrong_programs.claim(wrong_programs.files(root, lab)[stem]) if kind == "mutant" else {}


def instruction_ratio(programs, name):
    counts = [programs[compiler].get(name, {}).get("warp_instructions", 0) for compiler in ("clang", "nvcc")]
    return counts[0] / counts[1] if all(counts) else None


def recorded_reason(programs, name):
    """What the records themselves say of other points: other missed items, or another tier of modelled time,
    which is graded against the solution's. Empty if neither explains it."""
    missed = [set(programs[compiler][name]["missed"]) for compiler in COMPILERS]
    words = [f"misses `{item}` with {compiler} only"
             for compiler, of_it, of_other in zip(COMPILERS, missed, reversed(missed)) for item in sorted(of_it - of_other)]
    own, solution = instruction_ratio(programs, name), instruction_ratio(programs, "solution/solution")
    if not words and own and solution:  # all other items have the same points
        words = [f"executes {own:.2f} times the instructions, the solution {solution:.2f} times: "
                 "another tier of modelled time"]
    return "; ".join(words)


def difference_rows(root, lab, programs):
    """Programs with other points or another pitfall, and the reason: the program's own, or what the records
    tell. What a race leaves needs the program's own."""
    rows = []
    for name in same_text(programs):
        points = [programs[compiler][name]["points"] for compiler in COMPILERS]
        own = claim(root, lab, name)
        pitfalls = [own.get("pitfall", "none"), own.get("pitfall_with_clang", own.get("pitfall", "none"))]
        if abs(points[0] - points[1]) < 0.05 and pitfalls[0] == pitfalls[1]:
            continue
        why = own.get("differs_with_clang", "")
        if not why and pitfalls[0] == pitfalls[1] and "race" not in own.get("caught_by", ""):
            why = recorded_reason(programs, name)
        rows.append((lab, f"`{name}`", *(f"{p:.1f}, {q}" for p, q in zip(points, pitfalls)), why))
    return rows


def compared(root):
    for lab in sorted(t.parent.name for t in (root / "labs").glob("*/lab.toml")):
        programs = records(root, lab)
        if programs is not None:
            yield lab, programs


def pages(root):
    file = root / "docs" / PAGE
    instructions, differences, count = [], [], 0
    for lab, programs in compared(root):
        count += len(same_text(programs))
        row = instructions_row(lab, programs)
        instructions += [row] if row else []
        differences += difference_rows(root, lab, programs)
    text = blocks.put(file.read_text(), "executed instructions", blocks.table(
        ("lab", "solution and stages", "median", "least", "most"), instructions), PAGE)
    content = f"Of {count} programs, {count - len(differences)} have the same points and the same pitfall."
    if differences:
        content += "\n\n" + blocks.table(("lab", "program", "nvcc: points, pitfall", "clang", "why"), differences)
    return {file: blocks.put(text, "differences", content, PAGE)}


def problems(root):
    """Differences without a reason: each one is to be understood."""
    return [f"reference/{row[0]}: {row[1]} has {row[2]} with nvcc and {row[3]} with clang; neither the records nor its "
            "differs_with_clang give a reason"
            for lab, programs in compared(root) for row in difference_rows(root, lab, programs) if not row[4]]
