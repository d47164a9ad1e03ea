"""Programs with two mistakes, made from the labs' wrong programs, which have one each.

Wrong programs come in families: most are the same right program with one place changed, which need not
be in any file. Any third one of the family stands in for it. In a three-way merge of A and B
over C, what C changed is the same in A and B and so is undone, and what A and what B changed both come
through. Several such C have to agree on the result."""

import collections
import difflib
import hashlib
import itertools
import re
import subprocess
import tempfile
from pathlib import Path

FAMILY = 40  # changed lines that two programs of a family may differ by
WITNESSES = 5  # of the programs nearest to both


def code_of(text):
    """A wrong program without the lines that say what is wrong with it."""
    return re.sub(r"\A(?:// .*\n)+", "", text)


def claim_of(text):
    """The pitfall that a wrong program names; None where it names none."""
    found = re.search(r"^// pitfall: (P\d+)$", text, re.MULTILINE)
    return found.group(1) if found else None


def distance(one, other):
    """Lines that only one of the two texts has, at most one more than FAMILY."""
    lines = difflib.unified_diff(one.splitlines(), other.splitlines(), n=0, lineterm="")
    changed = (line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---"))
    return sum(1 for _ in itertools.islice(changed, FAMILY + 1))


def merge(one, base, other):
    """The three-way merge of three texts; None where both sides changed one place."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, text in (("one", one), ("base", base), ("other", other)):
            files.append(Path(folder) / name)
            files[-1].write_text(text, encoding="utf-8")
        done = subprocess.run(["git", "merge-file", "-p", *files], capture_output=True, text=True,
                              check=False)
    return done.stdout if done.returncode == 0 else None


def merged(codes, distances, one, other):
    """A program with the mistakes of both; None where the family does not agree on one."""
    def far(name):
        return distances[one, name] + distances[other, name]

    witnesses = sorted((name for name in codes if name not in (one, other)
                        and distances[one, name] <= FAMILY and distances[other, name] <= FAMILY),
                       key=lambda name: (far(name), name))[:WITNESSES]
    results = collections.Counter(merge(codes[one], codes[base], codes[other])
                                  for base in witnesses)
    results.pop(None, None)
    for name in (one, other):  # one mistake has been lost
        results.pop(codes[name], None)
    if not results:
        return None
    text, votes = results.most_common(1)[0]
    return text if votes >= 2 else None


class Family:
    """The wrong programs of a folder, each written whole."""

    def __init__(self, folder):
        texts = {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.cu"))}
        self.claims = {name: claim_of(text) for name, text in texts.items()}
        self.codes = {name: code_of(text) for name, text in texts.items()}
        self.distances = {}
        for one, other in itertools.combinations(self.codes, 2):
            self.distances[one, other] = self.distances[other, one] = distance(
                self.codes[one], self.codes[other])

    def program(self, pair):
        """The program with both mistakes of "no_guard--naive"; None where there is none."""
        one, other = pair.split("--")
        if one not in self.codes or other not in self.codes:
            return None
        return merged(self.codes, self.distances, one, other)

    def choose(self, most):
        """Up to `most` pairs that merge, spread over the folder: both programs name a pitfall, and
        not the same one. The same files give the same pairs."""
        wanted = [f"{one}--{other}" for one, other in itertools.combinations(self.codes, 2)
                  if self.claims[one] and self.claims[other]
                  and self.claims[one] != self.claims[other]
                  and self.distances[one, other] <= FAMILY]
        wanted.sort(key=lambda pair: hashlib.sha256(pair.encode()).hexdigest())
        return sorted(itertools.islice((pair for pair in wanted if self.program(pair)), most))
