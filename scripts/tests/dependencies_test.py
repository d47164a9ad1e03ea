"""Tests of scripts/tests/dependencies.py on small trees."""

import pathlib
import tempfile
import unittest

from dependencies import Rules, check, with_tables

RULES = """
[parts]
low = []
high = ["low"]
[folder.low]
a = { does = "a" }
b = { does = "b", includes = ["a"] }
[folder.high]
c = { does = "c", includes = ["low/b"] }
"""
FILES = {
    "low/a/a.h": "",
    "low/b/b.h": '#include "low/a/a.h"\n#include <vector>\n',
    "high/c/c.cpp": '#include "low/b/b.h"\n',
}


class Dependencies(unittest.TestCase):
    def problems(self, files=None, rules=RULES):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**FILES, **(files or {})}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return check(root, Rules(rules))[1]

    def has_one(self, problems, words):
        self.assertEqual(len(problems), 1, problems)
        self.assertIn(words, problems[0])

    def test_a_tree_that_is_as_listed_has_no_problem(self):
        self.assertEqual(self.problems(), [])

    def test_an_include_that_is_not_listed_is_found(self):
        self.has_one(
            self.problems({"high/c/c.h": '#include "low/a/a.h"\n'}),
            "does not list that high/c includes low/a",
        )

    def test_an_include_by_a_relative_name_is_found(self):
        self.has_one(
            self.problems({"low/a/x.h": '#include "../b/b.h"\n'}),
            "does not list that low/a includes low/b",
        )

    def test_an_include_against_the_order_of_parts_is_found(self):
        self.has_one(
            self.problems({"low/a/a.h": '#include "high/c/c.h"\n', "high/c/c.h": ""}),
            "low may not include high",
        )

    def test_a_cycle_cannot_be_listed(self):
        rules = RULES.replace('does = "a"', 'does = "a", includes = ["b"]')
        self.has_one(
            self.problems({"low/a/a.h": '#include "low/b/b.h"\n'}, rules),
            "low/a lists low/b, which does not stand before it",
        )

    def test_a_listed_dependency_that_does_not_exist_is_found(self):
        self.has_one(
            self.problems({"low/b/b.h": "// #include nothing\n"}), "low/b lists low/a and includes"
        )

    def test_a_folder_that_is_not_listed_is_found_and_a_subfolder_belongs_to_its_own(self):
        self.has_one(self.problems({"low/d/d.h": ""}), "its folder is not listed")
        self.assertEqual(self.problems({"low/b/inner/d.h": '#include "low/a/a.h"\n'}), [])

    def test_subfolders_that_are_not_listed_form_no_cycle(self):
        inner = {"low/b/x/x.h": '#include "low/b/y/y.h"\n', "low/b/y/y.h": ""}
        self.assertEqual(self.problems(inner), [])
        problems = self.problems({**inner, "low/b/y/y.h": '#include "low/b/x/x.h"\n'})
        self.assertEqual(len(problems), 2, problems)
        self.assertIn("low/b/y depends on low/b/x, too", problems[0])

    def test_an_exception_needs_to_exist(self):
        exception = '[[exception]]\nfrom = "low/a"\nto = "low/b"\nreason = "for now"\n'
        self.assertEqual(
            self.problems({"low/a/a.h": '#include "low/b/b.h"\n'}, RULES + exception), []
        )
        self.has_one(self.problems({}, RULES + exception), "low/a lists low/b and includes nothing")

    def test_tests_include_what_their_part_may_and_only_tests_include_support_for_tests(self):
        self.assertEqual(
            self.problems(
                {
                    "high/c/c_test.cpp": '#include "low/a/a.h"\n#include "high/testing/t.h"\n',
                    "high/testing/t.h": '#include "low/a/a.h"\n',
                }
            ),
            [],
        )
        self.has_one(
            self.problems({"high/c/c.h": '#include "high/testing/t.h"\n', "high/testing/t.h": ""}),
            "which is for tests",
        )
        self.has_one(
            self.problems({"low/b/b_test.cpp": '#include "high/c/c.h"\n', "high/c/c.h": ""}),
            "low may not include high",
        )

    def test_the_page_has_a_table_of_each_part(self):
        page = "<!-- folders of low -->\nstale row\n<!-- end -->\n<!-- folders of high -->\n<!-- end -->\n"
        made = with_tables(page, Rules(RULES))
        self.assertIn("| `b` | b | `a` |", made)
        self.assertNotIn("stale", made)
        self.assertEqual(with_tables(made, Rules(RULES)), made)


if __name__ == "__main__":
    unittest.main()
