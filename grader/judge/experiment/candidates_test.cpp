#include "grader/judge/experiment/candidates.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>

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

TEST_CASE("where three quarters were not written, four times as many blocks are tried",
          "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  CaseOutcome c = failing_case(lab.cases[1], {});
  c.report.elements = 1020;
  c.report.wrong_elements = 764;
  c.report.first_mismatches = {{.parameter = "c", .index = 256}};
  const auto changes = [&] { return changes_of(candidates({&c}, {}, lab), CauseKind::blocks); };
  c.unwritten_elements = 764;
  CHECK(changes() == Texts{"blocks=x+1", "blocks=x*4"});
  c.unwritten_elements = 763;  // one was written, with a wrong value
  CHECK(changes() == Texts{"blocks=x+1"});
  c.unwritten_elements = 764;
  c.report.first_mismatches.front().index = 3;  // it is not what comes after a part
  CHECK(changes() == Texts{"blocks=x+1"});
}

TEST_CASE("no block is added where the only failing case has no elements", "[experiment][unit]") {
  Lab lab = testing::test_lab();
  lab.cases[0].data.dims = {{"n", 0}};
  const CaseOutcome nothing = failing_case(lab.cases[0], {finding(FindingKind::illegal_launch, 0)});
  CHECK(changes_of(candidates({&nothing}, {}, lab), CauseKind::blocks).empty());
  const CaseOutcome large = failing_case(lab.cases[1], {});
  CHECK(changes_of(candidates({&nothing, &large}, {}, lab), CauseKind::blocks).size() == 1);
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
  const auto all = candidates({&c}, {}, lab);
  CHECK(changes_of(all, CauseKind::barrier) ==
        Texts{"barrier-after=vecadd.cu:20", "barrier-after=vecadd.cu:12",
              "barrier-after=vecadd.cu:24", "barrier-before=vecadd.cu:20"});
  CHECK(changes_of(all, CauseKind::indivisible) ==
        Texts{"in-turn=vecadd.cu:20", "in-turn=vecadd.cu:19-20"});
  // Fewer threads in a block hide a race.
  CHECK(changes_of(candidates({&c}, {{"vecadd.cu", "int tile[64];"}}, lab), CauseKind::block_size)
            .empty());
}

/// A race of a read and a write in one file, with shared memory used at lines 8, 12, 20 and 24.
CaseOutcome case_with_race(const Lab& lab, std::uint32_t read, std::uint32_t write,
                           const char* pitfall) {
  ReportedFinding race = finding(FindingKind::race_shared, read);
  race.other_file = race.file;
  race.other_line = write;
  race.pitfall = pitfall;
  CaseOutcome c = failing_case(lab.cases[0], {race});
  const std::string loads(find_counter("shared_load_requests")->metric);
  for (const std::uint32_t line : {8U, 12U, 20U, 24U}) {
    c.emulator->kernels[0].lines.push_back({"vecadd.cu", line, {{loads, 3}}});
  }
  return c;
}

TEST_CASE("a barrier is proposed between the write and the read, never after the read",
          "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = case_with_race(lab, 20, 12, "P22");
  CHECK(changes_of(candidates({&c}, {}, lab), CauseKind::barrier) ==
        Texts{"barrier-after=vecadd.cu:12", "barrier-after=vecadd.cu:8",
              "barrier-before=vecadd.cu:20"});
}

TEST_CASE("a barrier is proposed after the read if the next iteration's write comes too early",
          "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = case_with_race(lab, 20, 12, "P23");
  CHECK(changes_of(candidates({&c}, {}, lab), CauseKind::barrier) ==
        Texts{"barrier-after=vecadd.cu:20", "barrier-after=vecadd.cu:24",
              "barrier-after=vecadd.cu:8", "barrier-before=vecadd.cu:12"});
}

TEST_CASE("without a race no barrier is proposed", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = failing_case(lab.cases[0], {});
  const auto all = candidates({&c}, {}, lab);
  CHECK(changes_of(all, CauseKind::barrier).empty());
  CHECK(changes_of(all, CauseKind::outside).empty());
  CHECK(changes_of(all, CauseKind::uninitialized).empty());
  CHECK(changes_of(all, CauseKind::axes).empty());
  CHECK(changes_of(all, CauseKind::outputs).empty());
  CHECK(changes_of(all, CauseKind::blocks) == Texts{"blocks=x+1"});
}

TEST_CASE("an output that starts as 0 is proposed where written elements are on top of the poison",
          "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CaseOutcome c = failing_case(lab.cases[0], {});
  const auto proposed = [&] {
    const auto all = candidates({&c}, {}, lab);
    return std::any_of(all.begin(), all.end(), [](const Candidate& candidate) {
      return candidate.kind == CauseKind::outputs && candidate.pitfall == "P34";
    });
  };
  c.report.wrong_elements = 4;
  c.report.first_mismatches = {{"y", 0, nan, 9, 0}, {"y", 1, nan, 0, 0}};
  c.unwritten_elements = 1;
  CHECK(proposed());
  // Rows that no thread writes hold the poison, and zeros may be what they should be.
  c.unwritten_elements = 4;
  CHECK_FALSE(proposed());
  c.unwritten_elements = 1;
  c.report.first_mismatches[1].got = 3;
  CHECK_FALSE(proposed());
  // A division of 0 by 0 that is right.
  c.report.first_mismatches[1] = {"y", 1, nan, nan, 0};
  CHECK_FALSE(proposed());
}

