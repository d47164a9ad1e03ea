"""docs/coverage.md: the topics of a course, with the files that cover them, from docs/coverage.toml."""

import re
import tomllib

import pitfall_index
from blocks import table

GROUPS = {
    "V": "Vector addition and elementwise operations", "G": "Matrix multiplication", "C": "Convolution",
    "H": "Histogram and atomics", "R": "Reduction", "S": "Scan", "X": "Memory, streams and other topics",
    "Q-L": "Launches, warps, divergence", "Q-O": "Occupancy and resources", "Q-G": "Matrix multiplication",
    "Q-C": "Convolution", "Q-H": "Histogram", "Q-R": "Reduction", "Q-S": "Scan", "Q-M": "Memory and rates",
}
# Numbers that must be there, so that none is lost: the rows of the course material.
EXPECTED = {"V": 16, "G": 24, "C": 19, "H": 11, "R": 20, "S": 13, "X": 14, "Q-L": 13, "Q-O": 12, "Q-G": 13, "Q-C": 13,
            "Q-H": 8, "Q-R": 12, "Q-S": 11, "Q-M": 10}
PITFALLS = 86


def _data(root):
    return tomllib.loads((root / "docs" / "coverage.toml").read_text())


def _split(entry):
    file, _, words = entry.partition(": ")
    return file, words


def _link(root, file):
    path = root / file
    shown = re.sub(r"^(labs|reference|docs)/", "", file)
    return f"[{shown}](../{file})" if not file.startswith("docs/") else f"[{shown}]({file[5:]})" if path.exists() else file


def _where(root, row):
    parts = [_link(root, file) for file in dict.fromkeys(_split(e)[0] for e in row.get("in", []))]
    if planned := row.get("planned"):
        parts.append(_link(root, planned) if (root / planned).exists() else f"planned: lab `{planned.split('/')[1]}`")
    if why := row.get("why"):
        parts.append(why)
    return "; ".join(parts)


def _group(number):
    return re.match(r"(Q-)?[A-Z]", number)[0]


def _is_open(root, row):
    return not row.get("in") and not (root / row.get("planned", "nothing")).exists()


def pages(root):
    data = _data(root)
    labs, found = pitfall_index.labs_by_pitfall(root)
    numbers = [f"P{i}" for i in range(1, PITFALLS + 1)]
    uncovered = [n for n in numbers if n not in found]
    counts = {part: (len(data[part]), sum(1 for r in data[part].values() if not _is_open(root, r)))
              for part in ("kernels", "formulas")}
    text = f"""# What the labs cover

For instructors who look for a topic: kernels, formulas and mistakes of a course on CUDA, and where each is. The file is
written by `scripts/write_pages` from [coverage.toml](coverage.toml); a test opens every file named here and looks for the
words that it must contain.

| | topics | covered |
|---|---|---|
| [kernels](#kernels) | {counts['kernels'][0]} | {counts['kernels'][1]} |
| [formulas](#formulas) | {counts['formulas'][0]} | {counts['formulas'][1]} |
| [mistakes](#mistakes) | {PITFALLS} | {PITFALLS - len(uncovered)} |

A reference stage is a complete solution on one rung of a lab's ladder; a file in `wrong/` is a program with one mistake,
which the grader must find. Rows without a file say why, or "planned".
"""
    for part, heading in (("kernels", "Kernels"), ("formulas", "Formulas")):
        text += f"\n## {heading}\n"
        groups = {}
        for number, row in data[part].items():
            groups.setdefault(_group(number), []).append([number, row["topic"], _where(root, row)])
        for group, rows in groups.items():
            text += f"\n### {GROUPS[group]}{'' if part == 'kernels' else ', formulas'}\n\n"
            text += table(["no.", "topic", "where"], rows) + "\n"
    rows = []
    for number in numbers:
        title = (root / "docs" / "pitfalls" / f"{number}.md").read_text().splitlines()[0].partition(": ")[2]
        where = pitfall_index.words(labs, found[number]) if number in found else data["pitfalls"].get(number, "")
        rows.append([f"[{number}](pitfalls/{number}.md)", title, where])
    text += "\n## Mistakes\n\nThe labs that have a mutant, a clue or a check for it, or whose handout names it.\n\n"
    text += table(["no.", "mistake", "labs, or why none"], rows) + "\n"
    return {root / "docs" / "coverage.md": text}


def problems(root):
    """Rows that are missing, have neither a file nor a reason, or whose file or words do not exist."""
    data, wrong = _data(root), []
    rows = {**data["kernels"], **data["formulas"]}
    for group, count in EXPECTED.items():
        numbers = {int(re.sub(r"\D", "", n.split("-")[-1])) for n in rows if _group(n) == group}
        wrong += [f"docs/coverage.toml: row {group}{i} is missing" for i in range(1, count + 1) if i not in numbers]
    for number, row in rows.items():
        if not (row.get("in") or row.get("planned") or row.get("why")):
            wrong.append(f"docs/coverage.toml: {number} has neither 'in' nor 'planned' nor 'why'")
        for entry in row.get("in", []):
            file, words = _split(entry)
            if not (root / file).is_file():
                wrong.append(f"docs/coverage.toml: {number}: there is no file {file}")
            elif words and " ".join(words.lower().split()) not in " ".join((root / file).read_text().lower().split()):
                wrong.append(f"docs/coverage.toml: {number}: {file} does not contain \"{words}\"")
    _, found = pitfall_index.labs_by_pitfall(root)
    for i in range(1, PITFALLS + 1):
        number = f"P{i}"
        if number in found and number in data["pitfalls"]:
            wrong.append(f"docs/coverage.toml: {number} is covered now; remove its reason")
        if number not in found and number not in data["pitfalls"]:
            wrong.append(f"docs/coverage.toml: {number} is in no lab, and [pitfalls] has no reason")
    return wrong
