#include "grader/judge/diagnose/claims.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

/// Two wrong cases of 100 and 1000 elements, with a read past the end at line 3.
struct Fixture {
  Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  std::vector<SourceFile> sources = {
      {"vecadd.cu", "__global__ void add() {\n  // nothing\n  c[i] = a[i];\n}\n"}};
  std::optional<Explanation> explanation;

  Fixture() {
    testing::make_wrong(evidence, 0, "tail", 96, 1, 2);
    testing::make_wrong(evidence, 1, "tail", 992, 1, 2);
    ReportedFinding f;
    f.kind = "oob-global-read";
    f.severity = "error";
    f.file = "vecadd.cu";
    f.line = 3;
    f.width = 4;
    f.array_bytes = 400;
    f.offset = 400;
    evidence.cases[0].emulator->findings = {f};
    evidence.findings = fold_findings(evidence.cases);
  }

  std::vector<std::string> untrue(const std::string& headline) const {
    return untrue_claims(headline, evidence, sources, explanation);
  }
};

TEST_CASE("a headline names lines that have code and that the evidence is about",
          "[diagnose][claims]") {
  const Fixture f;
  CHECK(f.untrue("vecadd.cu:3: accesses are out of bounds.").empty());
  CHECK(f.untrue("With a bounds check for the accesses at line 3 of vecadd.cu.").empty());
  CHECK(f.untrue("vecadd.cu:2: accesses are out of bounds.") ==
        std::vector<std::string>{"\"vecadd.cu:2\": the line has no code."});
  CHECK(f.untrue("vecadd.cu:1: accesses are out of bounds.") ==
        std::vector<std::string>{
            "\"vecadd.cu:1\": no finding, counter or experiment is about this line."});
  CHECK(f.untrue("vecadd.cu:30: accesses are out of bounds.").size() == 1);
  CHECK(f.untrue("other.cu:3: accesses are out of bounds.") ==
        std::vector<std::string>{"\"other.cu:3\": no such file was submitted."});
}

TEST_CASE("an edit is of device code or of a call, whether or not anything was counted there",
          "[diagnose][claims]") {
  Fixture f;
  f.sources[0].text += "int unused;\n";
  f.explanation.emplace();
  CHECK(f.untrue("With another number at line 1 of vecadd.cu.").size() == 1);  // no edit
  f.explanation->slip_cases = 2;
  CHECK(f.untrue("With another number at line 1 of vecadd.cu.").empty());
  CHECK(f.untrue("With another number at line 5 of vecadd.cu.").size() == 1);
}

TEST_CASE("an access has the width and the array of a finding", "[diagnose][claims]") {
  const Fixture f;
  CHECK(f.untrue("4-byte read past the end of `a` (400 bytes).").empty());
  CHECK(f.untrue("8-byte read past the end of `a` (400 bytes).").size() == 1);
  CHECK(f.untrue("4-byte read past the end of `a` (404 bytes).").size() == 1);
}

TEST_CASE("numbers of failing cases are those of the formula that explains them",
          "[diagnose][claims]") {
  Fixture f;
  CHECK(f.untrue("Your output is the right one, in both failing cases.").size() ==
        1);  // no formula
  f.explanation.emplace();
  f.explanation->cases = {"small", "large"};
  CHECK(f.untrue("Your output is the right one, in both failing cases.").empty());
  CHECK_FALSE(f.untrue("Your output is the right one, in all 3 failing cases.").empty());
  CHECK_FALSE(f.untrue("Your output is the right one, in 1 of 2 failing cases.").empty());
  f.explanation->cases = {"small"};
  CHECK(f.untrue("Your output is the right one, in 1 of 2 failing cases.").empty());
  CHECK_FALSE(f.untrue("Your output is the right one, in the only failing case.").empty());
}

TEST_CASE("numbers of repaired cases are those of the experiment", "[diagnose][claims]") {
  Fixture f;
  const std::string two = "all 2 visible cases are correct; now none is.";
  CHECK(f.untrue("With a check, " + two).size() == 1);  // there was no experiment
  f.evidence.cause.emplace();
  f.evidence.cause->tried = f.evidence.cause->right = 2;
  CHECK(f.untrue("With a check, " + two).empty());
  CHECK_FALSE(f.untrue("With a check, 1 of 2 visible cases are correct; now none is.").empty());
  CHECK_FALSE(f.untrue("With a check, all 2 visible cases are correct; now 1 is.").empty());
  f.evidence.cause->right = 1;
  CHECK(f.untrue("With a check, 1 of 2 visible cases are correct; now none is.").empty());
  CHECK_FALSE(f.untrue("With a check, " + two).empty());
}

