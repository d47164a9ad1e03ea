#include "emulator/findings/finding.h"

#include <catch2/catch_test_macros.hpp>

using namespace warpsim;

namespace {

Finding out_of_bounds(std::uint32_t line, std::array<std::uint64_t, 3> order) {
  Finding finding(FindingKind::oob_global_read);
  finding.kernel = "vecadd(float const*, float*, int)";
  finding.file = "vecadd.cu";
  finding.line = line;
  finding.message = "4-byte read past the end of `d_A`";
  finding.who = order == std::array<std::uint64_t, 3>{0, 3, 8} ? "block (3,0,0)" : "another block";
  finding.order = order;
  return finding;
}

Finding leak(std::string message) {
  Finding finding(FindingKind::leak);
  finding.message = std::move(message);
  return finding;
}

Finding missing(std::string name) {
  Finding finding(FindingKind::unsupported_api);
  finding.file = "product.cu";
  finding.line = 7;
  finding.message = std::move(name) + " is not supported by the emulator yet";
  return finding;
}

}  // namespace

TEST_CASE("missing functions that one line calls are findings of their own", "[checkers][unit]") {
  FindingLog log;
  log.add(missing("cudaImportExternalMemory"));
  log.add(missing("cudaImportExternalSemaphore"));
  log.add(missing("cudaImportExternalMemory"));
  const auto found = log.sorted();
  REQUIRE(found.size() == 2);
  CHECK(found[0].count + found[1].count == 3);
}

TEST_CASE("a finding renders as a headline and one aligned line a fact", "[checkers][unit]") {
  Finding finding = out_of_bounds(41, {0, 3, 8});
  finding.where = "vecadd.cu:41: ld.global.f32 %f3, [%rd8]";
  finding.who = "block (0,2,0) thread (0,1,0), warp 0 lane 16; first of 16 lanes";
  finding.got = "byte offset 2244 (element 561)";
  finding.want = "below 2244 bytes";
  finding.next = "Compare the index with n before the access.";
  CHECK(render(finding) ==
        "vecadd.cu:41:1: error: 4-byte read past the end of `d_A` [oob-global-read, P1]\n"
        "  where  vecadd.cu:41: ld.global.f32 %f3, [%rd8]\n"
        "  who    block (0,2,0) thread (0,1,0), warp 0 lane 16; first of 16 lanes\n"
        "  got    byte offset 2244 (element 561)\n"
        "  want   below 2244 bytes\n"
        "  next   Compare the index with n before the access.\n");
}

TEST_CASE("empty facts are left out and repetitions are counted", "[checkers][unit]") {
  Finding finding = leak("cudaMalloc #2 (64 bytes) was never freed");
  finding.severity = Severity::warning;
  finding.count = 3;
  CHECK(render(finding) ==
        "warning: cudaMalloc #2 (64 bytes) was never freed [leak, P46]\n"
        "  seen   3 times\n");
}

TEST_CASE("the same bug at the same line is one finding, told by its first occurrence",
          "[checkers][unit]") {
  FindingLog log;
  log.add(out_of_bounds(41, {0, 7, 0}));
  log.add(out_of_bounds(41, {0, 3, 8}));
  log.add(out_of_bounds(41, {1, 0, 0}));
  const auto findings = log.sorted();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 3);
  CHECK(findings[0].who == "block (3,0,0)");
}

TEST_CASE("the same bug at another line is another finding", "[checkers][unit]") {
  FindingLog log;
  log.add(out_of_bounds(42, {0, 7, 0}));
  log.add(out_of_bounds(41, {0, 3, 8}));
  const auto findings = log.sorted();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].line == 41);
  CHECK(findings[1].line == 42);
}

TEST_CASE("two leaks are two findings although host code has no line", "[checkers][unit]") {
  FindingLog log;
  log.add(leak("cudaMalloc #1 (64 bytes) was never freed"));
  log.add(leak("cudaMalloc #2 (64 bytes) was never freed"));
  CHECK(log.sorted().size() == 2);
}

TEST_CASE("what one call in a loop leaks is one finding, what another call leaks another one",
          "[checkers][unit]") {
  FindingLog log;
  for (const char* where : {"f+0x3f in a.out", "f+0x3f in a.out", "f+0x51 in a.out"}) {
    Finding finding = leak("cudaMalloc #" + std::to_string(log.size() + 1) + " was never freed");
    finding.where = std::string("cudaMalloc called from ") + where;
    log.add(std::move(finding));
  }
  const auto findings = log.sorted();
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].count == 2);
  CHECK(findings[1].count == 1);
}

TEST_CASE("only a finding of severity error counts as an error", "[checkers][unit]") {
  FindingLog log;
  CHECK_FALSE(log.has_errors());
  Finding warning = leak("a");
  warning.severity = Severity::warning;
  log.add(warning);
  CHECK_FALSE(log.has_errors());
  log.add(leak("b"));
  CHECK(log.has_errors());
}