TEST_CASE("each line out of range is proposed alone and all together", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = failing_case(lab.cases[0], {finding(FindingKind::oob_global_read, 8),
                                                    finding(FindingKind::oob_global_write, 9),
                                                    finding(FindingKind::oob_global_read, 8)});
  const auto all = candidates({&c}, {}, lab);
  CHECK(changes_of(all, CauseKind::outside) ==
        Texts{"outside=vecadd.cu:8", "outside=vecadd.cu:9", "outside=all"});
  CHECK(all.front().pitfall == "P1");
}

TEST_CASE("block sizes are integers in the source", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = failing_case(lab.cases[0], {});
  const std::vector<SourceFile> sources = {
      {"vecadd.cu", "int tile[512];  // 64 before\nfloat f = 128.5f + x1024 + 32;\n int b = 256;"}};
  CHECK(changes_of(candidates({&c}, sources, lab), CauseKind::block_size) ==
        Texts{"block=32", "block=512"});
}

TEST_CASE("axes are swapped if there are two", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  CaseOutcome c = failing_case(lab.cases[0], {});
  c.emulator->kernels[0].block = {16, 16, 1};
  const auto all = candidates({&c}, {}, lab);
  CHECK(changes_of(all, CauseKind::axes) ==
        Texts{"exchange=grid", "exchange=index", "exchange=index;exchange=grid"});
  CHECK(changes_of(all, CauseKind::blocks).size() == 3);
  CHECK(all.front().changes == Texts{"exchange=grid"});  // before a block more
}

/// A lab with c = a * b, and its two cases: 48 x 96 with k = 32, and 16 x 16 with k = 16.
Lab product_lab() {
  Lab lab = testing::test_lab();
  const auto matrix = [](const char* name, Role role, const char* rows, const char* columns) {
    return Parameter{.name = name,
                     .role = role,
                     .shape = {Expression(rows), Expression(columns)},
                     .value = std::nullopt,
                     .record = {},
                     .group = {},
                     .matrix = {}};
  };
  lab.parameters = {matrix("a", Role::input, "m", "k"), matrix("b", Role::input, "k", "n"),
                    matrix("c", Role::output, "m", "n")};
  lab.cases[0].data.dims = {{"m", 48}, {"n", 96}, {"k", 32}};
  lab.cases[1].data.dims = {{"m", 16}, {"n", 16}, {"k", 16}};
  return lab;
}

/// What `candidates` has as changes of index pairs for a case.
Texts index_pairs(const CaseOutcome& c, const Lab& lab) {
  Texts changes;
  for (const Candidate& candidate : candidates({&c}, {}, lab)) {
    if (!candidate.is_index_pair()) continue;
    for (std::string& change : changes_for(candidate, *c.spec, lab)) {
      if (change.starts_with("pair=")) changes.push_back(std::move(change));
    }
  }
  return changes;
}

TEST_CASE("row and column are swapped where a line accesses a matrix or a tile",
          "[experiment][unit]") {
  const Lab lab = product_lab();
  CaseOutcome c = failing_case(lab.cases[0], {});
  const std::string loads(find_counter("global_load_requests")->metric);
  const std::string stores(find_counter("global_store_requests")->metric);
  const std::string tiles(find_counter("shared_store_requests")->metric);
  c.emulator->kernels[0].lines = {{"gemm.cu", 22, {{loads, 3}, {tiles, 3}}},
                                  {"gemm.cu", 24, {}},
                                  {"gemm.cu", 28, {{stores, 1}}}};
  CHECK(index_pairs(c, lab) == Texts{"pair=gemm.cu:22:1536/48/32/1", "pair=gemm.cu:22:3072/32/96/1",
                                     "pair=gemm.cu:22:tile", "pair=gemm.cu:28:4608/48/96/1"});
  // Matrices of one size are told apart by their order.
  CaseOutcome square = failing_case(lab.cases[1], {});
  square.emulator->kernels[0].lines = {{"gemm.cu", 28, {{stores, 1}}}};
  CHECK(index_pairs(square, lab) == Texts{"pair=gemm.cu:28:256/16/16/3"});
}

TEST_CASE("no indices are swapped beside an error, or where a matrix is a single row",
          "[experiment][unit]") {
  Lab lab = product_lab();
  const std::string loads(find_counter("global_load_requests")->metric);
  CaseOutcome c = failing_case(lab.cases[0], {finding(FindingKind::oob_global_read, 22)});
  c.emulator->kernels[0].lines = {{"gemm.cu", 22, {{loads, 3}}}};
  CHECK(index_pairs(c, lab).empty());
  lab.cases[0].data.dims["k"] = 1;
  CaseOutcome row = failing_case(lab.cases[0], {});
  row.emulator->kernels[0].lines = c.emulator->kernels[0].lines;
  CHECK(index_pairs(row, lab).empty());
}

TEST_CASE("a program of very many racing lines has few candidates", "[experiment][unit]") {
  const Lab lab = testing::test_lab();
  std::vector<ReportedFinding> races;
  for (std::uint32_t line = 1; line < 5000; ++line) {
    races.push_back(finding(FindingKind::race_shared, line));
    races.push_back(finding(FindingKind::oob_shared_read, line));
  }
  const CaseOutcome c = failing_case(lab.cases[0], races);
  CHECK(candidates({&c}, {}, lab).size() < 40);
}

}  // namespace
}  // namespace warpgrade
