"""Tests of scripts/diagnosis on small examples."""

import json
import os
import pathlib
import re
import tempfile
import unittest

import wrong_programs
from diagnosis import claims, report
from diagnosis.pairs import Family, claim_of, code_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = [f"line {i}" for i in range(20)]


def program(pitfall, **changed):
    lines = list(RIGHT)
    for place, text in changed.items():
        lines[int(place[1:])] = text
    return f"// verdict: x\n// pitfall: {pitfall}\n// caught-by: y\n" + "\n".join(lines) + "\n"


def family(**programs):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs.items():
            (pathlib.Path(folder) / f"{name}.cu").write_text(text, encoding="utf-8")
        return Family(pathlib.Path(folder))


def said(pitfall, summary=""):
    headline = {"pitfall": pitfall, "summary": summary}
    return {"built": True, "all": headline, "shown": headline}


class PairsTest(unittest.TestCase):
    def test_both_mistakes_come_through_and_no_third(self):
        found = family(a=program("P1", l2="A"), b=program("P2", l9="B"), c=program("P3", l15="C"),
                       d=program("P4", l18="D"))
        self.assertEqual(found.program("a--b"), code_of(program("P9", l2="A", l9="B")))

    def test_mistakes_in_one_place_do_not_merge(self):
        found = family(a=program("P1", l2="A"), b=program("P2", l2="B"), c=program("P3", l15="C"),
                       d=program("P4", l18="D"))
        self.assertIsNone(found.program("a--b"))

    def test_one_witness_is_not_enough(self):
        found = family(a=program("P1", l2="A"), b=program("P2", l9="B"), c=program("P3", l15="C"))
        self.assertIsNone(found.program("a--b"))

    def test_pairs_have_two_pitfalls(self):
        found = family(a=program("P1", l2="A"), b=program("P1", l9="B"), c=program("none", l15="C"),
                       d=program("P4", l18="D"))
        self.assertEqual(found.choose(9), ["a--d", "b--d"])
        self.assertEqual(len(found.choose(1)), 1)

    def test_a_claim_is_read_and_taken_away(self):
        self.assertEqual(claim_of(program("P12")), "P12")
        self.assertIsNone(claim_of(program("none")))
        self.assertNotIn("pitfall", code_of(program("P12")))

    def test_the_pairs_of_a_lab_still_merge(self):
        names = json.loads((ROOT / "grader/tests/attempts/pairs.json").read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            wrong_programs.write(os.environ["WARPGRADE_PROGRAM"], "vecadd", pathlib.Path(folder))
            found = Family(pathlib.Path(folder))
        self.assertEqual([name for name in names["vecadd"][:10] if not found.program(name)], [])


class ReportTest(unittest.TestCase):
    def test_a_headline_is_right_where_it_names_one_of_the_pitfalls(self):
        self.assertTrue(report.is_right({"pitfalls": ["P1", "P2"]}, said("P2")["all"]))
        self.assertFalse(report.is_right({"pitfalls": ["P1"]}, said("P2")["all"]))
        none = {"pitfalls": [""], "says": "negative"}
        self.assertTrue(report.is_right(none, said("", "of two negative ones")["all"]))
        self.assertFalse(report.is_right(none, said("", "wrong")["all"]))

    def test_a_sentence_that_says_the_mistake_is_right_with_any_pitfall(self):
        label = {"pitfalls": ["P1"], "says": "two rows"}
        self.assertTrue(report.is_right(label, said("P5", "a.cu:3: of two rows")["all"]))
        self.assertTrue(report.is_right(label, said("P1", "a.cu:3: wrong")["all"]))
        self.assertFalse(report.is_right(label, said("P5", "a.cu:3: of two columns")["all"]))
        self.assertFalse(report.is_right({"pitfalls": ["", "P1"]}, said("", "wrong")["all"]))

    def test_the_name_of_a_file_says_nothing(self):
        label = {"pitfalls": [""], "says": "flip"}
        self.assertFalse(report.is_right(label, said("", "mask_flipped.cu:3: wrong")["all"]))

    def test_an_attempt_is_in_one_set(self):
        self.assertEqual(report.kind_of({"pitfalls": ["P1"]}), "attempts")
        self.assertEqual(report.kind_of({"pitfalls": ["P1"], "unseen": True}), "unseen")
        self.assertEqual(report.kind_of({"held_out": True, "unseen": True}), "held_out")
        own = {"pitfalls": ["P1"], "set": "attempts-2026-11-30"}
        self.assertEqual(report.kind_of(own), "attempts-2026-11-30")
        self.assertEqual(report.kind_of({**own, "held_out": True}), "held_out")

    def test_every_attempt_is_in_a_set_that_is_measured(self):
        text = (ROOT / "grader/tests/attempts/labels.json").read_text(encoding="utf-8")
        kinds = {report.kind_of(label) for label in json.loads(text).values()}
        self.assertLessEqual(kinds, set(report.TITLES))

    def test_after_one_is_mended_the_other_has_to_be_named(self):
        sets = {"mutants": {"x": [("a", {"pitfalls": ["P1"]}, said("P1")),
                                  ("b", {"pitfalls": ["P2"]}, said("P7"))]},
                "pairs": {"x": [("a--b", {"pitfalls": ["P1", "P2"]}, said("P2"))]},
                "attempts": {"x": []}}
        self.assertEqual(report.followed(sets), {"x": 1})
        self.assertFalse(report.reaches_aims(sets))  # b by itself
        sets["pairs"]["x"][0] = ("a--b", {"pitfalls": ["P1", "P2"]}, said("P1"))
        self.assertEqual(report.followed(sets), {"x": 0})
        self.assertIn("- x, `b`, all cases: P7, should be P2", report.tables(sets, "Today."))

    def test_labs_that_are_not_measured_keep_their_rows(self):
        def sets(lab, pitfall):
            one = (lab + "-a", {"pitfalls": ["P1"]}, said(pitfall))
            return {"mutants": {lab: [one]}, "pairs": {lab: []}, "attempts": {lab: [one]}}

        page = report.tables({kind: found | sets("y", "P2")[kind]
                              for kind, found in sets("x", "P2").items()}, "Yesterday.")
        new = report.tables(sets("y", "P1"), "Today.", page)
        self.assertIn("| x | 1 | 0 | 0 | 0 |\n| y | 1 | 1 | 1 | 0 |\n| all | 2 | 1 (50.0 %) |", new)
        self.assertIn("- x, `x-a`, all cases: P2, should be P1", new)
        self.assertNotIn("`y-a`", new)
        self.assertEqual(report.tables(sets("y", "P2"), "Yesterday.", page), page)

    def test_every_attempt_has_a_label_and_the_other_way_round(self):
        folder = ROOT / "grader/tests/attempts"
        labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        files = {f"{file.parent.name}/{file.stem}" for file in folder.glob("*/*.cu")}
        self.assertEqual(set(labels), files)

    def test_a_label_without_a_pitfall_has_words(self):
        text = (ROOT / "grader/tests/attempts/labels.json").read_text(encoding="utf-8")
        for name, label in json.loads(text).items():
            self.assertTrue("says" in label or "" not in label["pitfalls"], name)
            re.compile(label.get("says", ""))

    def test_attempts_that_are_kept_back_are_not_checked(self):
        labels = {"x/a": {"pitfalls": ["P1"]}, "x/b": {"pitfalls": ["P1"], "held_out": True},
                  "y/c": {"pitfalls": ["P1"]}}
        self.assertEqual(claims.chosen_attempts(labels, "x"), ["x/a"])

    def test_a_sample_of_wrong_programs_stays_the_same(self):
        files = [pathlib.Path(name) for name in ("a.cu", "b.cu", "c.cu")]
        chosen = claims.chosen_mutants(files, 2)
        self.assertEqual(len(chosen), 2)
        self.assertEqual(claims.chosen_mutants(reversed(files), 2), chosen)

    def test_untrue_claims_of_both_headlines_are_found(self):
        right = {"summary": "a.cu:3: it races.", "untrue": []}
        wrong = {"summary": "a.cu:9: it races.", "untrue": ["\"a.cu:9\": the line has no code."]}
        self.assertEqual(claims.complaints({"all": right, "shown": right}), [])
        self.assertEqual(claims.complaints({"all": right, "shown": wrong}),
                         [("shown", wrong["summary"], wrong["untrue"][0])])


if __name__ == "__main__":
    unittest.main()
