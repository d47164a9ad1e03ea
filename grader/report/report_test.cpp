#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/report/html.h"
#include "grader/report/line_counters.h"
#include "grader/report/markdown.h"
#include "grader/report/picture.h"
#include "grader/report/source_view.h"
#include "grader/report/terminal.h"
#include "grader/report/wording.h"
#include "grader/score/score.h"
#include "grader/testing/evidence.h"
#include "harness/tolerance/pattern.h"

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
  CHECK(contains(feedback_page(grade, "."),
                 "You stand on rung 1 of 2: <strong>Tree in shared memory</strong>."));
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
  CHECK(contains(page,
                 "<div class=\"row marked\"><span class=\"h\"></span><span "
                 "class=\"no\">7</span><code>the bad line</code>"));
  CHECK(contains(page,
                 "<div class=\"row\"><span class=\"h\"></span><span "
                 "class=\"no\">6</span><code>6</code>"));
  CHECK(contains(page, "P2: Rounded down"));
  CHECK(contains(page, "Text of the page."));
}

TEST_CASE("everything that a submission says is escaped", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const std::string attack = "</pre></style><script>alert('x')</script>{{summary}}<!--scripts-->";
  grade.student = attack;
  grade.sources = {{.name = attack, .text = attack}};
  grade.output = attack;
  grade.build_log = attack;
  grade.findings[0].message = attack;
  grade.summary = attack;
  const std::string page = feedback_page(grade, "");
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "</pre></style>"));
  CHECK_FALSE(contains(page, "<!--scripts-->"));
  CHECK(contains(page, "{{summary}}"));
}

TEST_CASE("pages ask no server for anything", "[report][html]") {
  const Lab lab = test_lab();
  Gradebook book;
  book.rows = {row_of(wrong_grade(lab))};
  for (const std::string& page : {feedback_page(wrong_grade(lab), ""), class_page(book, "")}) {
    CHECK_FALSE(contains(page, "<link"));
    CHECK_FALSE(contains(page, "<script src"));
    CHECK(contains(page, "default-src 'none'"));
    CHECK_FALSE(contains(page, "@import"));
    CHECK(contains(page, "prefers-color-scheme: dark"));
  }
}

TEST_CASE("a race has two places: the line that was caught and the other access's",
          "[report][source]") {
  ReportedFinding f;
  f.file = "a.cu";
  f.line = 9;
  f.who = "block (0,0,0) thread (1,0,0) reads; block (0,0,0) thread (0,0,0) writes";
  f.got = "byte offset 0 of `s`; the other access: a.cu:8: st.shared.f32 [%r7], %f61";
  const std::vector<FindingPlace> places = places_of(f);
  REQUIRE(places.size() == 2);
  CHECK(places[0].who == "block (0,0,0) thread (1,0,0) reads");
  CHECK(places[1].file == "a.cu");
  CHECK(places[1].line == 8);
  CHECK(places[1].who == "block (0,0,0) thread (0,0,0) writes");
  f.got = "unwritten bytes; the value matters: it is stored at a.cu:24: st.global";
  CHECK(places_of(f).size() == 1);
  f.file = "";
  CHECK(places_of(f).empty());
}

TEST_CASE("counters of a line are summed over kernels, and only what stands out is remarked",
          "[report][source]") {
  KernelReport kernel;
  kernel.lines = {{.file = "a.cu",
                   .line = 3,
                   .counters = {{"smsp__inst_executed.sum", 10},
                                {"smsp__thread_inst_executed.sum", 160},
                                {"smsp__thread_inst_executed_per_inst_executed.ratio", 16},
                                {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 2},
                                {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 64}}}};
  const SourceCounters lines = count_lines({kernel, kernel});
  const LineCounters& line = lines.at({"a.cu", 3});
  CHECK(line.instructions() == 20);
  CHECK(line.sectors() == 128);
  CHECK(line.remarks() == std::vector<std::string>{"32 sectors/request"});
  const std::vector<LineCounters::Number> numbers = line.numbers(40);
  CHECK(numbers.at(0).meaning == "50.0 % of all that ran");
  CHECK(numbers.at(1).value == "16");
}

TEST_CASE("a wrong map becomes a picture with a block's borders", "[report][picture]") {
  const std::uint64_t shape[] = {1024};
  const WrongMap map = map_wrong("c", std::vector<bool>(1024, false), shape);
  const std::string svg = wrong_map_svg(map, {256, 1, 1}, "<c>");
  CHECK(contains(svg, "aria-label=\"&lt;c>\""));
  CHECK(contains(svg, "class=\"w5\""));
  CHECK(contains(svg, "class=\"blocks\""));
  CHECK(contains(wrong_map_caption(map, {256, 1, 1}), "Lines every 256 elements"));
  CHECK_FALSE(contains(wrong_map_svg(map, {}, ""), "class=\"blocks\""));
  CHECK_FALSE(contains(wrong_map_svg(map, {96, 1, 1}, ""), "class=\"blocks\""));
}

TEST_CASE("a page of markdown links only to pages that are carried along", "[report][markdown]") {
  const std::string html =
      html_of_markdown("# P1: x\n\n[a](P2.md), [b](P3.md), [c](http://x.org) <b>\n", {"P2"});
  CHECK(html == "<p><a href=\"#pitfall-P2\">a</a>, b, c &lt;b&gt;</p>\n");
}

TEST_CASE("an alias is the same every time, and another with another secret", "[report][alias]") {
  CHECK(alias_of("s01", "a") == alias_of("s01", "a"));
  CHECK(alias_of("s01", "a") != alias_of("s01", "b"));
  CHECK(alias_of("s01", "a") != alias_of("s02", "a"));
}

TEST_CASE("counts are grouped by thousands", "[report][wording]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(-1234567) == "-1,234,567");
  CHECK(grouped(4.6041) == "4.604");
}

TEST_CASE("every pattern has a meaning in words", "[report][wording]") {
  for (const std::string& name : pattern_names()) {
    INFO(name);
    CHECK_FALSE(pattern_meaning(name).empty());
  }
  CHECK(pattern_meaning("no such").empty());
}

TEST_CASE("the terminal lists the concept checks that were missed, with their numbers",
          "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  CHECK_FALSE(contains(terminal_feedback(grade, {.columns = 80, .color = false}), "Concepts"));
  for (Item& item : grade.items) {
    if (item.category == Category::concept_check) {
      item.status = ItemStatus::failed;
      item.message = "500 sectors; the formula gives 250.";
      item.numbers = ConceptNumbers{};
    }
  }
  const std::string text = terminal_feedback(grade, {.columns = 80, .color = false});
  CHECK(contains(text, "Concepts\n  FAIL  Each input element is read once\n        500 sectors"));
}

TEST_CASE("the class page counts, links and flags", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.student = "s 01&";
  grade.integrity = {{.kind = "ended-early", .message = "It left early.", .evidence = ""}};
  Gradebook book;
  book.rows = {row_of(grade)};
  const std::string page = class_page(book, "");
  CHECK(contains(page, "1 grades, 1 students, 0 passed"));
  CHECK(contains(page, "href=\"s%2001%26/vecadd/feedback.html\""));
  CHECK(contains(page, "s 01&amp;"));
  CHECK(contains(page, "It left early."));
  CHECK(contains(page, "Most common pitfalls"));
}

}  // namespace
}  // namespace warpgrade
