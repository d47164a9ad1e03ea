#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/core/instant.h"
#include "grader/core/text.h"
#include "grader/grade_submission/before_release.h"
#include "grader/report/html.h"
#include "grader/report/line_counters.h"
#include "grader/report/markdown.h"
#include "grader/report/parameter_order.h"
#include "grader/report/picture.h"
#include "grader/report/shown_findings.h"
#include "grader/report/source_view.h"
#include "grader/report/telling_case.h"
#include "grader/report/terminal.h"
#include "grader/report/terminal_markdown.h"
#include "grader/report/wording.h"
#include "grader/rubric/score.h"
#include "grader/testing/evidence.h"
#include "harness/tolerance/pattern.h"

namespace warpgrade {
namespace {

using testing::add_finding;
using testing::make_wrong;
using testing::right_evidence;
using testing::test_lab;

/// The test lab with its second case hidden, under a name that is nowhere else on a page.
Lab lab_with_hidden() {
  Lab lab = test_lab();
  lab.cases[1].name = lab.performance_case = lab.concepts[0].on = "moonrise";
  lab.cases[1].hint = "hint of moonrise";
  lab.cases[1].visible = false;
  return lab;
}

/// As a student sees it before the release, and as after it.
StudentView before(const Grade& grade) {
  return student_view(grade, false, "their results are shown from tomorrow");
}
StudentView shown(const Grade& grade) {
  return student_view(grade, true, "");
}

/// A grade with a wrong visible case, a wrong hidden one and a finding on line 7.
Grade wrong_grade(const Lab& lab) {
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "tail", 96, 12345, 54321);
  make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  evidence.cases[1].report.visible = false;
  evidence.cases[1].report.message = "hidden detail";
  add_finding(evidence, "oob-global-write", "error");
  evidence.cases[0].emulator->findings = evidence.findings;
  ReportedFinding only_there = evidence.findings[0];
  only_there.kind = "leak";
  only_there.message = "secret finding";
  only_there.cases = {lab.cases[1].name};
  evidence.cases[1].emulator->findings = {only_there};
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
  grade.before_release = before_release(evidence, grade.items, {}, grade.sources);
  return grade;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the terminal shows points, the first wrong elements, findings and what to do first",
          "[report][terminal]") {
  const Lab lab = test_lab();
  const std::string text =
      terminal_feedback(shown(wrong_grade(lab)), {.columns = 80, .color = false});
  CHECK(contains(text, "Vector addition (vecadd)"));
  CHECK(contains(text, "5 / 100 points"));
  CHECK(contains(text, "c[96] = 12345, want 54321"));
  CHECK(contains(text, "hint: hint of small"));
  CHECK(contains(text, "error[oob-global-write]: message of oob-global-write"));
  CHECK(contains(text, "Next:  Look at the grid."));
  CHECK(contains(text, "`warpgrade explain P2` has more."));
}

TEST_CASE("the terminal has every case in a table, and says of the first wrong one what is wrong",
          "[report][terminal]") {
  const Lab lab = test_lab();
  const std::string text =
      terminal_feedback(shown(wrong_grade(lab)), {.columns = 80, .color = false});
  CHECK(contains(text, "Cases" + std::string(13, ' ') + "n "));
  CHECK(contains(text, "  FAIL  small   100" + std::string(55, ' ') + "0 / 20\n"));
  CHECK(contains(text, "  FAIL  large  1000" + std::string(55, ' ') + "0 / 30\n"));
  CHECK(contains(text, "Case \"small\" n = 100\n"));
  CHECK_FALSE(contains(text, "hidden detail"));
  CHECK(contains(text, "--html FILE shows the other 1 in the same way."));
}

TEST_CASE("no line of the terminal's feedback is longer than 80 columns", "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.summary = std::string(30, 'x') + " " + std::string(30, 'y') + " " + std::string(30, 'z');
  grade.findings[0].message = grade.summary;
  grade.findings[0].next = grade.summary + " " + grade.summary;
  grade.items.back().message = grade.summary;
  const std::string text = terminal_feedback(shown(grade), {.columns = 80, .color = false});
  for (const std::string_view line : split_lines(text)) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("both reports say where a submission stands on the ladder, and what is next",
          "[report][rung]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  CHECK_FALSE(contains(terminal_feedback(shown(grade), {.columns = 80, .color = false}), "Ladder"));
  grade.rung = RungReport{.index = 1,
                          .count = 2,
                          .stage = "01_tree",
                          .title = "Tree in shared memory",
                          .next_title = "First add on load",
                          .next = "Halves the blocks."};
  CHECK(contains(terminal_feedback(shown(grade), {.columns = 100, .color = false}),
                 "Ladder: rung 1 of 2, Tree in shared memory. Next: First add on load. Halves the "
                 "blocks."));
  grade.rung->next_times_faster = 0.4;
  CHECK(contains(feedback_page(shown(grade), {}, "."),
                 "By itself it makes the program slower: about 2.5 times the time here."));
  grade.rung->next_times_faster = 1.5;
  CHECK(contains(feedback_page(shown(grade), {}, "."), "About 1.5 times faster here."));
  CHECK(contains(feedback_page(shown(grade), {}, "."),
                 "You are on rung 1 of 2: <strong>Tree in shared memory</strong>."));
  grade.rung = RungReport{.index = 2,
                          .count = 2,
                          .stage = "02",
                          .title = "First add on load",
                          .next_title = "",
                          .next = ""};
  CHECK(contains(terminal_feedback(shown(grade), {.columns = 80, .color = false}),
                 "Ladder: rung 2 of 2, First add on load.\n"));
}

TEST_CASE("sizes are in the order of the function's parameters, under their names",
          "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  for (CaseReport& c : grade.cases) c.shape = {{"k", 5}, {"m", 33}, {"n", 17}};
  CHECK(shape_text(grade.cases[0], {"m", "n", "k"}) == "m = 33, n = 17, k = 5");
  CHECK(shape_text(grade.cases[0], {"m"}) == "m = 33, k = 5, n = 17");
  CHECK(shape_text(grade.cases[0], {}) == "k = 5, m = 33, n = 17");  // of an earlier version
  StudentView seen = shown(grade);
  seen.parameters = {"m", "n", "k"};
  const std::string text = terminal_feedback(seen, {.columns = 80, .color = false});
  CHECK(contains(text, "   m   n  k"));
  CHECK(contains(text, "small  33  17  5"));
}

TEST_CASE("the order of a lab's parameters is that of its function", "[report]") {
  Lab lab = test_lab();
  CHECK(parameter_order(lab).empty());
  const auto scalar = [](const char* name, const char* value) {
    return Parameter{.name = name, .role = Role::scalar, .shape = {}, .value = Expression(value)};
  };
  lab.parameters = {
      Parameter{.name = "a", .shape = {Expression("m"), Expression("rest")}, .value = {}},
      scalar("rows", "m"), scalar("columns", "n"), scalar("k", "k"), scalar("size", "m * n")};
  CHECK(parameter_order(lab) == std::vector<std::string>{"m", "n", "k", "rest"});
  CHECK(parameter_order(Installation{.root = "/nowhere", .library = {}}, "vecadd").empty());
}

TEST_CASE("names and sizes that are too long for the table are all there, and none is cut",
          "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const std::string name = "the mask is far wider than the image that it is laid upon";
  grade.items[1].id = "correctness/" + name;
  grade.items[1].title = grade.cases[0].name = name;
  grade.cases[0].shape = {{"mask_height", 1048576}, {"mask_width", 1048576}};
  StudentView seen = shown(grade);
  seen.parameters = {"mask_height", "mask_width"};
  const std::string text = terminal_feedback(seen, {.columns = 80, .color = false});
  CHECK(contains(text, "  FAIL  " + name + " "));
  CHECK(contains(text, "\n        mask_height = 1048576, mask_width = 1048576\n"));
  CHECK_FALSE(contains(text, ".."));
}

TEST_CASE("findings beyond the third have a line each, with their place", "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  for (std::uint32_t line = 10; line < 13; ++line) {
    grade.findings.push_back(grade.findings[0]);
    grade.findings.back().line = line;
  }
  const std::string text = terminal_feedback(shown(grade), {.columns = 80, .color = false});
  CHECK(contains(text, "  error[oob-global-write]: vecadd.cu:12: message of oob-global-write\n"));
  CHECK_FALSE(contains(text, "more; see"));
}

TEST_CASE("of many lines of the compiler the first error is shown", "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.items[0].points = 0;
  for (int i = 0; i < 60; ++i) grade.build_log += "vecadd.cu(3): warning: unused\n";
  grade.build_log += "vecadd.cu(9): error: expected a \";\"\n";
  const std::string text = terminal_feedback(shown(grade), {.columns = 80, .color = false});
  CHECK(contains(text, "  60 lines of warnings, then\n  vecadd.cu(9): error: expected a \";\"\n"));
}

TEST_CASE("a read and a write out of place on one line are one finding to look at",
          "[report][findings]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.findings.push_back(grade.findings[0]);
  ReportedFinding& read = grade.findings.back();
  read.kind = "oob-global-read";
  read.message = "message of the read";
  REQUIRE(findings_to_show(grade).size() == 1);
  CHECK(findings_to_show(grade)[0].other == &read);
  const std::string text = terminal_feedback(shown(grade), {.columns = 80, .color = false});
  CHECK(contains(text, "    and error[oob-global-read]: message of the read\n"));
  const std::string page = feedback_page(shown(grade), {}, ".");
  CHECK(contains(page, "<code>oob-global-read</code>"));
  const std::size_t advice = page.find("<p class=\"do\">");
  REQUIRE(advice != std::string::npos);
  CHECK(page.find("<p class=\"do\">", advice + 1) == std::string::npos);  // once for both
  SECTION("not on another line") {
    read.line = 8;
    CHECK(findings_to_show(grade).size() == 2);
  }
  SECTION("not a read of another kind") {
    read.kind = "unwritten-global-read";
    CHECK(findings_to_show(grade).size() == 2);
  }
  SECTION("not in another kernel") {
    read.kernel = "other";
    CHECK(findings_to_show(grade).size() == 2);
  }
}

TEST_CASE("the case that tells most is shown first, not the smallest", "[report][cases]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.findings.clear();
  CaseReport& small = grade.cases[0];
  CaseReport& large = grade.cases[1];
  CHECK(most_telling_case(grade) == &small);  // both have a pattern
  small.pattern = "everything";
  CHECK(most_telling_case(grade) == &large);
  large.pattern = "scattered";
  CHECK(most_telling_case(grade) == &small);  // both right in part
  small.wrong_elements = small.elements;
  CHECK(most_telling_case(grade) == &large);
  small.pattern = "tail";
  grade.findings = wrong_grade(lab).findings;
  grade.findings[0].cases = {"large"};
  CHECK(most_telling_case(grade) == &large);  // the finding to fix first is there
  grade.findings[0].severity = "warning";
  CHECK(most_telling_case(grade) == &small);
  large.verdict = CaseVerdict::not_assessed;
  small.verdict = CaseVerdict::passed;
  CHECK(most_telling_case(grade) == nullptr);
}

TEST_CASE("whole numbers stand without the bound of their sums in floats", "[report][cases]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.cases.pop_back();
  CHECK_FALSE(contains(feedback_page(shown(grade), {}, "."), "Allowed error"));
  grade.cases[0].first_mismatches[0].want = 54321.5;
  CHECK(contains(feedback_page(shown(grade), {}, "."), "<td class=\"number\">1e-06</td>"));
  grade.cases[0].first_mismatches[0].want = 54321;
  grade.cases[0].first_mismatches[0].got = 54321.25;  // near miss: a sum that is off by little
  CHECK(contains(feedback_page(shown(grade), {}, "."), "Allowed error"));
}

TEST_CASE("whatever has some of its points is partial, in every category", "[report][wording]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  CHECK(summarize(grade, Category::correctness).status == ItemStatus::failed);
  grade.items[1].points = 20;
  grade.items[1].status = ItemStatus::passed;
  CHECK(summarize(grade, Category::correctness).status == ItemStatus::partial);
  CHECK(summarize(grade, Category::safety).status == ItemStatus::failed);
  for (Item& item : grade.items) {
    if (item.category == Category::safety) item.points = 0.5;
  }
  CHECK(summarize(grade, Category::safety).status == ItemStatus::partial);
  CHECK(summarize(grade, Category::build).status == ItemStatus::passed);
  grade.items[2].status = ItemStatus::error;
  CHECK(summarize(grade, Category::correctness).status == ItemStatus::error);
}

TEST_CASE("a page is readable in a terminal", "[report][markdown]") {
  constexpr const char* kPage =
      "# P1: A title\n\n**Symptom.** Words of `code`, see [P2](P2.md), and more of them until the\n"
      "line ends.\n\n```cpp\nif (i < n) {\n  x;\n}\n```\n\n- one that is longer than the columns "
      "are\n"
      "- two\n\nEnd.\n";
  CHECK(terminal_of_markdown(kPage, {.columns = 40, .color = false}) ==
        "P1: A title\n\n"
        "Symptom. Words of `code`, see P2, and\nmore of them until the line ends.\n\n"
        "    if (i < n) {\n      x;\n    }\n\n"
        "- one that is longer than the columns\n  are\n- two\n\n"
        "End.\n");
  const std::string coloured = terminal_of_markdown(kPage, {.columns = 40, .color = true});
  CHECK(contains(coloured, "\x1b[1mSymptom.\x1b[0m Words of"));
}

TEST_CASE("colour is used only where it is asked for", "[report][terminal]") {
  const Lab lab = test_lab();
  CHECK_FALSE(contains(terminal_feedback(shown(wrong_grade(lab)), {.columns = 80, .color = false}),
                       "\x1b"));
  CHECK(contains(terminal_feedback(shown(wrong_grade(lab)), {.columns = 80, .color = true}),
                 "\x1b[31m"));
}

TEST_CASE("before the release, hidden cases are a number and points, and nothing names them",
          "[report][hidden]") {
  const Lab lab = lab_with_hidden();
  Grade grade = wrong_grade(lab);
  grade.summary = "Case \"moonrise\": hidden detail";
  grade.kernels_case = "moonrise";
  const StudentView seen = before(grade);
  CHECK(seen.grade.score() == grade.score());
  CHECK(seen.grade.max_score() == grade.max_score());
  for (const std::string& text :
       {terminal_feedback(seen, {.columns = 80, .color = false}), feedback_page(seen, {}, "")}) {
    CHECK(contains(text, "1 hidden case"));
    CHECK_FALSE(contains(text, "moonrise"));
    CHECK_FALSE(contains(text, "66666"));
    CHECK_FALSE(contains(text, "hidden detail"));
    CHECK_FALSE(contains(text, "hint of moonrise"));
    CHECK_FALSE(contains(text, "n = 1000"));
    CHECK_FALSE(contains(text, "secret finding"));
    CHECK(contains(text, "small"));
  }
  CHECK(contains(feedback_page(seen, {}, ""), "Not satisfied in a hidden case"));
  CHECK(contains(feedback_page(seen, {}, ""), "their results are shown from tomorrow"));
  CHECK(contains(feedback_page(seen, {}, ""), "In hidden cases only: memory that is never freed."));
}

TEST_CASE("after the release, hidden cases are like the others", "[report][hidden]") {
  const Lab lab = test_lab();
  const std::string page = feedback_page(shown(wrong_grade(lab)), {}, "");
  CHECK(contains(page, "hidden detail"));
  CHECK(contains(page, "66666"));
}

TEST_CASE("where only a hidden case is wrong, the first thing to fix says so and no more",
          "[report][hidden]") {
  const Lab lab = lab_with_hidden();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  Grade grade;
  grade.items = score_items(evidence);
  for (const CaseOutcome& c : evidence.cases) {
    grade.cases.push_back(c.report);
  }
  grade.summary = "Case \"moonrise\": c[768] is wrong.";
  grade.before_release = before_release(evidence, grade.items, {}, {});
  const StudentView seen = before(grade);
  CHECK(contains(seen.grade.summary, "All visible cases pass, and a hidden one fails."));
  CHECK_FALSE(contains(seen.grade.summary, "768"));
}

TEST_CASE("of a submission that does not build, the hidden cases are not named either",
          "[report][hidden]") {
  const Lab lab = lab_with_hidden();
  Evidence evidence;
  evidence.lab = &lab;
  evidence.build_problem = "It does not build.";
  Grade grade;
  grade.items = score_items(evidence);
  grade.before_release = before_release(evidence, grade.items, {}, {});
  const std::string page = feedback_page(before(grade), {}, "");
  CHECK(contains(page, "1 hidden case"));
  CHECK(contains(page, "small"));
  CHECK_FALSE(contains(page, "moonrise"));
}

TEST_CASE("a student's page marks the finding's line and carries the pitfall's page",
          "[report][html]") {
  const Lab lab = test_lab();
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "P2.md", "# P2: Rounded down\n\nText of the page.\n");
  const std::string page = feedback_page(shown(wrong_grade(lab)), {}, scratch.path());
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
  const std::string page = feedback_page(shown(grade), {}, "");
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "</pre></style>"));
  CHECK_FALSE(contains(page, "<!--scripts-->"));
  CHECK(contains(page, "{{summary}}"));
}

