"""The tables of docs/labs.md: week, title and hours as each lab.toml has them; the topics are written by hand."""

import re
import tomllib

from blocks import put, table

ROW = re.compile(r"^\| `(\w+)` \|[^|\n]*\|[^|\n]*\|[^|\n]*\|([^|\n]*)\|$", re.MULTILINE)


def tables(root):
    """{lab: the values of its lab.toml}."""
    return {file.parent.name: tomllib.loads(file.read_text()) for file in (root / "labs").glob("*/lab.toml")}


def hours(value):
    return f"{value:g}"


def pages(root):
    file = root / "docs" / "labs.md"
    known = tables(root)

    def row(match):
        lab = known.get(match[1])
        if lab is None:
            return match[0]
        return f"| `{match[1]}` | {lab['title']} | {lab['week']} | {hours(lab['hours'])} |{match[2]}|"

    text = put(ROW.sub(row, file.read_text()), "labs in python", in_python(root), file.relative_to(root))
    return {file: text}


def in_python(root):
    """The table of the labs that a submission in Python is graded for."""
    rows = []
    for toml in sorted((root / "labs").glob("*/python/lab.toml")):
        lab, name = tomllib.loads(toml.read_text()), toml.parent.parent.name
        call = f"{name}({', '.join(lab['parameters'])})"
        rows.append([f"[{lab['title']}](../labs/{name}/python/README.md)", f"`warpgrade start {name}/python`",
                     f"`{lab['submit'][0]}`", f"`{call}`"])
    return table(["lab", "begin with", "file", "function"], rows)


def problems(root):
    """Labs without a row, and rows without a lab."""
    listed = {match[1] for match in ROW.finditer((root / "docs" / "labs.md").read_text())}
    known = set(tables(root))
    return ([f"docs/labs.md: no row for the lab {lab}; add one with its topics" for lab in sorted(known - listed)]
            + [f"docs/labs.md: there is no lab {lab}; remove its row" for lab in sorted(listed - known)])
