#include "grader/record/grade/failure.h"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

namespace warpgrade {
namespace {

Grade right_grade() {
  Grade grade;
  for (const Category category : {Category::build, Category::correctness, Category::safety,
                                  Category::concept_check, Category::performance}) {
    Item item;
    item.category = category;
    item.status = ItemStatus::passed;
    grade.items.push_back(item);
  }
  CaseReport report;
  report.verdict = CaseVerdict::passed;
  grade.cases = {report};
  return grade;
}

Grade with_case(CaseVerdict verdict) {
  Grade grade = right_grade();
  grade.cases[0].verdict = verdict;
  grade.items[1].status = ItemStatus::failed;
  return grade;
}

Grade with_short(Category category, ItemStatus status = ItemStatus::failed) {
  Grade grade = right_grade();
  grade.items[static_cast<std::size_t>(category)].status = status;
  return grade;
}

void add_finding(Grade& grade, const std::string& kind, const std::string& severity = "error") {
  ReportedFinding finding;
  finding.kind = kind;
  finding.severity = severity;
  grade.findings.push_back(finding);
  grade.items[2].status = ItemStatus::failed;
}

Failure of(const Grade& grade) {
  return failure_of(grade, BuildStep::built);
}

TEST_CASE("a grade with all points has no failure, also where something was not assessed",
          "[grade][failure]") {
  CHECK(of(right_grade()) == Failure::none);
  CHECK(of(with_short(Category::performance, ItemStatus::not_assessed)) == Failure::none);
}

TEST_CASE("the reason why a submission was not built is the failure", "[grade][failure]") {
  CHECK(failure_of(Grade{}, BuildStep::not_handed_in) == Failure::no_submission);
  CHECK(failure_of(Grade{}, BuildStep::does_not_compile) == Failure::compile_error);
  CHECK(failure_of(Grade{}, BuildStep::does_not_link) == Failure::link_error);
}

TEST_CASE("how a case ended is the failure", "[grade][failure]") {
  CHECK(of(with_case(CaseVerdict::never_ends)) == Failure::hang);
  CHECK(of(with_case(CaseVerdict::broke_contract)) == Failure::illegal_address);
  CHECK(of(with_case(CaseVerdict::cuda_error)) == Failure::launch_error);
  CHECK(of(with_case(CaseVerdict::crashed)) == Failure::crash);
  CHECK(of(with_case(CaseVerdict::wrong)) == Failure::wrong);
}

TEST_CASE("an illegal address explains the error or the wrong result that it leads to",
          "[grade][failure]") {
  for (const char* kind : {"oob-global-read", "oob-shared-write", "misaligned-global",
                           "null-pointer", "use-after-free", "host-access-of-device-memory"}) {
    Grade grade = with_case(CaseVerdict::cuda_error);
    add_finding(grade, kind);
    CHECK(of(grade) == Failure::illegal_address);
  }
}

TEST_CASE("a race explains a wrong result; one that only looks like a race does not",
          "[grade][failure]") {
  Grade race = with_case(CaseVerdict::wrong);
  add_finding(race, "race-shared");
  CHECK(of(race) == Failure::race);
  Grade streams = with_case(CaseVerdict::passed);
  add_finding(streams, "stream-race");
  CHECK(of(streams) == Failure::race);
  Grade warning = with_case(CaseVerdict::wrong);
  add_finding(warning, "race-global", "warning");
  CHECK(of(warning) == Failure::wrong);
  Grade same = with_case(CaseVerdict::wrong);
  add_finding(same, "race-same-value", "warning");
  CHECK(of(same) == Failure::wrong);
}

TEST_CASE("a leak is unsafe and not an illegal address", "[grade][failure]") {
  Grade grade = right_grade();
  add_finding(grade, "leak");
  CHECK(of(grade) == Failure::unsafe);
}

TEST_CASE("correct and safe, but slow, is too slow; a missed concept takes precedence",
          "[grade][failure]") {
  Grade grade = with_short(Category::performance, ItemStatus::partial);
  CHECK(of(grade) == Failure::too_slow);
  grade.items[3].status = ItemStatus::failed;
  CHECK(of(grade) == Failure::concept_missed);
}

TEST_CASE("a harness error takes precedence over everything the submission did",
          "[grade][failure]") {
  Grade grade = with_case(CaseVerdict::error);
  grade.items[1].status = ItemStatus::error;
  add_finding(grade, "oob-global-read");
  CHECK(of(grade) == Failure::harness_fault);
  CHECK(is_ours(of(grade)));
  CHECK(is_ours(Failure::environment));
  CHECK_FALSE(is_ours(Failure::crash));
}

TEST_CASE("every failure has different words", "[grade][failure]") {
  std::set<std::string_view> slugs;
  std::set<std::string_view> texts;
  for (int i = 0; i <= static_cast<int>(Failure::too_slow); ++i) {
    CHECK(slugs.insert(slug(static_cast<Failure>(i))).second);
    CHECK(texts.insert(words(static_cast<Failure>(i))).second);
  }
  CHECK(slug(Failure::too_slow) == "too_slow");
  CHECK(slug(Failure::harness_fault) == "harness_fault");
}

}  // namespace
}  // namespace warpgrade
