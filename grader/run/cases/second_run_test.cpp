#include "grader/run/cases/second_run.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"
#include "grader/testing/evidence.h"
#include "harness/case/request.h"

namespace warpgrade {
namespace {

using testing::make_wrong;
using testing::right_evidence;
using testing::test_lab;

CaseOutcome wrong_outcome(const Lab& lab, const std::string& pattern) {
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, pattern, 3, 0, 1);
  return evidence.cases[0];
}

void add(CaseOutcome& outcome, const std::string& kind, const std::string& severity = "error") {
  ReportedFinding f;
  f.kind = kind;
  f.severity = severity;
  outcome.emulator->findings.push_back(f);
}

TEST_CASE("a short wrong run with a race, or with atomics and no other reason, is run again",
          "[cases][second]") {
  const Lab lab = test_lab();
  CaseOutcome outcome = wrong_outcome(lab, "scattered");
  CHECK_FALSE(may_depend_on_schedule(outcome));
  auto& counters = outcome.emulator->kernels[0].counters;
  counters["global_atomic_threads"] = 10;
  CHECK(may_depend_on_schedule(outcome));
  add(outcome, "oob-global-read");
  CHECK_FALSE(may_depend_on_schedule(outcome));
  add(outcome, "race-shared");
  CHECK(may_depend_on_schedule(outcome));
  counters["smsp__inst_executed.sum"] = 1e8;
  CHECK_FALSE(may_depend_on_schedule(outcome));
}

TEST_CASE("a case that is right, or whose mistake is known, is not run again", "[cases][second]") {
  const Lab lab = test_lab();
  CaseOutcome outcome = wrong_outcome(lab, "shifted");
  add(outcome, "race-global");
  CHECK_FALSE(may_depend_on_schedule(outcome));
  outcome.report.pattern = "everything";
  CHECK(may_depend_on_schedule(outcome));
  outcome.report.verdict = CaseVerdict::passed;
  CHECK_FALSE(may_depend_on_schedule(outcome));
}

TEST_CASE("two runs that differ are nondeterministic, with the number of differences",
          "[cases][second]") {
  Lab lab = test_lab();
  lab.parameters = {{.name = "c",
                     .role = Role::output,
                     .type = ElementType::f32,
                     .memory = Memory::host,
                     .shape = {Expression("n")},
                     .value = std::nullopt,
                     .record = {},
                     .group = {},
                     .matrix = {}}};
  const auto data = std::make_shared<CaseData>();
  data->lab = &lab;
  const ScratchFolder scratch;
  const auto write = [&](const char* folder, const std::string& bytes) {
    write_file_atomically(scratch.path() / folder / output_file("c"), bytes);
    return PreparedCase{.data = data,
                        .folder = scratch.path() / folder,
                        .request = {},
                        .nonce = {},
                        .delivered = nullptr};
  };
  const auto first = write("first", "aaaabbbbccccdddd");
  CaseOutcome outcome = wrong_outcome(lab, "scattered");
  compare_runs(first, write("same", "aaaabbbbccccdddd"), outcome);
  CHECK(outcome.report.pattern == "scattered");
  compare_runs(first, write("cut", "aaaabbbb"), outcome);  // it crashed
  CHECK(outcome.report.pattern == "scattered");
  compare_runs(first, write("other", "aaaabxxbccccdddx"), outcome);
  CHECK(outcome.report.pattern == "nondeterministic");
  CHECK(outcome.report.message ==
        "`c` is wrong. With the same threads scheduled in a different order, 2 of 4 elements of "
        "`c` differ: the result depends on the order of execution.");

  // What the device process delivered counts, whatever files there are.
  PreparedCase delivered = first;
  delivered.delivered = std::make_shared<DeliveredOutputs>();
  delivered.delivered->count = true;
  outcome = wrong_outcome(lab, "scattered");
  compare_runs(delivered, write("other", "aaaabxxbccccdddx"), outcome);
  CHECK(outcome.report.pattern == "scattered");
  for (const char c : std::string("aaaabbbbccccdddd")) {
    delivered.delivered->bytes["c"].push_back(static_cast<std::byte>(c));
  }
  compare_runs(delivered, write("other", "aaaabxxbccccdddx"), outcome);
  CHECK(outcome.report.pattern == "nondeterministic");
}

}  // namespace
}  // namespace warpgrade
