"""The last column of docs/pitfalls/README.md: the labs in which a mistake is known to occur."""

import re
import tomllib

import wrong_programs


def labs_by_pitfall(root):
    """{"P1": {"gemm", ...}}: a mutant, a clue or a concept check of the lab names the pitfall, or its handout links to it."""
    found = {}
    labs = sorted(t.parent.name for t in (root / "labs").glob("*/lab.toml")
                  if "function" in tomllib.loads(t.read_text()))  # labs of questions have no mutants
    for lab in labs:
        toml = tomllib.loads((root / "labs" / lab / "lab.toml").read_text())
        names = {entry["pitfall"] for key in ("clue", "concept") for entry in toml.get(key, []) if "pitfall" in entry}
        claims = [wrong_programs.claim(file) for file in wrong_programs.files(root, lab).values()]
        names.update(claim["pitfall"] for claim in claims if claim["pitfall"] != "none")
        names.update(re.findall(r"pitfalls/(P\d+)\.md", (root / "labs" / lab / "README.md").read_text()))
        for name in names:
            found.setdefault(name, set()).add(lab)
    return labs, found


def words(labs, where):
    missing = [lab for lab in labs if lab not in where]
    if not where:
        return "none"
    if not missing:
        return "all"
    if len(missing) <= 2 and len(labs) > 4:
        return "all but " + " and ".join(missing)
    return ", ".join(lab for lab in labs if lab in where)


def pages(root):
    file = root / "docs" / "pitfalls" / "README.md"
    labs, found = labs_by_pitfall(root)

    def row(match):
        return f"{match[1]}| {words(labs, found.get(match[2], set()))} |"

    return {file: re.sub(r"^(\| \[(P\d+)\]\(P\d+\.md\) \|[^|\n]*)\|[^|\n]*\|$", row, file.read_text(), flags=re.MULTILINE)}
