#include "grader/judge/diagnose/lab_clue.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::add_finding;
using testing::make_wrong;
using testing::right_evidence;
using testing::test_lab;

constexpr const char* kLoads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

/// The test lab with this clue, for pitfall P57.
Lab lab_with(Clue clue) {
  Lab lab = test_lab();
  clue.pitfall = "P57";
  clue.says = "Exclusive and inclusive are exchanged.";
  lab.clues = {std::move(clue)};
  return lab;
}

std::string pitfall_of(const Evidence& evidence, const std::string& source = "") {
  return diagnose(evidence, score_items(evidence), {{.name = "vecadd.cu", .text = source}}).pitfall;
}

/// A clue on a condition over counters.
Clue when(const char* condition) {
  Clue clue;
  clue.when = Expression(condition);
  return clue;
}

TEST_CASE("a clue with a pattern holds only for a wrong case with that pattern",
          "[diagnose][clue]") {
  Clue clue;
  clue.pattern = "shifted";
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  CHECK(pitfall_of(evidence).empty());
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence).empty());
  make_wrong(evidence, 0, "shifted", 0, 0, 1);
  CHECK(pitfall_of(evidence) == "P57");
  CHECK(diagnose(evidence, score_items(evidence), {}).summary ==
        "Exclusive and inclusive are exchanged.");
}

TEST_CASE("one position of each block is a period too", "[diagnose][clue]") {
  Clue clue;
  clue.pattern = "periodic";
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "block-multiples", 3, 0, 1);
  CHECK(pitfall_of(evidence) == "P57");
}

TEST_CASE("a wrong sign is a factor too, and not the other way round", "[diagnose][clue]") {
  Clue clue;
  clue.pattern = "scaled";
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "wrong-sign", 3, 0, 1);
  CHECK(pitfall_of(evidence) == "P57");
  clue.pattern = "wrong-sign";
  const Lab other = lab_with(clue);
  Evidence scaled = right_evidence(other);
  make_wrong(scaled, 0, "scaled", 3, 0, 1);
  CHECK(pitfall_of(scaled).empty());
}

TEST_CASE("a clue names the cases that fail and those that do not", "[diagnose][clue]") {
  Clue clue;
  clue.fails = {"large"};
  clue.passes = {"small"};
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence) == "P57");
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence).empty());
  evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence).empty());
}

TEST_CASE("a pattern must occur in the cases that the clue names", "[diagnose][clue]") {
  Clue clue;
  clue.pattern = "all-zero";
  clue.fails = {"small"};
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  make_wrong(evidence, 1, "all-zero", 0, 0, 1);
  CHECK(pitfall_of(evidence).empty());
  make_wrong(evidence, 0, "all-zero", 0, 0, 1);
  CHECK(pitfall_of(evidence) == "P57");
}

TEST_CASE("a case that was not run neither passes nor fails", "[diagnose][clue]") {
  Clue clue;
  clue.fails = {"large"};
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  evidence.cases[1].report.verdict = CaseVerdict::not_run;
  CHECK(pitfall_of(evidence).empty());
}

TEST_CASE("a clue says which race it is, before the race itself", "[diagnose][clue]") {
  Clue clue;
  clue.finding = "race-shared";
  clue.no_finding = "race-global";
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "race-shared", "error");
  CHECK(pitfall_of(evidence) == "P57");
  add_finding(evidence, "race-global", "error");
  CHECK(pitfall_of(evidence) == "P22");  // of the race itself
}

TEST_CASE("a clue about reads of what other blocks write is not about lost updates",
          "[diagnose][clue]") {
  Lab lab = test_lab();
  Clue clue;
  clue.pitfall = "P33";
  clue.says = "The sum is read while other blocks add to it.";
  clue.finding = "race-global";
  lab.clues = {clue};
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  add_finding(evidence, "race-global", "error");
  evidence.findings.back().pitfall = "P30";
  CHECK(pitfall_of(evidence) == "P30");  // of the race itself
  evidence.findings.back().pitfall = "P33";
  CHECK(diagnose(evidence, score_items(evidence), {}).summary == clue.says);
  // One of several races is enough.
  add_finding(evidence, "race-global", "error");
  evidence.findings.back().pitfall = "P39";
  CHECK(diagnose(evidence, score_items(evidence), {}).summary == clue.says);
}

