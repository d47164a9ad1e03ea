"""The list of programs that scripts/corpus runs: reads it, checks it, and writes verdicts into it (docs/corpus.md)."""

import json
import re
import tomllib

COMPILERS = ("nvcc", "clang")
PROGRAM_KEYS = {"name": str, "repository": str, "commit": str, "sources": list, "headers": list, "sha256": str,
                "flags": list, "arguments": list, "prints": list, "never_prints": list, "deterministic": bool,
                "seconds": int, "memory_gib": int, "note": str, "verdict": dict}
VERDICT_KEYS = {"built": bool, "error": str, "exit": (int, str), "prints": bool, "stdout_sha256": str, "findings": list}
FINDING_KEYS = {"kind": str, "at": str, "severity": str, "count": int, "why": str}
DEFAULTS = {"commit": "", "headers": [], "sha256": "", "flags": [], "arguments": [], "prints": [], "never_prints": [],
            "deterministic": False, "seconds": 60, "memory_gib": 16, "note": "", "verdict": {}}
NAMES = {str: "a string", list: "an array", bool: "true or false", int: "a number", dict: "a table",
         (int, str): "a number or a string"}

PROGRAM_HEADER = re.compile(r"^\s*\[\[\s*program\s*\]\]")
ANY_HEADER = re.compile(r"^\s*\[\[?\s*[A-Za-z_\"']")


class ListError(Exception):
    """What is wrong with a list, as `file:line: message`."""


class Program:
    """One [[program]]: its keys as attributes, and the lines [first, last) of the file that it has."""

    def __init__(self, table, first, last):
        for key, value in {**DEFAULTS, **table}.items():
            setattr(self, key, value)
        self.first, self.last = first, last

    def stored(self, compiler):
        """The stored verdict for this compiler, or None."""
        return self.verdict.get(compiler)


def extents(lines):
    """The lines [first, last) of each [[program]]. Comments and blank lines before the next one belong to that."""
    starts = [number for number, line in enumerate(lines) if PROGRAM_HEADER.match(line)]
    found = []
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        found.append((start, end))
    return found


def read(path):
    """The programs of a list, in its order. Throws ListError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise ListError(f"{path}: {getattr(problem, 'strerror', None) or 'is not text in UTF-8'}") from None
    return parse(text, path)


def parse(text, path):
    """The same of a list's text; path is for messages."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        message, _, place = str(problem).partition(" (at ")
        line = re.match(r"line (\d+), column (\d+)", place)
        at = f":{line[1]}:{line[2]}" if line else f":{len(text.splitlines())}"
        raise ListError(f"{path}{at}: {message}") from None
    unknown = sorted(set(table) - {"program"})
    if unknown or not isinstance(table.get("program"), list) or not table["program"]:
        raise ListError(f"{path}:1: unknown key '{unknown[0]}'" if unknown else
                        f"{path}:1: the list has no [[program]]")
    lines = text.splitlines()
    places = extents(lines)
    if len(places) != len(table["program"]):
        raise ListError(f"{path}:1: each program starts with a line [[program]] of its own")
    programs, names = [], {}
    for entry, (first, last) in zip(table["program"], places):
        check_program(entry, path, lines, first, last)
        if entry["name"] in names:
            raise ListError(f"{path}:{first + 1}: the name '{entry['name']}' is that of line {names[entry['name']]}")
        names[entry["name"]] = first + 1
        programs.append(Program(entry, first, last))
    return programs


