"""Compares verdicts of scripts/corpus (docs/corpus.md), and says what to do about a difference."""

import collections

SAME, BETTER, WORSE = "same", "better", "worse"
LATE = "out of time"  # an exit status; such a run has no findings
FALSE = "false:"  # how the reason of a finding starts that is not a bug in the program

ADVICE = {
    "built": "compile it by hand to see why",
    "error": "another error: compile it by hand; --write stores it",
    "exit": "run it by hand under warpsim",
    "prints": "run it by hand under warpsim: its output no longer has what the list wants",
    "prints_now": "its output now has what the list wants: --write stores it",
    "stdout_sha256": "compare its output with that of the earlier build",
    "gone": "a bug that is no longer found, unless its code changed",
    "gone_false": "a false finding less: --write stores it",
    "new": "read the code: report a false finding; store a true one by --write, and give it a reason",
    "built_now": "it builds now: --write stores its verdict",
    "ends_now": "it ends now: --write stores its verdict",
}


class Difference:
    """One line: what it is about, what was and what is, which way, and what to do."""

    def __init__(self, about, was, now, way, advice):
        self.about, self.was, self.now, self.way, self.advice = about, was, now, way, ADVICE[advice]

    def __str__(self):
        return f"{self.about} was {self.was}, is {self.now}: {self.advice}"


def shown(value):
    return {True: "yes", False: "no", None: "-"}.get(value, value) if isinstance(value, (bool, type(None))) else value


def ends_well(verdict):
    return verdict.get("exit") == 0


def verdicts(was, now):
    """The differences between two verdicts, worst first."""
    if was["built"] != now["built"]:
        if now["built"]:
            return [Difference("built", f"no ({was.get('error', 'other')})", "yes", BETTER, "built_now")]
        return [Difference("built", "yes", f"no ({now['error']})", WORSE, "built")]
    found = []
    if was.get("error") != now.get("error"):
        found.append(Difference("compile error", was.get("error", "-"), now.get("error", "-"), WORSE, "error"))
    if was.get("exit") != now.get("exit"):
        better = ends_well(now)
        found.append(Difference("exit status", shown(was.get("exit")), shown(now.get("exit")),
                                BETTER if better else WORSE, "ends_now" if better else "exit"))
    if was.get("prints") != now.get("prints"):
        better = now.get("prints") is True
        found.append(Difference("expected output", shown(was.get("prints")), shown(now.get("prints")),
                                BETTER if better else WORSE, "prints_now" if better else "prints"))
    if was.get("stdout_sha256") != now.get("stdout_sha256") and not any(difference.way == BETTER
                                                                         for difference in found):
        found.append(Difference("SHA-256 of the output", was.get("stdout_sha256", "-")[:12],
                                now.get("stdout_sha256", "-")[:12], WORSE, "stdout_sha256"))
    if LATE not in (was.get("exit"), now.get("exit")):
        found += findings(was.get("findings", []), now.get("findings", []))
    return sorted(found, key=lambda difference: difference.way != WORSE)


def findings(was, now):
    """Each finding that is new, gone, or there another number of times."""
    before = collections.Counter({key_of(finding): finding["count"] for finding in was})
    after = collections.Counter({key_of(finding): finding["count"] for finding in now})
    false = {key_of(finding) for finding in was if finding.get("why", "").startswith(FALSE)}
    found = []
    for key in sorted(before.keys() | after.keys()):
        if before[key] == after[key]:
            continue
        less = after[key] < before[key]
        way = BETTER if less and key in false else WORSE
        advice = "new" if not less else "gone_false" if key in false else "gone"
        found.append(Difference(f"finding {key[0]} at {key[1]} ({key[2]})", times(before[key]), times(after[key]),
                                way, advice))
    return found


def key_of(finding):
    return finding["kind"], finding["at"], finding["severity"]


def times(count):
    return "not there" if count == 0 else "there" if count == 1 else f"there {count} times"
