"""Holds what the emulator did against what the card did. Each comparison gives rows; a row's
`reason` is why the two may differ, and an empty one is a difference that nobody explained."""

import fnmatch
import tomllib

METRICS = (
    [f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum"
     for op in ("ld", "st", "atom", "red") for what in ("requests", "sectors")]
    + [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")]
    + ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"]
    + [f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum" for op in ("ld", "st", "atom")]
    + ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"]
    + [f"smsp__inst_executed_op_shared_{op}.sum" for op in ("ld", "st", "atom")]
    + ["smsp__inst_executed_op_ldgsts.sum"])

# What of the emulator's stands for a class of compute-sanitizer's (read.py): beginnings of kinds.
KINDS = {
    "access": ("oob-", "null-pointer", "host-pointer", "no-peer-access", "use-after-free",
               "write-to-constant"),
    "misaligned": ("misaligned-",),
    "race": ("race-", "warp-synchronous", "async-copy-"),
    "uninitialized": ("unwritten-",),
    "barrier": ("barrier-", "sync-mask", "deadlock", "mbarrier-", "shuffle-inactive-lane"),
    "leak": ("leak",),
    "copy": ("oob-copy", "invalid-copy-pointer", "wrong-copy-direction", "use-after-free"),
    "free": ("double-free", "invalid-free", "invalid-device-free", "use-after-free"),
    "api": ("unchecked-error", "illegal-launch", "invalid-copy-pointer", "oob-copy",
            "wrong-copy-direction", "symbol-copied", "double-free", "invalid-free"),
}
# A program with one of these may do anything on a card, so its results need not be the same.
_ANYTHING = tuple(kind for name in ("access", "misaligned", "race", "uninitialized", "barrier")
                  for kind in KINDS[name]) + (
    "instruction-budget", "trap", "stack-overflow", "host-access-before-sync")


class Known:
    """The differences that are explained: known.toml."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.entries = tomllib.load(file)
        self.used = set()

    def reason(self, table, **names):
        """The first entry of a table whose patterns fit; of numbers, also how far the card's is off
        and in which direction."""
        distance, card = names.pop("distance", None), names.pop("card", "")
        for index, entry in enumerate(self.entries.get(table, [])):
            within = entry.get("within")
            if within is not None and (distance is None or distance > within):
                continue
            if entry.get("card", card) != card:
                continue
            if all(_fits(name, entry.get(key, "*")) for key, name in names.items()):
                self.used.add((table, index))
                return entry["reason"]
        return ""

    def unused(self):
        return [f"{table}: {entry}" for table, entries in self.entries.items()
                for index, entry in enumerate(entries) if (table, index) not in self.used]


def _fits(name, patterns):
    patterns = [patterns] if isinstance(patterns, str) else patterns
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def goldens(state, known):
    """A row for each failure on either device."""
    rows = []
    for side, files in state.items():
        for name, outcome in files.items():
            for text in outcome["failures"]:
                reason = known.reason("goldens", file=name, side=side, text=text)
                rows.append({"where": name, "side": side, "what": text, "reason": reason})
    return rows


def verdicts(state, known):
    """(rows, tally): a row for each case whose status differs."""
    rows = []
    tally = {"programs": 0, "do not build": 0, "cases": 0, "same": 0, "passed on both": 0,
             "as many wrong elements": 0, "differ": 0, "left out": 0}
    for program, sides in sorted(state.items()):
        if not {"emulator", "cuda"} <= sides.keys():
            continue
        emulator, cuda = sides["emulator"], sides["cuda"]
        tally["programs"] += 1
        if emulator["build"] or cuda["build"]:
            tally["do not build"] += 1
            if bool(emulator["build"]) != bool(cuda["build"]):
                rows.append(_row(program, "build", emulator["build"] or "builds",
                                 cuda["build"] or "builds", ""))
            continue
        for case, got in emulator["cases"].items():
            want = cuda["cases"].get(case)
            if want is None:
                tally["left out"] += 1
                continue
            tally["cases"] += 1
            if got["status"] == want["status"]:
                tally["same"] += 1
                tally["passed on both"] += got["status"] == "passed"
                tally["as many wrong elements"] += (
                    got["status"] == "wrong" and got["wrong"] == want["wrong"])
                continue
            tally["differ"] += 1
            reason = _finding_that_explains(got) or known.reason(
                "verdicts", program=program, case=case)
            rows.append(_row(program, case, got["status"], want["status"], reason))
        tally["left out"] += len(cuda["cases"].keys() - emulator["cases"].keys())
    return rows, tally


def _row(program, case, emulator, cuda, reason):
    return {"where": program, "what": case, "emulator": emulator, "cuda": cuda, "reason": reason}


def _finding_that_explains(case):
    kinds = sorted({kind for kind, *_ in case.get("findings", []) if kind.startswith(_ANYTHING)})
    return "finding " + ", ".join(kinds) if kinds else ""


def counters(state, known):
    """A row for each stage, kernel and metric that both have."""
    rows = []
    for stage, sides in sorted(state.items()):
        if not {"emulator", "cuda"} <= sides.keys():
            continue
        ours, theirs = sides["emulator"], sides["cuda"]
        for kernel in sorted(ours.keys() | theirs.keys()):
            if kernel not in ours or kernel not in theirs:
                side = "card" if kernel in theirs else "emulator"
                reason = known.reason("counters", stage=stage, kernel=kernel, metric="launches")
                rows.append({"where": stage, "kernel": kernel, "metric": f"only on the {side}",
                             "emulator": 0, "cuda": 0, "same": False, "reason": reason})
                continue
            for metric in ["launches", *METRICS]:
                if metric not in theirs[kernel]:
                    continue
                got, want = ours[kernel].get(metric, 0), theirs[kernel][metric]
                reason = ""
                if got != want:
                    reason = known.reason("counters", stage=stage, kernel=kernel, metric=metric,
                                          distance=abs(got - want) / max(got, want),
                                          card="more" if want > got else "fewer")
                rows.append({"where": stage, "kernel": kernel, "metric": metric, "emulator": got,
                             "cuda": want, "same": got == want, "reason": reason})
    return rows


def take_counters(state, older):
    """Takes from an older run what the card counted for stages that this run has only emulated: where
    neither the source nor what the emulator counted has changed since. The stages."""
    taken = []
    for stage, sides in state["counters"].items():
        earlier = older["counters"].get(stage, {})
        if ("cuda" not in sides and "cuda" in earlier
                and earlier.get("emulator") == sides["emulator"]
                and older["sources"][stage] == state["sources"][stage]):
            sides["cuda"] = earlier["cuda"]
            taken.append(stage)
    return taken


def findings(state, known):
    """(rows, only_ours): a row for each mistake that compute-sanitizer found; and the mistakes that
    only the emulator found, {kind: [programs]}."""
    rows = []
    only_ours = {}
    for program, entry in sorted(state.items()):
        if not is_complete(entry):
            continue
        ours = [kind for kind, severity, *_ in entry["emulator"]]
        classes = set()
        for tool in sorted(TOOLS):
            log = entry["tools"][tool]
            if log is None:  # the tool did not come to its end, as with a kernel that never does
                reason = known.reason("findings", program=program, tool=tool, message="no end") or (
                    "never ends" if entry["status"] == "never_ends" else "")
                rows.append(_finding(program, entry, tool, "other", "the tool did not end", 0,
                                     False, reason))
                continue
            for mistake in log:
                classes.add(mistake["class"])
                found = any(kind.startswith(KINDS.get(mistake["class"], ())) for kind in ours) or (
                    mistake["class"] == "api" and entry["status"] == "cuda_error")
                if _follows(mistake, log) and not (found and mistake["class"] == "leak"):
                    continue
                reason = "" if found else known.reason(
                    "findings", program=program, tool=tool, message=mistake["message"])
                rows.append(_finding(program, entry, tool, mistake["class"], mistake["message"],
                                     mistake["line"], found, reason))
        for kind in sorted(set(ours)):
            wanted = {name for name, kinds in KINDS.items() if kind.startswith(kinds)}
            if not wanted & classes:
                only_ours.setdefault(kind, []).append(program)
    return rows, only_ours


TOOLS = {"memcheck", "racecheck", "initcheck", "synccheck"}


def is_complete(entry):
    """True when all tools have run: a run may have been cut between two of them."""
    return TOOLS <= entry.get("tools", {}).keys()


def _finding(program, entry, tool, kind, message, line, found, reason):
    return {"where": program, "case": entry["case"], "tool": tool, "class": kind,
            "message": message, "line": line, "found": found, "reason": reason}


def _follows(mistake, log):
    """What comes of a kernel that has failed is not a mistake of its own: the errors that the runtime
    returns from then on, the memory that nobody frees any more."""
    failed = any(other["class"] in ("access", "misaligned", "barrier") for other in log)
    if mistake["class"] == "leak":
        return failed
    text = mistake["message"]
    return failed and mistake["class"] == "api" and any(name in text for name in (
        "cudaErrorLaunchFailure", "cudaErrorIllegalAddress", "cudaErrorMisalignedAddress",
        "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"))
