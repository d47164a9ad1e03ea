"""Counts right headlines, and lays them out as the tables of docs/diagnosis.md.

A set is {lab: [(program, label, headlines)]}. A label has the pitfalls that are right, the empty one
where there is no page; with `says`, a sentence that matches it is right, too."""

import re

AIMS = {"mutants": 1.0, "pairs": 0.95, "attempts": 0.95, "unseen": 0.0,
        "attempts-2026-11-30": 0.0, "formulas-2026-11-30": 0.0, "attempts-2026-12": 0.0,
        "held_out": 0.0}
TITLES = {"mutants": "One mistake: the labs' wrong programs",
          "pairs": "Two mistakes: pairs of wrong programs",
          "attempts": "As students write them",
          "unseen": "As students write them, not seen by the rules",
          "attempts-2026-11-30": "As students write them, labelled on 2026-11-30",
          "formulas-2026-11-30": "Another formula, labelled on 2026-11-30",
          "attempts-2026-12": "As students write them, labelled for 2026-12",
          "held_out": "As students write them, kept out of all tuning"}


def kind_of(label):
    """The set of an attempt: `set` names one of its own, unless it is kept out of all tuning."""
    if label.get("held_out", False):
        return "held_out"
    return label.get("set", "unseen" if label.get("unseen", False) else "attempts")


def is_right(label, headline):
    if headline["pitfall"] != "" and headline["pitfall"] in label["pitfalls"]:
        return True
    said = re.sub(r"\w+\.cu\b", "", headline["summary"])  # a file's name often tells the mistake
    return "says" in label and bool(re.search(label["says"], said))


def says_little(headline):
    """Only hidden cases are wrong, of which no more may be said."""
    return headline["summary"].startswith(("All visible cases pass", "Correct, but hidden"))


def counts(programs):
    """[programs, right for staff, right for students, of the rest those where little may be said]"""
    right = [is_right(label, said["all"]) for _, label, said in programs]
    shown = [is_right(label, said["shown"]) for _, label, said in programs]
    little = [says_little(said["shown"]) and not ok
              for ok, (_, _, said) in zip(shown, programs)]
    return [len(programs), sum(right), sum(shown), sum(little)]


def followed(sets):
    """{lab: pairs whose first headline is right, and so is that of the mistake that is left}"""
    alone = {(lab, name): is_right(label, said["all"])
             for lab, programs in sets["mutants"].items() for name, label, said in programs}
    found = {}
    for lab, programs in sets["pairs"].items():
        found[lab] = 0
        for name, label, said in programs:
            if is_right(label, said["all"]):
                one, other = name.split("--")
                first = label["pitfalls"].index(said["all"]["pitfall"])
                found[lab] += alone.get((lab, (other, one)[first]), False)
    return found


def share(part, whole):
    return f"{part} ({100 * part / whole:.1f} %)" if whole else "0"


def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def rows_of(kind, found, then):
    """{lab: the numbers of its row}"""
    return {lab: counts(programs) + ([then[lab]] if kind == "pairs" else [])
            for lab, programs in found.items()}


def table(kind, rows):
    head = ["lab", "programs", "right, all cases", "right, in `check`", "only hidden cases fail"]
    if kind == "pairs":
        head.append("then the other one")
    text = row(*head) + row(*["---"] * len(head))
    for lab, numbers in sorted(rows.items()):
        text += row(lab, *numbers)
    total = [sum(column) for column in zip(*rows.values())]
    rest = [share(total[4], total[0])] if kind == "pairs" else []
    return text + row("all", total[0], share(total[1], total[0]), share(total[2], total[0]), total[3],
                      *rest)


def misses(kind, found):
    """A line for each headline that is wrong."""
    lines = []
    for lab, programs in found.items():
        for name, label, said in programs:
            wanted = (" or ".join(filter(None, label["pitfalls"])) or
                      f"none: {label['mistakes']}")
            for view, where in (("all", "all cases"), ("shown", "`check`")):
                if not is_right(label, said[view]) and not (view == "shown"
                                                            and says_little(said[view])):
                    got = said[view]["pitfall"] or "none"
                    lines.append(f"- {lab}, `{name}`, {where}: {got}, should be {wanted}")
    return lines


def kept(page, kind, labs):
    """What a page says of labs that are not measured anew: ({lab: numbers}, lines of misses)."""
    section = page.partition(f"\n### {TITLES[kind]}\n")[2].partition("\n### ")[0]
    rows = {cells[0]: [int(cell) for cell in cells[1:]]
            for cells in ([cell.strip() for cell in line.strip("|").split("|")]
                          for line in section.splitlines() if line.startswith("| "))
            if cells[0] not in ("lab", "---", "all", *labs)}
    lines = [line for line in section.splitlines()
             if line.startswith("- ") and line[2:].partition(",")[0] not in labs]
    return rows, lines


def tables(sets, stamp, page=""):
    """@param page  the page as it is: labs that are not in `sets` keep their rows"""
    then = followed(sets)
    text = f"\n{stamp}\n"
    for kind, found in sets.items():
        rows, wrong = kept(page, kind, found)
        rows |= {lab: numbers for lab, numbers in rows_of(kind, found, then).items() if numbers[0]}
        wrong = sorted(wrong + misses(kind, found), key=lambda line: line.partition(",")[0])
        if not rows:
            continue
        text += f"\n### {TITLES[kind]}\n\n{table(kind, rows)}"
        if wrong:
            text += "\nWrong:\n\n" + "\n".join(wrong) + "\n"
    return text + "\n"


def reaches_aims(sets):
    for kind, found in sets.items():
        programs = [program for each in found.values() for program in each]
        total = counts(programs)
        if total[1] < AIMS[kind] * total[0]:
            return False
    return sum(followed(sets).values()) >= AIMS["pairs"] * sum(map(len, sets["pairs"].values()))
