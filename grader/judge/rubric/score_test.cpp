#include "grader/judge/rubric/score.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "grader/judge/rubric/proportion.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::add_finding;
using testing::right_evidence;
using testing::test_lab;

const Item& item(const std::vector<Item>& items, const std::string& id) {
  const auto it =
      std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.id == id; });
  REQUIRE(it != items.end());
  return *it;
}

double total(const std::vector<Item>& items) {
  double points = 0;
  for (const Item& i : items) {
    points += i.points;
  }
  return points;
}

TEST_CASE("a right, clean and fast submission has every point", "[rubric]") {
  const Lab lab = test_lab();
  const auto items = score_items(right_evidence(lab));
  CHECK(total(items) == 100);
  for (const Item& i : items) {
    INFO(i.id << ": " << i.message);
    CHECK(i.status == ItemStatus::passed);
    CHECK(i.points == i.max_points);
  }
}

TEST_CASE("what does not build has no points, and every item says why", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence;
  evidence.lab = &lab;
  evidence.build_problem = "vecadd.cu:3: expected a \";\"";
  const auto items = score_items(evidence);
  CHECK(total(items) == 0);
  CHECK(item(items, "build").message == "vecadd.cu:3: expected a \";\"");
  CHECK(item(items, "correctness/small").message == "Not run: it does not build.");
  CHECK(item(items, "safety").status == ItemStatus::failed);
}

TEST_CASE("a wrong case costs its own points, and twice its share of those for time", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[0].report.verdict = CaseVerdict::wrong;
  evidence.cases[0].report.message = "`c` is wrong at 1 of 10 elements.";
  const auto items = score_items(evidence);
  CHECK(item(items, "correctness/small").points == 0);
  CHECK(item(items, "correctness/small").hint == "hint of small");
  CHECK(item(items, "correctness/large").points == 30);
  CHECK(item(items, "safety").points == 15);
  CHECK(item(items, "concept/loads").points == 15);
  const Item performance = item(items, "performance");  // 20 of 50 points are lost, so 40 of 50
  CHECK(performance.points == 3);
  CHECK(performance.status == ItemStatus::partial);
  CHECK(performance.message ==
        "Modelled time 1 ms, the reference's 1 ms: ratio 1.00. Not every case passes, so 20 % "
        "of these points count.");
}

TEST_CASE("time has no points below half of the correctness points, nor if its own case is wrong",
          "[rubric][performance]") {
  Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].report.verdict = CaseVerdict::wrong;  // "large", which is timed: 30 of 50
  CHECK(item(score_items(evidence), "performance").message ==
        "Counted only with more than half of the correctness points.");
  CHECK_FALSE(time_counts(evidence));
  lab.cases[0].points = 45;
  lab.cases[1].points = 5;
  const Item performance = item(score_items(evidence), "performance");
  CHECK(performance.points == 0);
  CHECK(performance.message == "Counted only if case \"large\" passes.");
  CHECK_FALSE(time_counts(evidence));
  evidence.cases[1].report.verdict = CaseVerdict::passed;
  CHECK(time_counts(evidence));
  CHECK(item(score_items(evidence), "performance").points == 15);
}

TEST_CASE("time has no points if a second call in the process is wrong", "[rubric][performance]") {
  Lab lab = test_lab();
  lab.cases[0].points = 2;
  lab.cases[1].points = 48;
  Evidence evidence = right_evidence(lab);
  evidence.cases[0].report.verdict = CaseVerdict::wrong;
  CHECK(item(score_items(evidence), "performance").points == 13.8);  // near miss: wrong at once
  evidence.cases[0].fails_as_second_call = true;
  CHECK(item(score_items(evidence), "performance").points == 0);
}

TEST_CASE("one mistake in a corner case costs little in every item", "[rubric]") {
  Lab lab = test_lab();
  lab.cases[0].points = 3;
  lab.cases[1].points = 47;
  Evidence evidence = right_evidence(lab);
  evidence.cases[0].report.verdict = CaseVerdict::cuda_error;
  add_finding(evidence, "illegal-launch", "error");  // in case "small"
  const auto items = score_items(evidence);
  CHECK(item(items, "correctness/small").points == 0);
  CHECK(item(items, "safety").points == 13.2);
  CHECK(item(items, "safety").status == ItemStatus::partial);
  CHECK(item(items, "performance").points == 13.2);
  CHECK(total(items) == 100 - 3 - 1.8 - 1.8);
}