TEST_CASE("pages ask no server for anything", "[report][html]") {
  const Lab lab = test_lab();
  Gradebook book;
  book.rows = {row_of(wrong_grade(lab))};
  for (const std::string& page :
       {feedback_page(shown(wrong_grade(lab)), {}, ""), class_page(book, {}, "")}) {
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
  CHECK(numbers.at(0).meaning == "50.0 % of all executed");
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
  CHECK_FALSE(
      contains(terminal_feedback(shown(grade), {.columns = 80, .color = false}), "Concepts"));
  for (Item& item : grade.items) {
    if (item.category == Category::concept_check) {
      item.status = ItemStatus::failed;
      item.message = "500 sectors; the formula gives 250.";
      item.numbers = ConceptNumbers{};
    }
  }
  const std::string text = terminal_feedback(shown(grade), {.columns = 80, .color = false});
  CHECK(contains(text, "Concepts\n  FAIL  Each input element is read once\n        500 sectors"));
}

TEST_CASE("a page has a history of attempts where there are several", "[report][history]") {
  const Lab lab = test_lab();
  const StudentView seen = shown(wrong_grade(lab));
  Attempt first = attempt_of(seen);
  CHECK(first.score == 5);
  CHECK(first.cases == 2);
  CHECK(first.cases_right == 0);
  CHECK(first.note == "Look at the grid.");
  CHECK_FALSE(contains(feedback_page(seen, {first}, ""), "Your attempts"));
  Attempt second = first;
  second.number = 2;
  second.score = 47.5;
  second.penalty = 4;
  second.counts = true;
  const std::string page = feedback_page(seen, {first, second}, "");
  CHECK(contains(page, "Your attempts"));
  CHECK(contains(page, "<td class=\"number\">+42.5</td>"));
  CHECK(contains(page, "-4 late"));
  CHECK(contains(page, "<tr class=\"own\" aria-current=\"true\"><th scope=\"row\">2 "));
}

TEST_CASE("measured runs stand beside the tiers with their spread", "[report][time]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.timing = Timing{.name = "large",
                        .source = "measured",
                        .submission_ms = 2,
                        .reference_ms = 1,
                        .ratio = 2,
                        .tiers = {{.ratio = 2, .points = 5}}};
  CHECK_FALSE(contains(feedback_page(shown(grade), {}, ""), "Three quarters"));
  grade.timing->runs = MeasuredRuns{.submission_ms = {3, 1.5, 2, 2.5, 1.75},
                                    .reference_ms = {1, 2},
                                    .ratio_low = 1.9,
                                    .ratio_high = 2.125};
  const std::string page = feedback_page(shown(grade), {}, "");
  CHECK(contains(page, "95 % confidence interval 1.90 to 2.12"));
  CHECK(contains(page,
                 "<th scope=\"row\">Yours</th><td class=\"number\">5</td><td class=\"number\">1.5"
                 "</td><td class=\"number\">1.75</td><td class=\"number\">2</td><td "
                 "class=\"number\">2.5</td><td class=\"number\">3</td>"));
  CHECK(contains(page, "\"submission\":[3.0,1.5,"));  // of the reference's time
}

