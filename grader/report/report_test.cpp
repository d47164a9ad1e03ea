#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/report/html.h"
#include "grader/report/terminal.h"
#include "grader/score/score.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::add_finding;
using testing::make_wrong;
using testing::right_evidence;
using testing::test_lab;

/// A grade with a wrong visible case, a wrong hidden one and a finding on line 7.
Grade wrong_grade(const Lab& lab) {
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "tail", 96, 12345, 54321);
  make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  evidence.cases[1].report.visible = false;
  evidence.cases[1].report.message = "hidden detail";
  add_finding(evidence, "oob-global-write", "error");
  Grade grade;
  grade.lab = lab.id;
  grade.lab_title = lab.title;
  grade.student = "s01";
  grade.started = "2026-11-21T09:30:00Z";
  grade.summary = "Look at the grid.";
  grade.pitfall = "P2";
  for (const CaseOutcome& c : evidence.cases) {
    grade.cases.push_back(c.report);
  }
  grade.findings = evidence.findings;
  grade.items = score_items(evidence);
  grade.sources = {{.name = "vecadd.cu", .text = "1\n2\n3\n4\n5\n6\nthe bad line\n"}};
  return grade;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the terminal shows points, the first wrong elements, findings and what to do first",
          "[report][terminal]") {
  const Lab lab = test_lab();
  const std::string text = terminal_feedback(wrong_grade(lab), {.columns = 80, .color = false});
  CHECK(contains(text, "Vector addition (vecadd)"));
  CHECK(contains(text, "5 / 100 points"));
  CHECK(contains(text, "c[96] = 12345, want 54321"));
  CHECK(contains(text, "hint: hint of small"));
  CHECK(contains(text, "error[oob-global-write]: message of oob-global-write"));
  CHECK(contains(text, "Next:  Look at the grid."));
  CHECK(contains(text, "docs/pitfalls/P2.md"));
}

TEST_CASE("no line of the terminal's feedback is longer than 80 columns", "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.summary = std::string(30, 'x') + " " + std::string(30, 'y') + " " + std::string(30, 'z');
  grade.findings[0].message = grade.summary;
  grade.findings[0].next = grade.summary + " " + grade.summary;
  grade.items.back().message = grade.summary;
  const std::string text = terminal_feedback(grade, {.columns = 80, .color = false});
  for (const std::string_view line : split_lines(text)) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("both reports say where a submission stands on the ladder, and what is next",
          "[report][rung]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  CHECK_FALSE(contains(terminal_feedback(grade, {.columns = 80, .color = false}), "Ladder"));
  grade.rung = RungReport{.index = 1,
                          .count = 2,
                          .stage = "01_tree",
                          .title = "Tree in shared memory",
                          .next_title = "First add on load",
                          .next = "Halves the blocks."};
  CHECK(contains(terminal_feedback(grade, {.columns = 100, .color = false}),
                 "Ladder: rung 1 of 2, Tree in shared memory. Next: First add on load: Halves the "
                 "blocks."));
  CHECK(contains(feedback_page(grade, "."), "Ladder: rung 1 of 2, Tree in shared memory."));
  grade.rung = RungReport{.index = 2,
                          .count = 2,
                          .stage = "02",
                          .title = "First add on load",
                          .next_title = "",
                          .next = ""};
  CHECK(contains(terminal_feedback(grade, {.columns = 80, .color = false}),
                 "Ladder: rung 2 of 2, First add on load.\n"));
}

TEST_CASE("colour is used only where it is asked for", "[report][terminal]") {
  const Lab lab = test_lab();
  CHECK_FALSE(
      contains(terminal_feedback(wrong_grade(lab), {.columns = 80, .color = false}), "\x1b"));
  CHECK(contains(terminal_feedback(wrong_grade(lab), {.columns = 80, .color = true}), "\x1b[31m"));
}

TEST_CASE("hidden cases show that they failed and nothing of their data", "[report]") {
  const Lab lab = test_lab();
  const Grade grade = wrong_grade(lab);
  for (const std::string& text :
       {terminal_feedback(grade, {.columns = 80, .color = false}), feedback_page(grade, "")}) {
    CHECK(contains(text, "large (hidden)"));
    CHECK_FALSE(contains(text, "66666"));
    CHECK_FALSE(contains(text, "hidden detail"));
  }
}

TEST_CASE("a student's page marks the finding's line and carries the pitfall's page",
          "[report][html]") {
  const Lab lab = test_lab();
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "P2.md", "# P2: Rounded down\n\nText of the page.\n");
  const std::string page = feedback_page(wrong_grade(lab), scratch.path());
  CHECK(contains(page, "<span class=\"line marked\"><span class=\"no\">7</span>the bad line"));
  CHECK(contains(page, "<span class=\"line\"><span class=\"no\">6</span>6"));
  CHECK(contains(page, "P2: Rounded down"));
  CHECK(contains(page, "Text of the page."));
}

TEST_CASE("everything that a submission says is escaped", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const std::string attack = "</pre></style><script>alert('x')</script>{{summary}}";
  grade.student = attack;
  grade.sources = {{.name = attack, .text = attack}};
  grade.output = attack;
  grade.build_log = attack;
  grade.findings[0].message = attack;
  grade.summary = attack;
  const std::string page = feedback_page(grade, "");
  CHECK_FALSE(contains(page, "<script"));
  CHECK_FALSE(contains(page, "</pre></style>"));
  CHECK(contains(page, "{{summary}}"));
}

TEST_CASE("pages ask no server for anything", "[report][html]") {
  const Lab lab = test_lab();
  Gradebook book;
  book.rows = {row_of(wrong_grade(lab))};
  for (const std::string& page : {feedback_page(wrong_grade(lab), ""), class_page(book, "")}) {
    CHECK_FALSE(contains(page, "http"));
    CHECK_FALSE(contains(page, " src="));
    CHECK_FALSE(contains(page, "@import"));
    CHECK(contains(page, "prefers-color-scheme: dark"));
  }
}

TEST_CASE("the class page counts, links and flags", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.student = "s 01&";
  grade.integrity = {{.kind = "ended-early", .message = "It left early.", .evidence = ""}};
  Gradebook book;
  book.rows = {row_of(grade)};
  const std::string page = class_page(book, "");
  CHECK(contains(page, "1 grades, 1 students"));
  CHECK(contains(page, "href=\"s%2001%26/vecadd/feedback.html\""));
  CHECK(contains(page, "s 01&amp;"));
  CHECK(contains(page, "It left early."));
  CHECK(contains(page, "Most common pitfalls"));
}

}  // namespace
}  // namespace warpgrade
