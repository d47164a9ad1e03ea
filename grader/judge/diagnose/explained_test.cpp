#include "grader/judge/diagnose/explained.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::add_finding;
using testing::make_wrong;
using testing::right_evidence;

void add_clue(Lab& lab, const std::string& pitfall, const std::string& says) {
  Clue& clue = lab.clues.emplace_back();
  clue.pitfall = pitfall;
  clue.says = says;
  clue.fails = {"small"};
}

Explanation formula_of(bool of_lab) {
  Explanation explanation;
  explanation.variant = "mask-left";
  explanation.of_lab = of_lab;
  explanation.pitfall = of_lab ? "P11" : "";
  explanation.message = "Your output is exactly the right one for a mask.";
  explanation.cases = {"small"};
  explanation.compared = explanation.failing = 1;
  return explanation;
}

TEST_CASE(
    "a formula that gives the outputs precedes a clue, unless a finding says what led to them",
    "[diagnose]") {
  Lab lab = testing::test_lab();
  add_clue(lab, "P57", "A guess.");
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  CHECK(diagnose(evidence, score_items(evidence), {}, {}).pitfall == "P57");
  const Explanation formula = formula_of(true);
  const Diagnosis d = diagnose(evidence, score_items(evidence), {}, formula);
  CHECK(d.summary == "Your output is exactly the right one for a mask.");
  CHECK(d.pitfall == "P11");
  add_finding(evidence, "race-shared", "error");
  CHECK(diagnose(evidence, score_items(evidence), {}, formula).pitfall != "P11");
  evidence.findings.front().cases = {"large"};  // which the formula does not explain
  CHECK(diagnose(evidence, score_items(evidence), {}, formula).pitfall == "P11");
}

TEST_CASE("a changed golden function precedes a clue that has only the cases that fail",
          "[diagnose]") {
  Lab lab = testing::test_lab();
  add_clue(lab, "P58", "A guess.");
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  Explanation variant = formula_of(false);
  variant.of_golden = true;
  const Diagnosis d = diagnose(evidence, score_items(evidence), {}, variant);
  CHECK(d.summary == "Your output is exactly the right one for a mask.");
  CHECK(d.pitfall.empty());
  lab.clues.front().pattern = "scattered";  // more evidence than the cases that fail
  CHECK(diagnose(evidence, score_items(evidence), {}, variant).summary == "A guess.");
  lab.clues.front().pattern.clear();
  variant.of_golden = false;
  CHECK(diagnose(evidence, score_items(evidence), {}, variant).pitfall == "P58");
}

TEST_CASE("a clue from the source names the cause of a formula that has no pitfall", "[diagnose]") {
  Lab lab = testing::test_lab();
  add_clue(lab, "P26", "The result is in the other array.");
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  Explanation formula = formula_of(true);
  formula.pitfall.clear();
  // Without a line of the source, the clue is a sign only.
  CHECK(diagnose(evidence, score_items(evidence), {}, formula).pitfall.empty());
  lab.clues.front().source = "scratch";
  const std::vector<SourceFile> sources = {{.name = "a.cu", .text = "in = scratch;\n"}};
  const Diagnosis d = diagnose(evidence, score_items(evidence), sources, formula);
  CHECK(d.pitfall == "P26");
  CHECK(d.summary ==
        "Your output is exactly the right one for a mask. The result is in the other array.");
  formula.pitfall = "P11";
  CHECK(diagnose(evidence, score_items(evidence), sources, formula).pitfall == "P11");
  // What the solution has, too, is no evidence.
  const ScratchFolder reference;
  write_file_atomically(reference.path() / "solution.cu", "int* scratch;\n");
  lab.reference = reference.path();
  formula.pitfall.clear();
  CHECK(diagnose(evidence, score_items(evidence), sources, formula).pitfall.empty());
}