TEST_CASE("a roofline has the rungs' points; work without floats has bytes only",
          "[report][time]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const RooflinePoint point{.operations = 2e6, .bytes = 1e6, .ms = 0.01, .floor_ms = 0.0025};
  grade.timing = Timing{.name = "large", .source = "modelled"};
  grade.timing->roofline =
      Roofline{.counts_flops = true,
               .operations_per_second = 1e13,
               .bytes_per_second = 1e12,
               .submission = point,
               .reference = point,
               .roofs = {{.type = "f32", .operations_per_second = 1e13}},
               .rungs = {{.rung = 1, .title = "One thread each", .point = point}}};
  const std::string page = feedback_page(shown(grade), {}, "");
  CHECK(contains(page, "Rung 1: One thread each"));
  CHECK(contains(page, "10,000 Gflop/s (f32)"));
  CHECK(contains(page, "<td class=\"number\">25 %</td>"));
  grade.timing->roofline->counts_flops = false;
  const std::string bytes_only = feedback_page(shown(grade), {}, "");
  CHECK(contains(bytes_only, "only bandwidth is shown"));
  CHECK_FALSE(contains(bytes_only, "Gflop/s"));
}

TEST_CASE("the class page of a course has names, titles, penalties and a pass mark",
          "[report][html][course]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.student = "s01";
  grade.lab_title = "Vector addition";
  Gradebook book;
  book.rows = {row_of(grade), row_of(grade), row_of(grade)};
  book.rows[0].score = 95;
  book.rows[0].max_score = 100;
  book.rows[1].student = "s02";
  book.rows[1].score = 50;
  book.rows[1].max_score = 100;
  book.rows[2].student = "s03";
  book.rows[2].score = 0;
  book.rows[2].failure = Failure::no_submission;
  book.rows[2].summary = "no vecadd.cu was submitted";
  for (GradeRow& row : book.rows) {
    row.passed = false;
    row.status = GradeStatus::graded;
  }
  ClassRecord record;
  record.course.file = "course.toml";
  record.course.title = "Parallel programming";
  record.course.late.per_day = 10;
  std::string problem;
  record.course.labs[lab.id].due = parse_instant("2026-11-20T00:00:00Z", problem);
  for (const auto& [student, name] : {std::pair("s01", "Doe, Jane"), std::pair("s02", "Roe, Jim"),
                                      std::pair("s04", "Poe, <Ann>")}) {
    RosterEntry entry;
    entry.student = student;
    entry.name = name;
    record.course.roster.entries.push_back(entry);
  }
  SubmissionRecord late;
  late.student = "s02";
  late.lab = lab.id;
  late.source = TimeSource::table;
  late.submitted = parse_instant("2026-11-21T12:00:00Z", problem);
  record.log.add(late);

  std::string page = class_page(book, record, "");
  CHECK(contains(page, "<h1>Parallel programming</h1>"));
  CHECK(contains(page, "<bdi>Doe, Jane</bdi>"));
  CHECK(contains(page, "Vector addition"));
  CHECK(contains(page, "2 days late: 50 - 10"));
  CHECK(contains(page, "40 / 100"));
  // First who has nothing that could be graded, and why.
  const std::size_t nothing = page.find("Nothing gradable</h2>");
  REQUIRE(nothing != std::string::npos);
  CHECK(nothing < page.find("no vecadd.cu was submitted"));
  CHECK(page.find("Poe, &lt;Ann&gt;") > nothing);
  CHECK(page.find("Poe, &lt;Ann&gt;") < page.find("id=\"course\""));
  CHECK(contains(page, "No submission."));
  // Without a mark, 95 of 100 is not everything, and not failed.
  CHECK(contains(page, "<span class=\"status partial\">not yet</span>"));
  CHECK_FALSE(contains(page, "<span class=\"status failed\">not yet</span>"));

  record.course.pass = 45;
  page = class_page(book, record, "");
  CHECK(contains(page, "3 grades, 3 students, 1 passed"));
  CHECK(contains(page, "<span class=\"status passed\">passed</span>"));
  // 50 points would pass; 40 count.
  CHECK(contains(page, "<span class=\"status failed\">not passed</span>"));
  CHECK(contains(page, "passed, from 45 %"));
  record.course.labs[lab.id].pass = 40;
  CHECK(contains(class_page(book, record, ""), "3 grades, 3 students, 2 passed"));
}