def check_program(entry, path, lines, first, last):
    def wrong(key, message):
        assigned = re.compile(rf"\s*\"?{re.escape(key)}\"?\s*=")
        at = next((number for number in range(first, last) if assigned.match(lines[number])), first)
        raise ListError(f"{path}:{at + 1}: {message}")

    def check(table, keys, where):
        for key, value in table.items():
            if key not in keys:
                wrong(key, f"unknown key '{key}' in {where}")
            kind = keys[key]
            if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
                wrong(key, f"'{key}' in {where} has to be {NAMES[kind]}")

    check(entry, PROGRAM_KEYS, "a program")
    for key in ("name", "repository", "sources"):
        if not entry.get(key):
            wrong(key, f"a program needs '{key}'")
    for key in ("sources", "headers", "flags", "arguments", "prints", "never_prints"):
        if not all(isinstance(value, str) for value in entry.get(key, [])):
            wrong(key, f"'{key}' has to be an array of strings")
    for key, form in (("commit", r"[0-9a-f]{40}"), ("sha256", r"[0-9a-f]{64}")):
        if entry.get(key) and not re.fullmatch(form, entry[key]):
            wrong(key, f"'{key}' has to be hexadecimal, as `{form}`")
    for key in ("seconds", "memory_gib"):
        if entry.get(key, 1) < 1:
            wrong(key, f"'{key}' has to be at least 1")
    for key in ("prints", "never_prints"):
        for pattern in entry.get(key, []):
            try:
                re.compile(pattern)
            except re.error as problem:
                wrong(key, f"'{pattern}' is not a regular expression: {problem}")
    for compiler, verdict in entry.get("verdict", {}).items():
        if compiler not in COMPILERS or not isinstance(verdict, dict):
            wrong("verdict", f"a verdict is [program.verdict.nvcc] or [program.verdict.clang], not '{compiler}'")
        check(verdict, VERDICT_KEYS, "a verdict")
        if "built" not in verdict:
            wrong("built", "a verdict needs 'built'")
        for finding in verdict.get("findings", []):
            if not isinstance(finding, dict) or not {"kind", "at", "severity", "count"} <= set(finding):
                wrong("findings", "a finding needs 'kind', 'at', 'severity' and 'count'")
            check(finding, FINDING_KEYS, "a finding")


def quoted(text):
    """A basic string of TOML, in which JSON's escapes mean the same."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def block(compiler, verdict):
    """The lines of a verdict."""
    lines = [f"[program.verdict.{compiler}]"]
    for key, value in verdict.items():
        if key == "findings":
            continue
        text = str(value).lower() if isinstance(value, (bool, int)) else quoted(value)
        lines.append(f"{key} = {text}")
    if verdict.get("findings"):
        lines.append("findings = [")
        for finding in verdict["findings"]:
            pairs = ", ".join(f"{key} = {value if isinstance(value, int) else quoted(value)}"
                              for key, value in finding.items())
            lines.append(f"  {{ {pairs} }},")
        lines.append("]")
    elif verdict["built"]:
        lines.append("findings = []")
    return lines


def with_reasons(verdict, stored):
    """The verdict, in which findings that were stored keep their reason `why`."""
    reasons = {(finding["kind"], finding["at"]): finding["why"]
               for finding in (stored or {}).get("findings", []) if finding.get("why")}
    if not verdict.get("findings"):
        return verdict
    findings = []
    for finding in verdict["findings"]:
        why = reasons.get((finding["kind"], finding["at"]))
        findings.append({**finding, "why": why} if why else dict(finding))
    return {**verdict, "findings": findings}


def write(path, compiler, verdicts):
    """Puts verdicts ({name: verdict}) into the list; all else stays as it is, comments too."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    header = re.compile(rf"^\s*\[\s*program\.verdict\.{compiler}\s*\]")
    for program in reversed(parse(text, path)):
        if program.name not in verdicts:
            continue
        verdict = with_reasons(verdicts[program.name], program.stored(compiler))
        if verdict == program.stored(compiler):
            continue
        start = next((number for number in range(program.first, program.last) if header.match(lines[number])), None)
        if start is None:
            lines[program.last:program.last] = ["", *block(compiler, verdict)]
            continue
        end = next((number for number in range(start + 1, program.last) if ANY_HEADER.match(lines[number])),
                   program.last)
        while not lines[end - 1].strip():
            end -= 1
        comments = [line for line in lines[start + 1:end] if line.lstrip().startswith("#")]
        new = block(compiler, verdict)
        lines[start:end] = [new[0], *comments, *new[1:]]
    result = "\n".join(lines) + "\n"
    before, after = parse(text, path), parse(result, path)
    for old, new in zip(before, after, strict=True):
        expected = {**old.verdict}
        if old.name in verdicts:
            expected[compiler] = with_reasons(verdicts[old.name], old.stored(compiler))
        old_keys = {key: value for key, value in vars(old).items() if key not in ("first", "last", "verdict")}
        new_keys = {key: value for key, value in vars(new).items() if key not in ("first", "last", "verdict")}
        if old_keys != new_keys or new.verdict != expected:
            raise ListError(f"{path}:{old.first + 1}: the verdict of '{old.name}' cannot be replaced; write it as "
                            f"[program.verdict.{compiler}] after the program's other keys")
    path.write_text(result, encoding="utf-8")