TEST_CASE("a clue about reads of uninitialized memory comes after the race that causes them",
          "[diagnose][clue]") {
  Clue clue;
  clue.finding = "unwritten-shared-read";
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "unwritten-shared-read", "error");
  CHECK(pitfall_of(evidence) == "P57");
  add_finding(evidence, "race-shared", "error");
  CHECK(pitfall_of(evidence) == "P22");
}

TEST_CASE("a case that is hidden before the release may distinguish two causes",
          "[diagnose][clue]") {
  Clue clue;
  clue.fails = {"small", "hidden"};
  clue.passes = {"large"};
  Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence) == "P57");  // one that fails is enough
  lab.clues[0].passes = {"hidden"};
  CHECK(pitfall_of(evidence).empty());
  lab.clues[0].pattern = "scattered";  // and here something else points to it
  CHECK(pitfall_of(evidence) == "P57");
  lab.clues[0].fails = {"hidden"};
  CHECK(pitfall_of(evidence).empty());
}

TEST_CASE("what is certain comes before a clue that does not name it", "[diagnose][clue]") {
  Clue clue;
  clue.pattern = "tail";
  Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 700, 0, 1);
  add_finding(evidence, "oob-global-write", "error");
  CHECK(pitfall_of(evidence) == "P1");
  lab.clues[0].finding = "oob-global-write";
  CHECK(pitfall_of(evidence) == "P57");
}

TEST_CASE("the source is searched without comments, also for what it lacks", "[diagnose][clue]") {
  Clue clue;
  clue.fails = {"small"};
  clue.source = R"(blockDim\.x\s*/\s*2)";
  clue.lacks = "__syncthreads";
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence, "int s = blockDim.x / 2;\n// __syncthreads();\n") == "P57");
  CHECK(pitfall_of(evidence, "int s = blockDim.x / 2;\n__syncthreads();\n").empty());
  CHECK(pitfall_of(evidence, "// blockDim.x / 2\n").empty());
}

TEST_CASE("a source that only looks wrong is not blamed", "[diagnose][clue]") {
  Clue clue;
  clue.source = "goto";
  const Lab lab = lab_with(clue);
  CHECK(pitfall_of(right_evidence(lab), "goto end;").empty());
}

TEST_CASE("a program that is right but costs too much reaches the clues on cost",
          "[diagnose][clue]") {
  const Lab lab = lab_with(when("global_load_sectors > n"));
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].emulator->kernels[0].counters[kLoads] = 5000;
  CHECK(pitfall_of(evidence) == "P57");
  evidence.cases[1].emulator->kernels[0].counters[kLoads] = 900;  // too many, but not that many
  CHECK(pitfall_of(evidence) == "P75");
}

TEST_CASE("counters alone do not explain a wrong result", "[diagnose][clue]") {
  const Lab lab = lab_with(when("global_load_sectors > 0"));
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence).empty());
  CHECK(pitfall_of(right_evidence(lab)).empty());
}

TEST_CASE("a condition that divides by zero, or has no kernel to look at, does not hold",
          "[diagnose][clue]") {
  Clue clue = when("global_load_sectors / shared_load_requests > 0");
  clue.pattern = "scattered";
  Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence).empty());
  lab.clues[0].when = Expression("shared_load_requests == 0");
  CHECK(pitfall_of(evidence) == "P57");
  evidence.cases[1].emulator->kernels.clear();
  CHECK(pitfall_of(evidence).empty());
}

TEST_CASE("the first clue that holds is reported", "[diagnose][clue]") {
  Clue clue;
  clue.fails = {"small"};
  Lab lab = lab_with(clue);
  lab.clues.insert(lab.clues.begin(), lab.clues[0]);
  lab.clues[0].pitfall = "P52";
  lab.clues[0].pattern = "all-zero";
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  CHECK(pitfall_of(evidence) == "P57");
  make_wrong(evidence, 0, "all-zero", 0, 0, 1);
  CHECK(pitfall_of(evidence) == "P52");
}

TEST_CASE("no clue matches the stub", "[diagnose][clue]") {
  Clue clue;
  clue.fails = {"small"};
  const Lab lab = lab_with(clue);
  Evidence evidence = right_evidence(lab);
  for (std::size_t i = 0; i < evidence.cases.size(); ++i) {
    make_wrong(evidence, i, "unwritten", 0, 0, 1);
    evidence.cases[i].emulator->kernels.clear();
  }
  CHECK(pitfall_of(evidence).empty());
}

}  // namespace
}  // namespace warpgrade
