"""The tables of docs/labs.md: week, title and hours as each lab.toml has them; the topics are written by hand."""

import re
import tomllib

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

    return {file: ROW.sub(row, file.read_text())}


def problems(root):
    """Labs without a row, and rows without a lab."""
    listed = {match[1] for match in ROW.finditer((root / "docs" / "labs.md").read_text())}
    known = set(tables(root))
    return ([f"docs/labs.md: no row for the lab {lab}; add one with its topics" for lab in sorted(known - listed)]
            + [f"docs/labs.md: there is no lab {lab}; remove its row" for lab in sorted(listed - known)])