TEST_CASE("numbers of elements are those of a case, of the named one if there is one",
          "[diagnose][claims]") {
  const Fixture f;
  CHECK(f.untrue("4 of 100 elements are wrong.").empty());
  CHECK(f.untrue("Case \"large\": 8 of 1000 elements are wrong.").empty());
  CHECK(f.untrue("Case \"large\": 4 of 100 elements are wrong.") ==
        std::vector<std::string>{"\"4 of 100 elements are\": not in that case."});
  CHECK(f.untrue("5 of 100 elements are wrong.").size() == 1);
  CHECK(f.untrue("All 100 elements are wrong.").size() == 1);
  CHECK(f.untrue("Case \"huge\": it is slow.") ==
        std::vector<std::string>{"\"Case \"huge\"\": there is no such case."});
}

TEST_CASE("every, only and all hold for the wrong elements that are listed", "[diagnose][claims]") {
  Fixture f;
  auto& listed = f.evidence.cases[0].report.first_mismatches;
  listed.clear();
  for (const std::uint64_t index : {3u, 7u, 11u})
    listed.push_back({.parameter = "c", .index = index});
  f.evidence.cases[1].report.verdict = CaseVerdict::passed;
  f.evidence.cases[1].report.wrong_elements = 0;
  CHECK(f.untrue("Every 4th element, from element 3 on, is wrong.").empty());
  CHECK(f.untrue("Every 4th element, from element 7 on, is wrong.").size() == 1);
  CHECK(f.untrue("Every 3rd element, from element 3 on, is wrong.").size() == 1);
  CHECK(f.untrue("In every group of 4 elements, position 3 is wrong.").empty());
  CHECK(f.untrue("In every group of 4 elements, position 2 is wrong.").size() == 1);
  CHECK(f.untrue("Only every 2nd element is correct, from index 0 on.").empty());
  CHECK(f.untrue("Only every 2nd element is correct, from index 1 on.").size() == 1);
  CHECK(f.untrue("elements 3 to 11 of 100 are wrong.").empty());
  CHECK(f.untrue("elements 3 to 10 of 100 are wrong.").size() == 1);
  CHECK(f.untrue("group 0 of 4 with 32 elements is wrong.").empty());
  CHECK(f.untrue("group 1 of 4 with 32 elements is wrong.").size() == 1);
}

TEST_CASE("rows and columns are those of the output's matrix", "[diagnose][claims]") {
  Fixture f;
  CaseReport& r = f.evidence.cases[0].report;
  r.first_mismatches = {{.parameter = "c", .index = 23}, {.parameter = "c", .index = 33}};
  r.wrong_map = WrongMap{.parameter = "c", .rows = 10, .columns = 10, .cells = {}};
  f.evidence.cases[1].report.wrong_elements = 0;
  CHECK(f.untrue("column 3 of 10 has wrong elements.").empty());
  CHECK(f.untrue("column 4 of 10 has wrong elements.").size() == 1);
  CHECK(f.untrue("rows 2 and 3 of 10 have wrong elements.").empty());
  CHECK(f.untrue("rows 2 and 4 of 10 have wrong elements.").size() == 1);
  CHECK(f.untrue("Only the last of each 4 columns is wrong.").empty());
  CHECK(f.untrue("Only the last 2 of each 4 rows are wrong.").empty());
  CHECK(f.untrue("Only the first 2 of each 4 rows are wrong.").size() == 1);
  CHECK(f.untrue("Only columns 2 to 3 of each 5 are wrong.").empty());
  CHECK(f.untrue("Only columns 1 to 2 of each 5 are wrong.").size() == 1);
}

TEST_CASE("a size that decides does so in every case", "[diagnose][claims]") {
  Fixture f;
  f.evidence.cases[1].report.verdict = CaseVerdict::passed;
  CHECK(f.untrue("Correct if n is a multiple of 8, wrong otherwise: the end.").empty());
  CHECK(f.untrue("Correct if n is a multiple of 16, wrong otherwise: the end.") ==
        std::vector<std::string>{
            "\"Correct if n is a multiple of 16, wrong otherwise\": case \"large\" is correct."});
}

TEST_CASE("a program that does not build has no claims to check", "[diagnose][claims]") {
  Fixture f;
  f.evidence.build_problem = "vecadd.cu:9: error: expected ';'";
  CHECK(f.untrue("vecadd.cu:9: error: expected ';'").empty());
}

}  // namespace
}  // namespace warpgrade
