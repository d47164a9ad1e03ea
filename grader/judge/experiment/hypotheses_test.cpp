#include "grader/judge/experiment/hypotheses.h"

#include <catch2/catch_test_macros.hpp>

#include "emulator/findings/finding_kinds.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using warpsim::FindingKind;
using Texts = std::vector<std::string>;

ReportedFinding finding(FindingKind kind, std::int64_t offset, std::uint64_t bytes) {
  ReportedFinding f;
  f.kind = warpsim::slug(kind);
  f.severity = "error";
  f.file = "blur.cu";
  f.line = 3;
  f.kernel = "blur(float const*, float*, int, int)";
  f.offset = offset;
  f.width = 4;
  f.array_bytes = bytes;
  return f;
}

CaseOutcome wrong_case(const Case& spec, std::vector<ReportedFinding> findings) {
  CaseOutcome c;
  c.spec = &spec;
  c.report.verdict = CaseVerdict::wrong;
  c.emulator.emplace();
  c.emulator->findings = std::move(findings);
  return c;
}

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> kBlurSources = {
      {"blur.cu",
       "__global__ void blur(const float* in, float* out, int rows, int columns) {\n"
       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n}\n"}};
  return kBlurSources;
}

Texts changes_of(const std::vector<Candidate>& all) {
  Texts changes;
  for (const Candidate& c : all) changes.insert(changes.end(), c.changes.begin(), c.changes.end());
  return changes;
}

TEST_CASE("an access outside of its array may have another parameter as the length of a row",
          "[experiment][hypotheses]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = wrong_case(lab.cases[0], {finding(FindingKind::oob_global_read, 400, 400)});
  std::vector<Candidate> all;
  add_index_hypotheses({&c}, sources(), all);
  CHECK(changes_of(all) == Texts{"length=blur:2/3", "length=blur:3/2", "operands=blur.cu:3",
                                 "operands=blur.cu:1-3", "exchange=blur:thread"});
  CHECK(all[0].words == "`columns` in place of `rows` in the products of `blur`");
  CHECK(all[0].line == 3);
}

TEST_CASE("a kernel with one length has no other length of a row", "[experiment][hypotheses]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = wrong_case(lab.cases[0], {finding(FindingKind::oob_global_read, 400, 400)});
  std::vector<Candidate> all;
  add_index_hypotheses({&c}, {{"blur.cu", "__global__ void blur(float* a, int n, float f) {}"}},
                       all);
  CHECK(changes_of(all) == Texts{"operands=blur.cu:3", "operands=blur.cu:1-3"});
}

TEST_CASE("without an access outside of an array nothing is tried about indices",
          "[experiment][hypotheses]") {
  const Lab lab = testing::test_lab();
  const CaseOutcome c = wrong_case(lab.cases[0], {finding(FindingKind::race_global, 0, 400)});
  std::vector<Candidate> all;
  add_index_hypotheses({&c}, sources(), all);
  CHECK(all.empty());
}

TEST_CASE("a negative index may be a signed byte, if there are bytes", "[experiment][hypotheses]") {
  const Lab lab = testing::test_lab();
  const auto signs = [&](std::int64_t offset, const std::string& text) {
    const CaseOutcome c =
        wrong_case(lab.cases[0], {finding(FindingKind::oob_global_write, offset, 400)});
    std::vector<Candidate> all;
    add_index_hypotheses({&c}, {{"blur.cu", text}}, all);
    return changes_of(all).back() == "sign=blur:bytes";
  };
  CHECK(signs(-4, "__global__ void blur(const char* text, int* bins) {}"));
  CHECK_FALSE(signs(400, "__global__ void blur(const char* text, int* bins) {}"));
  CHECK_FALSE(signs(-4, "__global__ void blur(const int* text, int* bins) {}  // char"));
}

/// A lab with one array of n floats; its first case has n = 100.
Lab lab_with_array() {
  Lab lab = testing::test_lab();
  lab.parameters = {Parameter{.name = "a",
                              .role = Role::input,
                              .type = ElementType::f32,
                              .shape = {Expression("n")},
                              .value = std::nullopt,
                              .record = {},
                              .group = {},
                              .matrix = {}}};
  return lab;
}

Texts sizes_for(const ReportedFinding& f) {
  const Lab lab = lab_with_array();
  const CaseOutcome c = wrong_case(lab.cases[0], {f});
  std::vector<Candidate> all;
  add_size_hypotheses({&c}, lab, all);
  return changes_of(all);
}

TEST_CASE("an array with as many bytes as elements was allocated by elements",
          "[experiment][hypotheses]") {
  CHECK(sizes_for(finding(FindingKind::oob_global_read, 100, 100)) == Texts{"bytes=malloc/4"});
  CHECK(sizes_for(finding(FindingKind::oob_global_read, 400, 400)).empty());
  CHECK(sizes_for(finding(FindingKind::oob_global_read, 104, 104)).empty());
}

TEST_CASE("an array whose first quarter is set was copied or set by elements",
          "[experiment][hypotheses]") {
  CHECK(sizes_for(finding(FindingKind::unwritten_global_read, 100, 400)) ==
        Texts{"bytes=copy/4", "bytes=set/4"});
  CHECK(sizes_for(finding(FindingKind::unwritten_global_read, 104, 400)).empty());
  CHECK(sizes_for(finding(FindingKind::unwritten_global_read, 0, 400)).empty());
}

TEST_CASE("an output that is old from a quarter of its elements on was set by elements",
          "[experiment][hypotheses]") {
  Lab lab = lab_with_array();
  lab.parameters[0].role = Role::output;
  lab.parameters[0].type = ElementType::i32;
  CaseOutcome c = wrong_case(lab.cases[0], {});
  c.report.first_mismatches = {{.parameter = "a", .index = 25, .got = 0xa5a5a5a5 + 7.0, .want = 7}};
  const auto changes = [&] {
    std::vector<Candidate> all;
    add_size_hypotheses({&c}, lab, all);
    return changes_of(all);
  };
  CHECK(changes() == Texts{"bytes=copy/4", "bytes=set/4"});
  c.report.first_mismatches.front().index = 26;
  CHECK(changes().empty());
  c.report.first_mismatches = {{.parameter = "a", .index = 25, .got = 9, .want = 7}};
  CHECK(changes().empty());
}

}  // namespace
}  // namespace warpgrade
