"""Reads what the tools print: golden_gpu, Nsight Compute and compute-sanitizer."""

import csv
import re


def goldens(text):
    """{file: {"ran", "skipped", "failures": [...]}} of golden_gpu's output."""
    files = {}
    last = None
    for line in text.splitlines():
        summary = re.fullmatch(r"(\S+): (\d+) ran, (\d+) skipped, (\d+) failures", line)
        if summary:
            last = {"ran": int(summary[2]), "skipped": int(summary[3]), "failures": []}
            files[summary[1]] = last
        elif last is not None and re.match(r"\S+\.(golden|ptx):", line):
            last["failures"].append(line)
    return files


def short_name(kernel):
    """`g_stride<2>` of `void <unnamed>::g_stride<(int)2>(const float *)`."""
    kernel = re.sub(r"\((int|unsigned int|bool)\)", "", kernel)
    kernel = re.sub(r"^void ", "", kernel)
    kernel = re.sub(r"(\(anonymous namespace\)|<unnamed>)::", "", kernel)
    name = kernel.split("(")[0]
    while "> >" in name:  # older demanglers keep a space between closing brackets
        name = name.replace("> >", ">>")
    return re.sub(r"\b(true|false)\b", lambda word: str(int(word[0] == "true")), name)


def ncu(text):
    """{kernel: {metric: sum over launches}} of `ncu --csv --page raw --print-units base`; None when
    there is no table. A metric that ncu could not read is missing."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith('"ID"')]
    if not starts:
        return None
    kernels = {}
    head, *rows = csv.reader(lines[starts[0]:])
    for row in rows:
        # Below the head stands a row of units, which has no ID.
        if len(row) != len(head) or not row[0].isdigit():
            continue
        cells = dict(zip(head, row))
        counters = kernels.setdefault(short_name(cells["Kernel Name"]), {"launches": 0})
        counters["launches"] += 1
        for metric, cell in cells.items():
            if "__" not in metric:
                continue
            try:
                counters[metric] = counters.get(metric, 0) + float(cell.replace(",", ""))
            except ValueError:
                pass
    return kernels


# The first line of what compute-sanitizer says about a mistake, and the class of the mistake.
_CLASSES = [
    ("access", r"Invalid __\w+__ (read|write|atomic|\w+) of size"),
    ("race", r"(Error|Warning|Info): (Race|Potential|.*hazard)"),
    ("race", r"(Race|Potential \w+ hazard)"),
    ("uninitialized", r".*[Uu]ninitialized"),
    ("copy", r"Host API memory access error"),
    ("barrier", r"Barrier error detected"),
    ("leak", r"Leaked [\d,]+ bytes"),
    ("free", r".*(double free|invalid pointer|Invalid pointer|[Mm]alloc/[Ff]ree error)"),
    ("api", r"Program hit \w+"),
]
# Lines of its own, which are about no mistake of the program.
_NOTES = re.compile(
    r"(COMPUTE-SANITIZER|.* SUMMARY:|Target application|Error: process didn't terminate|"
    r"Error: Target application|No attachable process|This tool|.*print limit|\(.*suppressed|"
    r"Warning: Error buffer overflow|[\d,]+ errors were skipped)")


def sanitizer(text):
    """[{"class", "message", "file", "line", "count"}] of a log, each mistake once. "other" is what
    this parser does not know; None when the log holds no summary: the tool did not come to its end.
    """
    found = {}
    entry = None
    finished = False
    for line in text.splitlines():
        if not line.startswith("========="):
            continue
        body = line[9:]
        if not body.strip():
            entry = None
            continue
        if body.startswith("     "):  # belongs to the message above
            _add_detail(entry, body.strip())
            continue
        message = body.strip()
        # A program that never calls CUDA has nothing to sum up.
        finished = finished or " SUMMARY:" in message or "first instrumented API call" in message
        if _NOTES.match(message):
            entry = None
            continue
        entry = {"class": _class_of(message), "message": message, "file": "", "line": 0}
        found.setdefault(id(entry), entry)
    if not finished:
        return None
    return _merged(found.values())


def _class_of(message):
    for name, pattern in _CLASSES:
        if re.match(pattern, message):
            return name
    return "other"


def _add_detail(entry, detail):
    if entry is None:
        return
    if entry["class"] == "access" and "misaligned" in detail:
        entry["class"] = "misaligned"
    if entry["class"] == "copy" and "Uninitialized" in detail:
        entry["class"] = "uninitialized"
    place = re.search(r"([\w.+-]+\.(?:cu|cuh|h|hpp|cpp)):(\d+)", detail)
    if place and not entry["line"] and "Host Frame" not in detail:
        entry["file"], entry["line"] = place[1], int(place[2])


def _merged(entries):
    """The same mistake of several threads counts once; addresses and counts differ."""
    merged = {}
    for entry in entries:
        # The place of a race is on the message's own line.
        _add_detail(entry, entry["message"])
        text = re.sub(r"0x[0-9a-f]+|\[\d+ hazards?\]", "", entry["message"]).strip()
        key = (entry["class"], text, entry["file"], entry["line"])
        merged.setdefault(key, {**entry, "message": text, "count": 0})["count"] += 1
    return list(merged.values())