TEST_CASE("a formula that a finding precedes is said after it", "[diagnose]") {
  const Lab lab = testing::test_lab();
  for (const char* kind : {"oob-global-read", "race-shared"}) {
    Evidence evidence = right_evidence(lab);
    make_wrong(evidence, 0, "scattered", 0, 1, 2);
    add_finding(evidence, kind, "error");
    const std::string pitfall = evidence.findings.front().pitfall;
    const Explanation formula = formula_of(true);
    const Diagnosis d = diagnose(evidence, score_items(evidence), {}, formula);
    CHECK(d.summary.ends_with(". " + formula.message));
    CHECK((pitfall.empty() || d.pitfall == pitfall));
    // One that holds for few of the failing cases may be chance.
    Explanation of_few = formula;
    of_few.compared = of_few.failing = 3;
    const Diagnosis alone = diagnose(evidence, score_items(evidence), {}, of_few);
    CHECK(alone.summary.find(formula.message) == std::string::npos);
    // A proof says more.
    evidence.cause.emplace();
    evidence.cause->message = "With one more block.";
    evidence.cause->cases = {"small"};
    const Diagnosis proven = diagnose(evidence, score_items(evidence), {}, formula);
    CHECK(proven.summary.find(formula.message) == std::string::npos);
  }
}

TEST_CASE(
    "the right formula for other inputs comes after clues, and before sizes, whose page it takes",
    "[diagnose]") {
  Lab lab = testing::test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  Explanation formula = formula_of(false);
  formula.of_inputs = true;
  CHECK(diagnose(evidence, score_items(evidence), {}, formula).summary == formula.message);
  add_clue(lab, "P57", "A sign.");
  CHECK(diagnose(evidence, score_items(evidence), {}, formula).pitfall == "P57");
}

TEST_CASE(
    "the line of a slip that makes all cases right precedes the race of blocks that it leads to",
    "[diagnose]") {
  const Lab lab = testing::test_lab();
  Explanation slip;
  slip.variant = "edit=a.cu:6";
  slip.message =
      "With another index than `gridDim.x` at line 6 of a.cu, all 2 visible cases are "
      "correct; now 1 is.";
  slip.cases = {"small"};
  slip.compared = slip.failing = slip.slip_cases = 1;
  for (const bool blocks : {true, false}) {
    Evidence evidence = right_evidence(lab);
    make_wrong(evidence, 0, "scattered", 0, 1, 2);
    add_finding(evidence, blocks ? "race-global" : "race-shared", "error");
    if (blocks)
      evidence.findings.front().detail = warpsim::slug(warpsim::FindingDetail::blocks_overlap);
    const Diagnosis d = diagnose(evidence, score_items(evidence), {}, slip);
    CHECK(d.summary.starts_with(slip.message) == blocks);
    CHECK(d.summary.find(evidence.findings.front().message) != std::string::npos);
    slip.failing = 2;  // one that leaves a case wrong may hide another mistake
    CHECK_FALSE(diagnose(evidence, score_items(evidence), {}, slip).summary.starts_with("With"));
    slip.failing = 1;
  }
}

TEST_CASE("the line that makes all cases right precedes a clue, which is an inference",
          "[diagnose]") {
  Lab lab = testing::test_lab();
  add_clue(lab, "P57", "A sign.");
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  Explanation slip = formula_of(false);
  slip.variant = "edit=a.cu:6";
  slip.message =
      "With another number at line 6 of a.cu, all 2 visible cases are correct; now 1 is.";
  slip.cases = {"small"};
  slip.compared = slip.failing = slip.slip_cases = 1;
  const Diagnosis both = diagnose(evidence, score_items(evidence), {}, slip);
  CHECK(both.summary == slip.message);  // what the clue says was inferred
  CHECK(both.pitfall == "P57");
  slip.failing = 2;  // the other case is too large to be tried
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).summary == slip.message);
  slip.compared = 2;  // another mistake is left
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).summary == "A sign.");
}

TEST_CASE("right values in wrong places are said if no rule knows more", "[diagnose]") {
  Lab lab = testing::test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  const Explanation formula = formula_of(false);
  CHECK(diagnose(evidence, score_items(evidence), {}, formula).summary ==
        "Your output is exactly the right one for a mask.");
  add_clue(lab, "P57", "A sign.");
  CHECK(diagnose(evidence, score_items(evidence), {}, formula).pitfall == "P57");
}

