"""The labs' wrong programs, reference/<lab>/wrong: <name>.cu is written whole, <name>.toml says what differs from a
right program. Only `warpgrade lab show` makes programs of them; what they claim is read here."""

import re
import subprocess
import sys
import tomllib


def files(root, lab):
    """{name: file} of a lab, by name."""
    folder = root / "reference" / lab / "wrong"
    return {file.stem: file for file in sorted([*folder.glob("*.cu"), *folder.glob("*.toml")], key=lambda f: f.stem)}


def claim(file):
    """{"verdict": ..., "pitfall": ..., "caught_by": ..., ...}; see docs/adding-a-lab.md."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".toml":
        return {key: value for key, value in tomllib.loads(text).items() if isinstance(value, str)}
    lines = re.match(r"(?:// [^\n]*\n)*", text)[0].splitlines()
    pairs = [line[3:].split(": ", 1) for line in lines if ": " in line]
    return {re.sub("[ -]", "_", key): value for key, value in pairs}


def write(warpgrade, lab, folder):
    """Makes <name>.cu of each program in this folder; the files, by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.cu"):
        file.unlink()
    done = subprocess.run([warpgrade, "lab", "show", lab, "--into", folder], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return sorted(folder.glob("*.cu"))