TEST_CASE("fixing a case never costs points", "[rubric]") {
  Lab lab = test_lab();
  for (const double points : {1.0, 10.0, 24.0, 26.0, 49.0}) {
    lab.cases[0].points = points;
    lab.cases[1].points = 50 - points;
    for (const char* kind : {"oob-global-read", "leak", ""}) {
      INFO(points << " " << kind);
      Evidence evidence = right_evidence(lab);
      if (*kind != 0) add_finding(evidence, kind, "error");
      evidence.cases[0].report.verdict = CaseVerdict::wrong;
      const double wrong = total(score_items(evidence));
      evidence.cases[0].report.verdict = CaseVerdict::passed;
      const double repaired = total(score_items(evidence));
      CHECK(repaired > wrong);
      evidence.findings.clear();
      CHECK(total(score_items(evidence)) >= repaired);
    }
  }
}

TEST_CASE("a finding of severity error costs the safety points; a warning costs nothing",
          "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "unwritten-copy", "warning");
  CHECK(item(score_items(evidence), "safety").points == 15);
  add_finding(evidence, "oob-global-write", "error");
  const Item safety = item(score_items(evidence), "safety");
  CHECK(safety.points == 3);  // in cases of 20 of 50 points
  CHECK(safety.status == ItemStatus::partial);
  CHECK(safety.pitfall == "P1");
  evidence.findings.back().cases = {"large"};
  CHECK(item(score_items(evidence), "safety").points == 0);
  CHECK(item(score_items(evidence), "safety").status == ItemStatus::failed);
}

TEST_CASE("a finding in a case without points is not free", "[rubric]") {
  Lab lab = test_lab();
  lab.cases[0].points = 0;
  lab.cases[1].points = 50;
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "oob-global-write", "error");
  CHECK(item(score_items(evidence), "safety").points == 14.4);
  CHECK(item(score_items(evidence), "safety").status == ItemStatus::partial);
}

TEST_CASE("leaks alone cost at most half of the safety points", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "leak", "error");
  CHECK(item(score_items(evidence), "safety").points == 9);  // seen in 20 of 50 points
  evidence.findings.back().cases = {"small", "large"};
  CHECK(item(score_items(evidence), "safety").points == 7.5);
  CHECK(item(score_items(evidence), "safety").status == ItemStatus::partial);
}

TEST_CASE("relying on lanes in lockstep costs at most half of the safety points", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "warp-synchronous", "warning");
  evidence.findings.back().cases = {"small", "large"};
  CHECK(item(score_items(evidence), "safety").points == 7.5);
  add_finding(evidence, "race-same-value", "warning");
  CHECK(item(score_items(evidence), "safety").points == 7.5);
  add_finding(evidence, "oob-global-write", "error");
  CHECK(item(score_items(evidence), "safety").points == 3);  // unsafe in 20 of 50 points
  CHECK(item(score_items(evidence), "safety").pitfall == "P1");
}

TEST_CASE("a program that does nothing gets no points for safety", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  for (CaseOutcome& c : evidence.cases) {
    c.report.verdict = CaseVerdict::wrong;
  }
  const auto items = score_items(evidence);
  CHECK(item(items, "safety").points == 0);
  CHECK(total(items) == 5);
}

TEST_CASE("a run without an emulator report is an internal error, never clean", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[0].emulator.reset();
  CHECK(item(score_items(evidence), "safety").status == ItemStatus::error);
}

TEST_CASE("without the emulator, safety, concepts and performance are not assessed", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.emulated = false;
  for (CaseOutcome& c : evidence.cases) {
    c.emulator.reset();
  }
  const auto items = score_items(evidence);
  CHECK(item(items, "safety").status == ItemStatus::not_assessed);
  CHECK(item(items, "concept/loads").status == ItemStatus::not_assessed);
  CHECK(item(items, "performance").status == ItemStatus::not_assessed);
}

