#include "grader/show/report/watched_case.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

/// A lab's cases as they were run: all of them right.
Grade grade_of(const Lab& lab) {
  Grade grade;
  for (const Case& spec : lab.cases) {
    CaseReport report;
    report.name = spec.name;
    report.visible = spec.visible;
    report.verdict = CaseVerdict::passed;
    grade.cases.push_back(report);
  }
  return grade;
}

Lab two_visible_and_one_hidden() {
  Lab lab = testing::test_lab();
  const Case first = lab.cases.front();
  lab.cases = {first, first, first};
  lab.cases[0].name = "hidden";
  lab.cases[0].visible = false;
  lab.cases[1].name = "one";
  lab.cases[1].visible = true;
  lab.cases[2].name = "two";
  lab.cases[2].visible = true;
  return lab;
}

ReportedFinding finding_in(std::vector<std::string> cases) {
  ReportedFinding finding;
  finding.severity = "error";
  finding.cases = std::move(cases);
  return finding;
}

}  // namespace

TEST_CASE("the case to watch has the first finding, or else is wrong", "[report][recording]") {
  const Lab lab = two_visible_and_one_hidden();
  Grade grade = grade_of(lab);
  CHECK(case_to_watch(lab, grade)->name == "one");
  grade.cases[2].verdict = CaseVerdict::wrong;
  CHECK(case_to_watch(lab, grade)->name == "two");
  grade.findings = {finding_in({"one"})};
  CHECK(case_to_watch(lab, grade)->name == "one");
}

TEST_CASE("of a right program the largest case is watched", "[report][recording]") {
  const Lab lab = two_visible_and_one_hidden();
  Grade grade = grade_of(lab);
  grade.cases[0].shape = {{"n", 3000}};  // hidden
  grade.cases[1].shape = {{"n", 6}};
  grade.cases[2].shape = {{"n", 300}, {"taps", 4}};
  CHECK(case_to_watch(lab, grade)->name == "two");
  grade.cases[1].verdict = CaseVerdict::wrong;
  CHECK(case_to_watch(lab, grade)->name == "one");
}

TEST_CASE("a hidden case is never watched, whatever is found in it", "[report][recording]") {
  const Lab lab = two_visible_and_one_hidden();
  Grade grade = grade_of(lab);
  grade.cases[0].verdict = CaseVerdict::wrong;
  grade.findings = {finding_in({"hidden"}), finding_in({"hidden", "two"})};
  CHECK(case_to_watch(lab, grade)->name == "two");
  grade.findings = {finding_in({"hidden"})};
  CHECK(case_to_watch(lab, grade)->name == "one");
  grade.cases.resize(1);
  CHECK(case_to_watch(lab, grade) == nullptr);
}

}  // namespace warpgrade
