#include "grader/judge/assess/before_release.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/record/grade/grade_json.h"
#include "grader/record/grade/student_view.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::make_wrong;
using testing::right_evidence;

/// "small" is visible; "large", on which cost is counted, is hidden.
Lab half_hidden() {
  Lab lab = testing::test_lab();
  lab.cases[1].visible = false;
  return lab;
}

ReportedFinding finding(const char* kind, const std::string& message) {
  ReportedFinding f;
  f.kind = kind;
  f.severity = warpsim::severity_name(warpsim::find_finding_kind(kind)->severity);
  f.pitfall = "P99";  // a value that the program can influence
  f.file = "vecadd.cu";
  f.line = 7;
  f.message = message;
  return f;
}

void add(Evidence& evidence, std::size_t index, const ReportedFinding& f) {
  evidence.cases.at(index).emulator->findings.push_back(f);
  evidence.findings = fold_findings(evidence.cases);
}

BeforeRelease said_of(const Evidence& evidence, PublicRuns open = {}) {
  return before_release(evidence, score_items(evidence), std::move(open), {});
}

const Item& item_of(const BeforeRelease& said, const std::string& id) {
  const auto it = std::find_if(said.assessment.items.begin(), said.assessment.items.end(),
                               [&](const Item& item) { return item.id == id; });
  REQUIRE(it != said.assessment.items.end());
  return *it;
}

TEST_CASE("a lab without hidden cases has nothing to say before a release",
          "[grade_submission][hidden]") {
  const Lab lab = testing::test_lab();
  CHECK(said_of(right_evidence(lab)).hidden_cases == 0);
}

TEST_CASE(
    "a finding of hidden cases is shown as the title of its kind, with nothing that the program "
    "can influence",
    "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  add(evidence, 1, finding("oob-global-read", "past the end of cudaMalloc #3 (4092 bytes)"));
  const BeforeRelease said = said_of(evidence);
  CHECK(said.assessment.findings.empty());
  CHECK(said.hidden_kinds == std::vector<std::string>{"oob-global-read"});
  const Item& safety = item_of(said, "safety");
  CHECK(safety.status == ItemStatus::failed);
  CHECK(safety.message == "Hidden cases show: read outside an array in global memory.");
  CHECK(safety.hint.empty());
  CHECK(safety.pitfall == "P1");
  CHECK(said.assessment.summary ==
        "Correct, but hidden cases show: read outside an array in global memory.");
}

TEST_CASE("a finding that also occurs in visible cases is reported as there",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  add(evidence, 1, finding("oob-global-read", "past the end of cudaMalloc #3 (4092 bytes)"));
  evidence.cases[1].emulator->findings[0].count = 4091;
  add(evidence, 0, finding("oob-global-read", "past the end of cudaMalloc #3 (400 bytes)"));
  const BeforeRelease said = said_of(evidence);
  REQUIRE(said.assessment.findings.size() == 1);
  CHECK(said.assessment.findings[0].message == "past the end of cudaMalloc #3 (400 bytes)");
  CHECK(said.assessment.findings[0].count == 1);
  CHECK(said.assessment.findings[0].cases == std::vector<std::string>{"small"});
  CHECK(said.hidden_kinds.empty());
  CHECK(item_of(said, "safety").message == "past the end of cudaMalloc #3 (400 bytes).");
}

TEST_CASE("of several kinds that only hidden cases show, the costliest is disclosed",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  add(evidence, 1, finding("leak", "4092 bytes were never freed"));
  add(evidence, 1, finding("stream-race", "byte 4092"));
  CHECK(said_of(evidence).hidden_kinds == std::vector<std::string>{"stream-race"});
  add(evidence, 1, finding("oob-global-read", "byte 4092"));
  CHECK(said_of(evidence).hidden_kinds == std::vector<std::string>{"oob-global-read"});
}

TEST_CASE("a kind that costs nothing is not disclosed for hidden cases",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  add(evidence, 1, finding("unchecked-error", "cudaMalloc failed"));
  add(evidence, 1, finding("leak", "4092 bytes were never freed"));
  CHECK(said_of(evidence).hidden_kinds == std::vector<std::string>{"leak"});
}

TEST_CASE(
    "for counters of a hidden case only passed or failed is shown, for a public run everything",
    "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  const Evidence evidence = right_evidence(lab);
  const BeforeRelease little = said_of(evidence);
  CHECK(item_of(little, "concept/loads").message == "Satisfied in a hidden case.");
  CHECK_FALSE(item_of(little, "concept/loads").numbers);
  CHECK(item_of(little, "performance").message ==
        "In a hidden case: at most 1.25 times the reference's time.");
  CHECK(item_of(little, "performance").points == 15);
  CHECK(little.assessment.kernels.empty());
  CHECK_FALSE(little.assessment.timing);

  PublicRuns open{.cases = {evidence.cases[1]}, .costs = evidence.references};
  open.cases[0].emulator->kernels[0].grid = {77, 1, 1};
  const BeforeRelease all = said_of(evidence, std::move(open));
  CHECK(item_of(all, "concept/loads").numbers);
  CHECK(item_of(all, "performance").message.starts_with("Modelled time 1 ms"));
  REQUIRE(all.assessment.kernels.size() == 1);
  CHECK(all.assessment.kernels[0].grid[0] == 77);  // of the run on public data
  CHECK(all.assessment.timing);
}