TEST_CASE("pitfalls that were met once are folded together", "[report][html]") {
  const Lab lab = test_lab();
  Gradebook book;
  for (const char* pitfall : {"P1", "P1", "P2", "P3"}) {
    book.rows.push_back(row_of(wrong_grade(lab)));
    book.rows.back().student = "s" + std::to_string(book.rows.size());
    book.rows.back().pitfall = pitfall;
  }
  const std::string page = class_page(book, {}, "");
  const std::size_t fold = page.find("2 pitfalls with one occurrence");
  REQUIRE(fold != std::string::npos);
  CHECK(page.find("<strong>P1</strong>") < fold);
  CHECK(page.find("<strong>P2</strong>") > fold);
  book.rows.resize(3);
  CHECK(contains(class_page(book, {}, ""), "1 pitfall with one occurrence"));
}

TEST_CASE("the class page counts, links and flags", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.student = "s 01&";
  grade.integrity = {{.kind = "ended-early", .message = "It left early.", .evidence = ""}};
  Gradebook book;
  book.rows = {row_of(grade)};
  const std::string page = class_page(book, {}, "");
  CHECK(contains(page, "1 grades, 1 students, 0 passed"));
  CHECK(contains(page, "href=\"s%2001%26/vecadd/feedback.html\""));
  CHECK(contains(page, "s 01&amp;"));
  CHECK(contains(page, "It left early."));
  CHECK(contains(page, "Most common pitfalls"));
}

}  // namespace
}  // namespace warpgrade
