#include "grader/experiment/candidates.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

#include "emulator/findings/finding_kinds.h"
#include "grader/testing/evidence.h"
#include "harness/lab/counter_names.h"

namespace warpgrade {
namespace {

using warpsim::FindingKind;

ReportedFinding finding(FindingKind kind, std::uint32_t line) {
  ReportedFinding f;
  f.kind = warpsim::slug(kind);
  f.severity = "error";
  f.pitfall = warpsim::info_of(kind).pitfall;
  f.file = "vecadd.cu";
  f.line = line;
  return f;
}

/// A failing case with one kernel in blocks of 256, and these findings.
CaseOutcome failing_case(const Case& spec, std::vector<ReportedFinding> findings) {
  CaseOutcome c;
  c.spec = &spec;
  c.report.name = spec.name;
  c.report.verdict = CaseVerdict::wrong;
  c.emulator.emplace();
  KernelReport kernel;
  kernel.grid = {4, 1, 1};
  kernel.block = {256, 1, 1};
  c.emulator->kernels = {kernel};
  c.emulator->findings = std::move(findings);
  return c;
}

std::vector<std::string> changes_of(const std::vector<Candidate>& all, CauseKind kind) {
  std::vector<std::string> changes;
  for (const Candidate& c : all) {
    if (c.kind == kind) changes.push_back(c.changes.empty() ? "" : c.changes.front());
  }
  return changes;
}

using Texts = std::vector<std::string>;

TEST_CASE("no block is added where the only failing case has no elements", "[experiment][unit]") {
  Lab lab = testing::test_lab();
  lab.cases[0].data.dims = {{"n", 0}};
  const CaseOutcome nothing = failing_case(lab.cases[0], {finding(FindingKind::illegal_launch, 0)});
  CHECK(changes_of(candidates({&nothing}, {}), CauseKind::blocks).empty());
  const CaseOutcome large = failing_case(lab.cases[1], {});
  CHECK(changes_of(candidates({&nothing, &large}, {}), CauseKind::blocks).size() == 1);
}

TEST_CASE("barriers are proposed at lines with shared memory, the race's and those above first",
          "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  CaseOutcome c = failing_case(lab.cases[0], {finding(FindingKind::race_shared, 20)});
  const std::string loads(find_counter("shared_load_requests")->metric);
  c.emulator->kernels[0].lines = {{"vecadd.cu", 12, {{loads, 3}}},
                                  {"vecadd.cu", 14, {}},
                                  {"vecadd.cu", 24, {{loads, 3}}},
                                  {"other.cu", 16, {{loads, 3}}}};
  const auto all = candidates({&c}, {});
  CHECK(changes_of(all, CauseKind::barrier) ==
        Texts{"barrier-after=vecadd.cu:20", "barrier-after=vecadd.cu:12",
              "barrier-after=vecadd.cu:24", "barrier-before=vecadd.cu:20"});
  CHECK(changes_of(all, CauseKind::indivisible) ==
        Texts{"in-turn=vecadd.cu:20", "in-turn=vecadd.cu:19-20"});
  // Fewer threads in a block hide a race.
  CHECK(changes_of(candidates({&c}, {{"vecadd.cu", "int tile[64];"}}), CauseKind::block_size)
            .empty());
}

TEST_CASE("without a race no barrier is proposed", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = failing_case(lab.cases[0], {});
  const auto all = candidates({&c}, {});
  CHECK(changes_of(all, CauseKind::barrier).empty());
  CHECK(changes_of(all, CauseKind::outside).empty());
  CHECK(changes_of(all, CauseKind::uninitialized).empty());
  CHECK(changes_of(all, CauseKind::axes).empty());
  CHECK(changes_of(all, CauseKind::outputs).empty());
  CHECK(changes_of(all, CauseKind::blocks) == Texts{"blocks=x+1"});
}

TEST_CASE("each line out of range is proposed alone and all together", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = failing_case(lab.cases[0], {finding(FindingKind::oob_global_read, 8),
                                                    finding(FindingKind::oob_global_write, 9),
                                                    finding(FindingKind::oob_global_read, 8)});
  const auto all = candidates({&c}, {});
  CHECK(changes_of(all, CauseKind::outside) ==
        Texts{"outside=vecadd.cu:8", "outside=vecadd.cu:9", "outside=all"});
  CHECK(all.front().pitfall == "P1");
}

TEST_CASE("block sizes are integers in the source", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = failing_case(lab.cases[0], {});
  const std::vector<SourceFile> sources = {
      {"vecadd.cu", "int tile[512];  // 64 before\nfloat f = 128.5f + x1024 + 32;\n int b = 256;"}};
  CHECK(changes_of(candidates({&c}, sources), CauseKind::block_size) ==
        Texts{"block=32", "block=512"});
}

TEST_CASE("axes are swapped if there are two", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  CaseOutcome c = failing_case(lab.cases[0], {});
  c.emulator->kernels[0].block = {16, 16, 1};
  const auto all = candidates({&c}, {});
  CHECK(changes_of(all, CauseKind::axes) ==
        Texts{"exchange=index", "exchange=grid", "exchange=index;exchange=grid"});
  CHECK(changes_of(all, CauseKind::blocks).size() == 3);
}

TEST_CASE("a program of very many racing lines has few candidates", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  std::vector<ReportedFinding> races;
  for (std::uint32_t line = 1; line < 5000; ++line) {
    races.push_back(finding(FindingKind::race_shared, line));
    races.push_back(finding(FindingKind::oob_shared_read, line));
  }
  const CaseOutcome c = failing_case(lab.cases[0], races);
  CHECK(candidates({&c}, {}).size() < 40);
}

}  // namespace
}  // namespace warpgrade