TEST_CASE(
    "an experiment that fixes some cases does not replace a formula, and one that fixes all "
    "follows it",
    "[diagnose]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  const Explanation formula = formula_of(true);
  evidence.cause.emplace();
  evidence.cause->kind = CauseKind::blocks;
  evidence.cause->pitfall = "P2";
  evidence.cause->message = "With one more block.";
  evidence.cause->cases = {"small"};
  evidence.cause->tried = 3;
  evidence.cause->right = 2;
  const Diagnosis some = diagnose(evidence, score_items(evidence), {}, formula);
  CHECK(some.summary == "Your output is exactly the right one for a mask.");
  evidence.cause->right = 3;
  const Diagnosis all = diagnose(evidence, score_items(evidence), {}, formula);
  CHECK(all.summary == "Your output is exactly the right one for a mask. With one more block.");
  CHECK(all.pitfall == "P11");
}

TEST_CASE("an access outside of an array follows the line that makes all cases right",
          "[diagnose]") {
  Lab lab = testing::test_lab();
  add_clue(lab, "P57", "A sign.");
  lab.clues.back().finding = "oob-global-write";
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  add_finding(evidence, "oob-global-write", "error");
  Explanation slip = formula_of(false);
  slip.variant = "edit=a.cu:6";
  slip.message =
      "With another number at line 6 of a.cu, all 2 visible cases are correct; now 1 is.";
  slip.cases = {"small"};
  slip.compared = slip.failing = slip.slip_cases = 1;
  const Diagnosis both = diagnose(evidence, score_items(evidence), {}, slip);
  CHECK(both.summary.starts_with(slip.message + " "));
  CHECK(both.summary.find(evidence.findings.front().message) != std::string::npos);
  CHECK(both.summary.find("A sign.") == std::string::npos);
  CHECK(both.pitfall == "P57");
  slip.failing = 2;  // the other case is too large to be tried
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).summary == both.summary);
  evidence.findings.front().cases = {"large"};  // and the only one with such an access
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).summary.starts_with("A sign."));
  slip.slip_cases = 0;  // another mistake is left
  const Diagnosis clue = diagnose(evidence, score_items(evidence), {}, slip);
  CHECK(clue.summary.starts_with("A sign."));
}

Explanation call_slip(const std::string& edit) {
  Explanation slip;
  slip.variant = "edit=call a.cu:7/" + edit;
  slip.message = "With one change at line 7 of a.cu, the visible case is correct; now none is.";
  slip.cases = {"small"};
  slip.compared = slip.failing = slip.slip_cases = 1;
  return slip;
}

TEST_CASE("values that are nearly right have fewer bits, unless one change makes them right",
          "[diagnose]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "everything", 0, 1.001, 1);
  const MismatchedElement m = evidence.cases[0].report.first_mismatches[0];
  evidence.cases[0].report.first_mismatches = {m, m, m, m};
  Explanation slip = call_slip("add/2/+1");
  const Diagnosis d = diagnose(evidence, score_items(evidence), {}, slip);
  CHECK(d.summary == slip.message);
  CHECK(d.pitfall.empty());
  slip.failing = 2;  // another mistake is left
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).pitfall == "P56");
}

TEST_CASE("a clue's page stays beside a proven change only if it can be about that", "[diagnose]") {
  Lab lab = testing::test_lab();
  add_clue(lab, "P57", "An inclusive sum.");
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  const auto said = [&](const Explanation& slip) {
    return diagnose(evidence, score_items(evidence), {}, slip);
  };
  const Diagnosis order = said(call_slip("move/call/after=9"));
  CHECK(order.summary == call_slip("").message);
  CHECK(order.pitfall.empty());
  CHECK(said(call_slip("scan/3/0")).pitfall == "P57");  // whether it is inclusive is an argument
  Explanation exchanged = call_slip("move/1/<>2");
  exchanged.pitfall = "P5";
  CHECK(said(exchanged).pitfall == "P5");
  lab.clues.front().pitfall = "P58";
  CHECK(said(call_slip("move/call/after=9")).pitfall == "P58");
}

TEST_CASE("a change of structure that makes all cases right comes after a clue of the lab",
          "[diagnose]") {
  Lab lab = testing::test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 0, 1, 2);
  Explanation slip = call_slip("moved");
  slip.of_structure = true;
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).summary == slip.message);
  add_clue(lab, "P56", "A sign.");
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).summary.starts_with("A sign."));
  slip.of_structure = false;
  CHECK(diagnose(evidence, score_items(evidence), {}, slip).summary.starts_with(slip.message));
}

}  // namespace
}  // namespace warpgrade
