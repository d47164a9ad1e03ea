"""Which of a program's cases run on the card, where not all of them do."""

import itertools


def some_of_each_verdict(cases, most):
    """At most `most` names, in the cases' order: dealt out among the verdicts that there are, and from
    all over each one's cases, since neighbours are of a kind."""
    by_status = {}
    for name, case in cases.items():
        by_status.setdefault(case["status"], []).append(name)
    dealt = [name for names in itertools.zip_longest(*map(halving, by_status.values()))
             for name in names if name]
    return [name for name in cases if name in dealt[:most]]


def halving(names):
    """The last, the first, the one in the middle, those in the middle of the halves, ..."""
    spans = [(0, len(names) - 1)]
    order = [len(names) - 1, 0]
    for first, last in spans:  # grows
        middle = (first + last) // 2
        order.append(middle)
        spans += [span for span in ((first, middle), (middle, last)) if span[1] - span[0] > 1]
    return list(dict.fromkeys(names[i] for i in order))


def case_with_most(cases):
    """The first case in which the emulator found the most kinds of mistakes; where it found none,
    the first that is not right, else the one in the middle: the first cases are empty or tiny."""
    names = list(cases)

    def worth(name):
        return len({kind for kind, *_ in cases[name]["findings"]})
    best = max(names, key=worth)
    if worth(best) == 0:
        best = next((name for name in names if cases[name]["status"] != "passed"),
                    names[len(names) // 2])
    return best, cases[best]
