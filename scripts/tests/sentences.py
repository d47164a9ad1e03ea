#!/usr/bin/env python3
"""The texts that can stand in a headline are short and plain.

Texts: what clues, misreadings and concept checks say, hints, and what ladders advise next. At most 80
words, at most grade 9 (Flesch-Kincaid), no alternatives, and titles of checks say what is to be done and
not what is to be left out, so that no sentence about a check negates a negative."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_WORDS = 80
HIGHEST_GRADE = 9
# The formula is made for passages: of a few words, one long one decides.
FEWEST_WORDS = 20
NEGATIVE = re.compile(r"\b(no|not|nor|never|without|nothing|none)\b", re.IGNORECASE)
ALTERNATIVES = re.compile(r"\b(alternatively|either way|another way is|or else)\b", re.IGNORECASE)


def plain(text):
    """Code and places count as one word each."""
    text = re.sub(r"`[^`]*`|\$[^$]*\$", "code", " ".join(text.split()))
    return re.sub(r"[\w.]+(?:::|:)[\w.]+|\w+_\w+|\S*[\[\]()=*/^<>+]\S*", "code", text)


def words_of(text):
    return re.findall(r"[A-Za-z][A-Za-z'_-]*|\d[\d,.]*", plain(text))


def syllables(word):
    """An estimate: groups of vowels, without a silent e."""
    word = re.sub(r"[^a-z]", "", word.lower())
    if len(word) <= 3:
        return 1
    word = re.sub(r"(?:[^laeiouy]es|[^laeiouytd]ed|[^laeiouy]e)$", "", word)
    return max(1, len(re.findall(r"[aeiouy]{1,2}", re.sub(r"^y", "", word))))


def grade(text):
    words = words_of(text)
    sentences = [s for s in re.split(r"[.!?;:](?:\s|$)", plain(text)) if s.strip()]
    return (0.39 * len(words) / max(1, len(sentences)) +
            11.8 * sum(map(syllables, words)) / max(1, len(words)) - 15.59)


def complaints(text):
    found = []
    count = len(words_of(text))
    if count > MOST_WORDS:
        found.append(f"{count} words, at most {MOST_WORDS}")
    if count >= FEWEST_WORDS and grade(text) > HIGHEST_GRADE:
        found.append(f"grade {grade(text):.1f}, at most {HIGHEST_GRADE}")
    if ALTERNATIVES.search(text):
        found.append("more than one way")
    return found


def title_complaints(title):
    return ["negative: say what is to be done"] if NEGATIVE.search(title) else []


def texts():
    """(where, text, its complaints)."""
    for file in sorted(ROOT.glob("labs/*/lab.toml")):
        lab = tomllib.loads(file.read_text(encoding="utf-8"))
        where = file.relative_to(ROOT)
        for check in lab.get("concept", []):
            yield where, check["title"], title_complaints(check["title"])
            if "hint" in check:
                yield where, check["hint"], complaints(check["hint"])
        for kind, key in (("clue", "says"), ("case", "hint"), ("rung", "next")):
            for row in lab.get(kind, []):
                if key in row:
                    yield where, row[key], complaints(row[key])
    literal = r'"((?:[^"\\]|\\.)*)"'
    for file in sorted(ROOT.glob("reference/*/misreadings.cpp")):
        code = re.sub(r'"\s*\n\s*"', "", file.read_text(encoding="utf-8"))
        for text in re.findall(r'add(?:_\w+)?\(\s*"[a-z0-9-]+",\s*' + literal, code):
            yield file.relative_to(ROOT), text, complaints(f"Your output is exactly the right one {text}.")


def check_the_checks():
    assert title_complaints("A pixel is not loaded for every window")
    assert not title_complaints("Windows share the pixels that are loaded")
    assert complaints("word " * 81) and not complaints("word " * 13)
    assert complaints("Notwithstanding the considerable organisational impediments, simultaneous initialisation of "
                      "heterogeneous multidimensional accumulators necessitates additional synchronisation of all participants in every iteration.")
    assert not complaints("Each thread adds its own value to the sum, and one of them waits for all the others "
                          "before it stores what they have found.")


def main():
    check_the_checks()
    count = 0
    bad = 0
    for where, text, found in texts():
        count += 1
        for complaint in found:
            bad += 1
            print(f"{where}: {complaint}: {' '.join(text.split())}")
    print(f"{count} texts, {bad} complaints")
    return 1 if bad or count < 1000 else 0


sys.exit(main())
