#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/text.h"
#include "grader/show/report/terminal.h"
#include "grader/show/report/wording.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::contains;
using testing::shown;
using testing::terminal_text;
using testing::test_lab;
using testing::wrong_grade;

TEST_CASE("the terminal shows points, the first wrong elements, findings and what to do first",
          "[report][terminal]") {
  const Lab lab = test_lab();
  const std::string text = terminal_text(shown(wrong_grade(lab)));
  CHECK(contains(text, "Vector addition (vecadd)"));
  CHECK(contains(text, "5 / 100 points"));
  CHECK(contains(text, "c[96] = 12345, want 54321"));
  CHECK(contains(text, "hint: hint of small"));
  CHECK(
      contains(text, "vecadd.cu:7:1: error: message of oob-global-write [oob-global-write, P1]\n"));
  CHECK(contains(text, "Next:  Look at the grid."));
  CHECK(contains(text, "`warpgrade explain P2` has more."));
}

TEST_CASE("the terminal has every case in a table, and the details of the first wrong one",
          "[report][terminal]") {
  const Lab lab = test_lab();
  const std::string text = terminal_text(shown(wrong_grade(lab)));
  CHECK(contains(text, "Cases" + std::string(13, ' ') + "n "));
  CHECK(contains(text, "  FAIL  small   100" + std::string(55, ' ') + "0 / 20\n"));
  CHECK(contains(text, "  FAIL  large  1000" + std::string(55, ' ') + "0 / 30\n"));
  CHECK(contains(text, "Case \"small\" n = 100\n"));
  CHECK_FALSE(contains(text, "hidden detail"));
  CHECK(contains(text, "--html FILE shows the other 1 in the same way."));
}

TEST_CASE("no line of the terminal's feedback is longer than 80 columns, but for editors' lines",
          "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.summary = std::string(30, 'x') + " " + std::string(30, 'y') + " " + std::string(30, 'z');
  grade.findings[0].message = grade.summary;
  grade.findings[0].next = grade.summary + " " + grade.summary;
  grade.items.back().message = grade.summary;
  const std::string text = terminal_text(shown(grade));
  for (const std::string_view line : split_lines(text)) {
    INFO(line);
    CHECK((line.size() <= 80 || line.starts_with("vecadd.cu:7:1: error: ")));
  }
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
  const std::string text = terminal_text(seen);
  CHECK(contains(text, "   m   n  k"));
  CHECK(contains(text, "small  33  17  5"));
}

TEST_CASE("names and sizes that are too long for the table are not truncated",
          "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const std::string name = "the mask is far wider than the image that it is laid upon";
  grade.items[1].id = "correctness/" + name;
  grade.items[1].title = grade.cases[0].name = name;
  grade.cases[0].shape = {{"mask_height", 1048576}, {"mask_width", 1048576}};
  StudentView seen = shown(grade);
  seen.parameters = {"mask_height", "mask_width"};
  const std::string text = terminal_text(seen);
  CHECK(contains(text, "  FAIL  " + name + " "));
  CHECK(contains(text, "\n        mask_height = 1048576, mask_width = 1048576\n"));
  CHECK_FALSE(contains(text, ".."));
}

TEST_CASE("findings after the third have a line each, with their location", "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  for (std::uint32_t line = 10; line < 13; ++line) {
    grade.findings.push_back(grade.findings[0]);
    grade.findings.back().line = line;
  }
  const std::string text = terminal_text(shown(grade));
  CHECK(contains(text,
                 "\nvecadd.cu:12:1: error: message of oob-global-write [oob-global-write, P1]\n"));
  CHECK_FALSE(contains(text, "more; see"));
}

TEST_CASE("the first error among many compiler messages is shown", "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  grade.items[0].points = 0;
  for (int i = 0; i < 60; ++i) grade.build_log += "vecadd.cu(3): warning: unused\n";
  grade.build_log += "vecadd.cu(9): error: expected a \";\"\n";
  const std::string text = terminal_text(shown(grade));
  CHECK(contains(text, "  60 lines of warnings, then\nvecadd.cu:9:1: error: expected a \";\"\n"));
}

TEST_CASE("colour is used only if requested", "[report][terminal]") {
  const Lab lab = test_lab();
  CHECK_FALSE(contains(terminal_text(shown(wrong_grade(lab))), "\x1b"));
  CHECK(contains(terminal_feedback(shown(wrong_grade(lab)), {.columns = 80, .color = true}),
                 "\x1b[31m"));
}

TEST_CASE("the terminal lists the concept checks that were missed, with their numbers",
          "[report][terminal]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  CHECK_FALSE(contains(terminal_text(shown(grade)), "Concepts"));
  for (Item& item : grade.items) {
    if (item.category == Category::concept_check) {
      item.status = ItemStatus::failed;
      item.message = "500 sectors; the formula gives 250.";
      item.numbers = ConceptNumbers{};
    }
  }
  const std::string text = terminal_text(shown(grade));
  CHECK(contains(text, "Concepts\n  FAIL  Each input element is read once\n        500 sectors"));
}

}  // namespace
}  // namespace warpgrade