TEST_CASE("a concept check compares the counters with the formula, both ways",
          "[rubric][concept]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  auto& sectors = evidence.cases[1]
                      .emulator->kernels[0]
                      .counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"];
  sectors = 500;  // the formula gives 250
  Item check = item(score_items(evidence), "concept/loads");
  CHECK(check.status == ItemStatus::failed);
  CHECK(check.pitfall == "P75");
  CHECK(check.message == "500 sectors; 250 are enough (the reference: 250; accepted: up to 275).");
  sectors = 0;
  check = item(score_items(evidence), "concept/loads");
  CHECK(check.status == ItemStatus::failed);
  CHECK(check.message.starts_with("0 sectors; at least "));
  sectors = 275;
  CHECK(item(score_items(evidence), "concept/loads").status == ItemStatus::passed);
}

TEST_CASE("only work that leads to an output counts towards the lower limit", "[rubric][concept]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  EmulatorReport& report = *evidence.cases[1].emulator;
  const std::string metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  report.reaching = report.kernels;
  CHECK(item(score_items(evidence), "concept/loads").status == ItemStatus::passed);
  report.reaching->front().counters[metric] = 225;  // 0.9 times 250
  CHECK(item(score_items(evidence), "concept/loads").status == ItemStatus::passed);
  report.reaching->front().counters[metric] = 224;
  const Item check = item(score_items(evidence), "concept/loads");
  CHECK(check.status == ItemStatus::failed);
  CHECK(check.points == 0);
  CHECK(check.message ==
        "250 sectors. But only 224 of that contributes to an output; the rest does not count.");
}

TEST_CASE("work that leads to no output still counts towards the upper limit",
          "[rubric][concept]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  EmulatorReport& report = *evidence.cases[1].emulator;
  report.reaching = report.kernels;
  report.kernels[0].counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 500;
  CHECK(item(score_items(evidence), "concept/loads").status == ItemStatus::failed);
}

TEST_CASE("a concept check is evaluated only for a right result", "[rubric][concept]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].report.verdict = CaseVerdict::wrong;
  CHECK(item(score_items(evidence), "concept/loads").message ==
        "Counted only if case \"large\" passes.");
}

TEST_CASE("performance points follow the tiers, their borders included", "[rubric][performance]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  const auto points_at = [&](double ms) {
    evidence.cases[1].emulator->kernels[0].counters["modelled_ms"] = ms;
    return item(score_items(evidence), "performance");
  };
  CHECK(points_at(1.25).points == 15);
  CHECK(points_at(1.26).points == 5);
  CHECK(points_at(1.26).status == ItemStatus::partial);
  CHECK(points_at(1.26).hint == "15 points from 1.25 times the reference's time on.");
  CHECK(points_at(2).points == 5);
  CHECK(points_at(2.01).points == 0);
  CHECK(points_at(2.01).status == ItemStatus::failed);
}

TEST_CASE("work done on the host has no performance points", "[rubric][performance]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].emulator->kernels.clear();
  const Item performance = item(score_items(evidence), "performance");
  CHECK(performance.points == 0);
  CHECK(performance.message == "No kernel ran on the device, where the work must be done.");
}

TEST_CASE("without the reference, performance is not assessed and costs nothing",
          "[rubric][performance]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.references.clear();
  CHECK(item(score_items(evidence), "performance").status == ItemStatus::not_assessed);
}

TEST_CASE("findings of several cases are merged with their count and cases", "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  ReportedFinding finding;
  finding.kind = "oob-global-read";
  finding.severity = "error";
  finding.line = 7;
  finding.count = 2;
  evidence.cases[0].emulator->findings = {finding};
  evidence.cases[1].emulator->findings = {finding};
  finding.line = 8;
  evidence.cases[1].emulator->findings.push_back(finding);
  const auto folded = fold_findings(evidence.cases);
  REQUIRE(folded.size() == 2);
  CHECK(folded[0].count == 4);
  CHECK(folded[0].cases == std::vector<std::string>{"small", "large"});
  CHECK(folded[1].count == 2);
}

