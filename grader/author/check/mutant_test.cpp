#include "grader/author/check/mutant.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include "grader/judge/rubric/score.h"
#include "grader/testing/evidence.h"
#include "harness/lab/lab.h"

namespace warpgrade {
using Catch::Matchers::Message;
namespace {

MutantClaim claim_of(const std::string& text) {
  return read_claim(text, "x.cu");
}

Grade grade_of(const Evidence& evidence) {
  Grade grade;
  grade.items = score_items(evidence);
  for (const CaseOutcome& c : evidence.cases) {
    grade.cases.push_back(c.report);
  }
  grade.findings = evidence.findings;
  return grade;
}

TEST_CASE("a mutant's claim is read from its first lines", "[labcheck][mutant]") {
  const MutantClaim claim = claim_of(
      "// verdict: fails-correctness\n// pitfall: P3\n// caught-by: case \"the tail\"\n// Text.\n");
  CHECK(claim.verdict == MutantVerdict::fails_correctness);
  CHECK(claim.pitfall == "P3");
  CHECK(claim.caught_by == "case");
  CHECK(claim.caught_name == "the tail");
  CHECK(claim_of("// verdict: crashes\n// pitfall: none\n// caught-by: build\n").pitfall.empty());
}

TEST_CASE("a claim that is missing or unknown is reported with the file", "[labcheck][mutant]") {
  CHECK_THROWS_MATCHES(
      claim_of("// verdict: crashes\n#include <x>\n// pitfall: P1\n"), LabError,
      Message("x.cu: its first lines lack '// pitfall: ...'; see docs/adding-a-lab.md"));
  CHECK_THROWS_MATCHES(
      claim_of("// verdict: explodes\n// pitfall: none\n// caught-by: build\n"), LabError,
      Message("x.cu: 'explodes' is not a verdict; the verdicts are fails-build, fails-correctness, "
              "fails-safety, fails-concept, fails-performance, crashes and times-out"));
  CHECK_THROWS_MATCHES(
      claim_of("// verdict: crashes\n// pitfall: none\n// caught-by: luck\n"), LabError,
      Message("x.cu: caught-by 'luck' must start with case, finding, concept, performance or "
              "build"));
}

TEST_CASE("a claim holds when verdict, catcher and pitfall are in the grade",
          "[labcheck][mutant]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  testing::add_finding(evidence, "oob-global-write", "error");
  const MutantClaim claim{.verdict = MutantVerdict::fails_safety,
                          .pitfall = "P1",
                          .caught_by = "finding",
                          .caught_name = "oob-global-write"};
  Grade grade = grade_of(evidence);
  grade.pitfall = "P1";
  CHECK(broken_claims(claim, grade, CompilerKind::nvcc).empty());
}

TEST_CASE("each part of a claim that does not hold is reported", "[labcheck][mutant]") {
  const Lab lab = testing::test_lab();
  Grade grade = grade_of(testing::right_evidence(lab));
  grade.summary = "All is well.";
  const MutantClaim claim{.verdict = MutantVerdict::fails_safety,
                          .pitfall = "P1",
                          .caught_by = "case",
                          .caught_name = "small"};
  CHECK(broken_claims(claim, grade, CompilerKind::nvcc) ==
        std::vector<std::string>{"it does not get the verdict fails-safety",
                                 "case small does not detect it",
                                 "its headline does not name pitfall P1, but: All is well."});
}

TEST_CASE("a pitfall that is named, but not in the first sentence, does not hold",
          "[labcheck][mutant]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  testing::add_finding(evidence, "leak", "error");
  testing::add_finding(evidence, "oob-global-write", "error");
  const MutantClaim claim{.verdict = MutantVerdict::fails_safety,
                          .pitfall = "P46",
                          .caught_by = "finding",
                          .caught_name = "leak"};
  Grade grade = grade_of(evidence);
  grade.pitfall = "P1";
  grade.summary = "A thread writes past the end.";
  CHECK(broken_claims(claim, grade, CompilerKind::nvcc) ==
        std::vector<std::string>{"its headline does not name pitfall P46, but (P1): A "
                                 "thread writes past the end."});
}

TEST_CASE("a mutant that could not be graded proves nothing", "[labcheck][mutant]") {
  Grade grade;
  grade.status = GradeStatus::error;
  grade.summary = "the disk is full";
  CHECK(broken_claims({}, grade, CompilerKind::nvcc) ==
        std::vector<std::string>{"it could not be graded: the disk is full"});
}

}  // namespace
}  // namespace warpgrade