TEST_CASE("a public run with a different result is not shown for the hidden one",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  PublicRuns open{.cases = {evidence.cases[1]}, .costs = evidence.references};
  evidence.cases[1].emulator->kernels[0].counters["modelled_ms"] = 1.5;
  evidence.cases[1]
      .emulator->kernels[0]
      .counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 1e6;
  const BeforeRelease said = said_of(evidence, std::move(open));
  CHECK(item_of(said, "performance").message ==
        "In a hidden case: at most 2 times the reference's time.");
  CHECK(item_of(said, "performance").hint == "15 points from 1.25 times the reference's time on.");
  CHECK(item_of(said, "concept/loads").message ==
        "Not satisfied in a hidden case, which must also pass.");
  CHECK(item_of(said, "concept/loads").pitfall == "P75");
}

TEST_CASE("a concept check has its hint only where its own measure falls short, not the outputs",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence wasteful = right_evidence(lab);
  wasteful.cases[1]
      .emulator->kernels[0]
      .counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 1e6;
  CHECK_FALSE(item_of(said_of(wasteful), "concept/loads").hint.empty());
  Evidence wrong = right_evidence(lab);
  make_wrong(wrong, 1, "tail", 96, 1, 2);
  const BeforeRelease said = said_of(wrong);
  const Item& loads = item_of(said, "concept/loads");
  CHECK(loads.status == ItemStatus::failed);
  CHECK(loads.message == "Not satisfied in a hidden case, which must also pass.");
  CHECK(loads.hint.empty());
  CHECK(loads.pitfall.empty());
}

TEST_CASE("reduced points for time are explained, even if the time itself is hidden",
          "[grade_submission][hidden]") {
  Lab lab = half_hidden();
  lab.cases[0].points = 3;
  lab.cases[1].points = 47;
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "tail", 96, 1, 2);
  const BeforeRelease said = said_of(evidence);
  CHECK(item_of(said, "performance").points == 13.2);
  CHECK(item_of(said, "performance").message ==
        "In a hidden case: at most 1.25 times the reference's time. Not every case passes, so 88 % "
        "of these points count.");
}

TEST_CASE("a finding of hidden cases costs in proportion to their points, and names none",
          "[grade_submission][hidden]") {
  Lab lab = half_hidden();
  lab.cases[0].points = 40;
  lab.cases[1].points = 10;
  Evidence evidence = right_evidence(lab);
  add(evidence, 1, finding("oob-global-read", "past the end of cudaMalloc #3 (4092 bytes)"));
  const BeforeRelease said = said_of(evidence);
  const Item& safety = item_of(said, "safety");
  CHECK(safety.points == 9);
  CHECK(safety.status == ItemStatus::partial);
  CHECK(safety.message == "Hidden cases show: read outside an array in global memory.");
}

TEST_CASE("if hidden cases are wrong, the message depends on that alone",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  const BeforeRelease said = said_of(evidence);
  make_wrong(evidence, 1, "all-zero", 1, 0, 12);
  evidence.cases[1].report.verdict = CaseVerdict::crashed;
  evidence.cases[1].report.message = "The program crashed with signal 4092.";
  const BeforeRelease other = said_of(evidence);
  CHECK(said.assessment.summary.starts_with("All visible cases pass, and a hidden one fails."));
  Grade grade;
  grade.before_release = said;
  Grade second;
  second.before_release = other;
  CHECK(to_json(grade) == to_json(second));
}

TEST_CASE("a visible case that is wrong is diagnosed from visible cases",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "tail", 96, 1, 2);
  make_wrong(evidence, 1, "tail", 768, 66666, 77777);
  const BeforeRelease said = said_of(evidence);
  CHECK(said.assessment.summary.find("small") != std::string::npos);
  CHECK(item_of(said, kHiddenItem).status == ItemStatus::failed);
  CHECK(item_of(said, kHiddenItem).title == "1 hidden case");
}

TEST_CASE("an internal error in a hidden case is reported without its message",
          "[grade_submission][hidden]") {
  const Lab lab = half_hidden();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].report.verdict = CaseVerdict::error;
  evidence.cases[1].report.message = "The worker failed at n = 1000.";
  const BeforeRelease said = said_of(evidence);
  CHECK(said.assessment.summary ==
        "Internal error of the grader on a hidden case; no action needed from you.");
  CHECK(item_of(said, kHiddenItem).status == ItemStatus::error);
  CHECK(item_of(said, "concept/loads").message ==
        "A hidden case could not be run or checked because of an internal error; you lose no "
        "points.");
}

TEST_CASE("what may be shown is read back as it was written", "[grade_submission][hidden][json]") {
  const Lab lab = half_hidden();
  const Evidence evidence = right_evidence(lab);
  Grade grade;
  grade.lab = lab.id;
  grade.lab_title = lab.title;
  grade.student = "s01";
  grade.started = "2026-11-21T09:30:00Z";
  grade.items = score_items(evidence);
  SECTION("with hidden cases") {
    grade.before_release = said_of(
        evidence, {.cases = {evidence.cases[1]}, .costs = evidence.references, .own = true});
    CHECK(grade.before_release->public_cases == std::vector<std::string>{"large"});
  }
  SECTION("without") {
    grade.before_release = BeforeRelease{};
  }
  SECTION("and in a grade of an earlier version there is nothing") {}
  const auto json = to_json(grade);
  CHECK(schema_violation(json).empty());
  const Grade read = grade_from_json(json);
  CHECK(read.before_release.has_value() == grade.before_release.has_value());
  CHECK(to_json(read) == json);
}

}  // namespace
}  // namespace warpgrade