TEST_CASE("lanes of a warp are not a mistake of their own beside a race of the same lines",
          "[rubric]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  const auto finding = [](const char* kind, const char* severity, std::uint32_t line) {
    ReportedFinding f;
    f.kind = kind;
    f.severity = severity;
    f.file = "vecadd.cu";
    f.kernel = "add";
    f.line = line;
    return f;
  };
  ReportedFinding lanes = finding("warp-synchronous", "warning", 9);
  lanes.other_line = 7;
  lanes.pitfall = "P29";
  lanes.message = "lanes of a warp exchange data in `s` with no __syncwarp() in between";
  lanes.next = "Put __syncwarp() between them.";
  ReportedFinding race = finding("race-shared", "error", 7);
  race.pitfall = "P22";
  race.want = "a __syncthreads()";

  evidence.cases[0].emulator->findings = {lanes, race};
  const auto beside = fold_findings(evidence.cases);
  CHECK(beside[0].pitfall == "P22");
  CHECK(beside[0].want == race.want);
  CHECK((beside[0].message + beside[0].next).find("__syncwarp") == std::string::npos);

  race.line = 20;  // another mistake
  evidence.cases[0].emulator->findings = {lanes, race};
  const auto apart = fold_findings(evidence.cases);
  CHECK(apart[0].pitfall == "P29");
  CHECK(apart[0].next == lanes.next);
}

TEST_CASE("launches that fail for different reasons stay separate, with or without numbers",
          "[rubric]") {
  const auto refused = [](const std::string& message, const std::string& next) {
    ReportedFinding finding;
    finding.kind = "launch-configuration";
    finding.severity = "error";
    finding.message = message;
    finding.next = next;
    return finding;
  };
  std::vector<CaseOutcome> cases(3);
  const std::vector<ReportedFinding> each = {
      refused("launch with 2000 threads per block", "Use smaller blocks."),
      refused("launch with 2048 threads per block", "Use smaller blocks."),
      refused("launch of a grid without blocks", "Launch only when there is work.")};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].report.name = std::string(1, static_cast<char>('a' + i));
    cases[i].emulator.emplace().findings = {each[i]};
  }
  const auto folded = fold_findings(cases);
  REQUIRE(folded.size() == 2);
  CHECK(folded[0].cases == std::vector<std::string>{"a", "b"});
  CHECK(folded[1].cases == std::vector<std::string>{"c"});
}

TEST_CASE("a case that the emulator cannot run costs nothing, and the rest is graded",
          "[rubric][not-assessed]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  CaseOutcome& outcome = evidence.cases[1];  // "large", which concept and performance use
  outcome.report.verdict = CaseVerdict::not_assessed;
  outcome.report.message = "The emulator does not know this.";
  ReportedFinding lack;
  lack.kind = "unsupported-instruction";
  lack.severity = "note";
  ReportedFinding follows;
  follows.kind = "uninit-read";
  follows.severity = "error";
  outcome.emulator->findings = {lack, follows};
  evidence.findings = fold_findings(evidence.cases);
  REQUIRE(evidence.findings.size() == 1);
  CHECK(evidence.findings[0].kind == "unsupported-instruction");
  std::map<std::string, ItemStatus> status;
  for (const Item& item : score_items(evidence)) status[item.id] = item.status;
  CHECK(status.at("build") == ItemStatus::passed);
  CHECK(status.at("correctness/small") == ItemStatus::passed);
  CHECK(status.at("correctness/large") == ItemStatus::not_assessed);
  CHECK(status.at("safety") == ItemStatus::not_assessed);
  CHECK(status.at("concept/loads") == ItemStatus::not_assessed);
  CHECK(status.at("performance") == ItemStatus::not_assessed);
  // The same finding in a case that ran counts.
  evidence.cases[0].emulator->findings = {follows};
  evidence.findings = fold_findings(evidence.cases);
  for (const Item& item : score_items(evidence)) status[item.id] = item.status;
  CHECK(status.at("safety") == ItemStatus::partial);
  // So does a wrong result of a case that ran.
  evidence.cases[0].report.verdict = CaseVerdict::wrong;
  for (const Item& item : score_items(evidence)) status[item.id] = item.status;
  CHECK(status.at("correctness/small") == ItemStatus::failed);
  CHECK(status.at("performance") == ItemStatus::failed);
}

}  // namespace
}  // namespace warpgrade
