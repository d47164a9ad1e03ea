#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/show/report/feedback_page.h"
#include "grader/show/report/parameter_order.h"
#include "grader/show/report/shown_findings.h"
#include "grader/show/report/source_view.h"
#include "grader/show/report/telling_case.h"
#include "grader/show/report/terminal.h"
#include "grader/show/report/wording.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"
#include "harness/tolerance/pattern.h"

namespace warpgrade {
namespace {

using testing::contains;
using testing::shown;
using testing::terminal_text;
using testing::test_lab;
using testing::wrong_grade;

TEST_CASE("both reports show a submission's rung on the ladder, and the next one",
          "[report][rung]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  CHECK_FALSE(contains(terminal_text(shown(grade)), "Ladder"));
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
  CHECK(contains(feedback_page(shown(grade), {}, {}),
                 "By itself it makes the program slower: about 2.5 times the time here."));
  grade.rung->faster_index = 4;
  grade.rung->faster_title = "Many values per thread";
  CHECK(contains(feedback_page(shown(grade), {}, {}),
                 "The next rung that is faster than yours is 4: Many values per thread."));
  grade.rung->faster_index = 0;
  grade.rung->next_times_faster = 1.5;
  CHECK(contains(feedback_page(shown(grade), {}, {}), "About 1.5 times faster here."));
  CHECK(contains(feedback_page(shown(grade), {}, {}),
                 "You are on rung 1 of 2: <strong>Tree in shared memory</strong>."));
  grade.rung = RungReport{.index = 2,
                          .count = 2,
                          .stage = "02",
                          .title = "First add on load",
                          .next_title = "",
                          .next = ""};
  CHECK(contains(terminal_text(shown(grade)), "Ladder: rung 2 of 2, First add on load.\n"));
  CHECK(contains(feedback_page(shown(grade), {}, {}), "<p>That is the highest rung.</p>"));
}

TEST_CASE("both reports leave out a next rung that is slower, and name a faster one",
          "[report][rung]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.rung = RungReport{.index = 1,
                          .count = 3,
                          .stage = "01",
                          .title = "Tree in shared memory",
                          .next_title = "",
                          .next = ""};
  const auto both_contain = [&](const char* words) {
    return contains(terminal_feedback(shown(grade), {.columns = 150, .color = false}), words) &&
           contains(feedback_page(shown(grade), {}, {}), words);
  };
  CHECK(both_contain("No rung above it is faster than yours."));
  CHECK_FALSE(contains(feedback_page(shown(grade), {}, {}), "highest rung"));
  grade.rung->faster_index = 3;
  grade.rung->faster_title = "Many values per thread";
  CHECK(both_contain("The next rung that is faster than yours is 3: Many values per thread."));
}

TEST_CASE("the order of a lab's parameters is that of its function", "[report]") {
  Lab lab = test_lab();
  CHECK(parameter_order(lab).empty());
  const auto scalar = [](const char* name, const char* value) {
    Parameter parameter;
    parameter.name = name;
    parameter.role = Role::scalar;
    parameter.value = Expression(value);
    return parameter;
  };
  Parameter array;
  array.name = "a";
  array.shape = {Expression("m"), Expression("rest")};
  lab.parameters = {array, scalar("rows", "m"), scalar("columns", "n"), scalar("k", "k"),
                    scalar("size", "m * n")};
  CHECK(parameter_order(lab) == std::vector<std::string>{"m", "n", "k", "rest"});
  CHECK(
      parameter_order(Installation{.root = "/nowhere", .library = {}, .cuda_headers = {}}, "vecadd")
          .empty());
}

TEST_CASE("a read and a write out of bounds on one line are shown as one finding",
          "[report][findings]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.findings.push_back(grade.findings[0]);
  ReportedFinding& read = grade.findings.back();
  read.kind = "oob-global-read";
  read.message = "message of the read";
  REQUIRE(findings_to_show(grade).size() == 1);
  CHECK(findings_to_show(grade)[0].other == &read);
  const std::string text = terminal_text(shown(grade));
  CHECK(contains(text, "    and error: message of the read [oob-global-read]\n"));
  const std::string page = feedback_page(shown(grade), {}, {});
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

TEST_CASE("the most informative case is shown first, not the smallest", "[report][cases]") {
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

TEST_CASE("integers are shown without their error bound", "[report][cases]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.cases.pop_back();
  CHECK_FALSE(contains(feedback_page(shown(grade), {}, {}), "Allowed error"));
  grade.cases[0].first_mismatches[0].want = 54321.5;
  CHECK(contains(feedback_page(shown(grade), {}, {}), "<td class=\"number\">1e-06</td>"));
  grade.cases[0].first_mismatches[0].want = 54321;
  grade.cases[0].first_mismatches[0].got = 54321.25;  // near miss: a sum with a small error
  CHECK(contains(feedback_page(shown(grade), {}, {}), "Allowed error"));
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

TEST_CASE("measured runs are shown beside the tiers with their spread", "[report][time]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.timing = Timing{.name = "large",
                        .source = "measured",
                        .submission_ms = 2,
                        .reference_ms = 1,
                        .ratio = 2,
                        .tiers = {{.ratio = 2, .points = 5}}};
  CHECK_FALSE(contains(feedback_page(shown(grade), {}, {}), "Three quarters"));
  grade.timing->runs = MeasuredRuns{.submission_ms = {3, 1.5, 2, 2.5, 1.75},
                                    .reference_ms = {1, 2},
                                    .ratio_low = 1.9,
                                    .ratio_high = 2.125};
  const std::string page = feedback_page(shown(grade), {}, {});
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
      Roofline{.operation = RoofOperation::flop,
               .operations_per_second = 1e13,
               .bytes_per_second = 1e12,
               .submission = point,
               .reference = point,
               .roofs = {{.type = "f32", .operations_per_second = 1e13}},
               .rungs = {{.rung = 1, .title = "One thread each", .point = point}}};
  const std::string page = feedback_page(shown(grade), {}, {});
  CHECK(contains(page, "Rung 1: One thread each"));
  CHECK(contains(page, "10,000 Gflop/s (f32)"));
  CHECK(contains(page, "<td class=\"number\">25 %</td>"));
  grade.timing->roofline->operation = RoofOperation::instruction;
  const std::string bytes_only = feedback_page(shown(grade), {}, {});
  CHECK(contains(bytes_only, "only bandwidth is shown"));
  CHECK_FALSE(contains(bytes_only, "Gflop/s"));
}

}  // namespace
}  // namespace warpgrade
