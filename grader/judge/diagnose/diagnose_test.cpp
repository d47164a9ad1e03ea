#include "grader/judge/diagnose/diagnose.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <optional>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::add_finding;
using testing::make_wrong;
using testing::right_evidence;
using testing::test_lab;

Diagnosis diagnose_source(const Evidence& evidence, const std::string& source = "") {
  return diagnose(evidence, score_items(evidence), {{.name = "vecadd.cu", .text = source}});
}

void set_grid(Evidence& evidence, std::size_t index, std::uint64_t blocks, std::uint64_t threads) {
  KernelReport& kernel = evidence.cases.at(index).emulator->kernels.at(0);
  kernel.grid = {blocks, 1, 1};
  kernel.block = {threads, 1, 1};
}

TEST_CASE("nothing is diagnosed where everything is right", "[diagnose]") {
  const Lab lab = test_lab();
  const Diagnosis d = diagnose_source(right_evidence(lab));
  CHECK(d.pitfall.empty());
  CHECK(d.summary == "Everything that could be assessed here passes.");
}

TEST_CASE("what does not build comes first", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence;
  evidence.lab = &lab;
  evidence.build_problem = "vecadd.cu is empty";
  CHECK(diagnose_source(evidence).summary == "Fix the build first: vecadd.cu is empty.");
}

TEST_CASE("a grid rounded down is P2, and P3 where the source divides inside ceil", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 768, 0, 1);
  set_grid(evidence, 1, 3, 256);
  Diagnosis d = diagnose_source(evidence, "add<<<n / 256, 256>>>(a, b, c, n);");
  CHECK(d.pitfall == "P2");
  CHECK(
      d.summary ==
      "The grid has 768 threads for 1000 elements: the number of blocks is rounded down, not up.");
  CHECK(diagnose_source(evidence, "int g = ceil(n / kBlock);").pitfall == "P3");
  CHECK(diagnose_source(evidence, "int g = ceil((n / 256));").pitfall == "P3");
}

TEST_CASE("ceil of a floating-point division, or one in a comment, is not P3", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 768, 0, 1);
  set_grid(evidence, 1, 3, 256);
  CHECK(diagnose_source(evidence, "int g = ceil(n / 256.0);").pitfall == "P2");
  CHECK(diagnose_source(evidence, "int g = ceil((float)n / 256);").pitfall == "P2");
  CHECK(diagnose_source(evidence, "// ceil(n / 256)\n").pitfall == "P2");
}

TEST_CASE("a small launch beside one that has a thread for each element is not P2", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 768, 0, 1);
  set_grid(evidence, 1, 3, 256);
  KernelReport whole = evidence.cases[1].emulator->kernels.front();
  whole.grid = {4, 1, 1};
  evidence.cases[1].emulator->kernels.push_back(whole);
  CHECK(diagnose_source(evidence, "add<<<(n + 255) / 256, 256>>>(a, b, c, n);").pitfall != "P2");
}

TEST_CASE("a tail that does not start where the grid ends is not P2", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 700, 0, 1);
  set_grid(evidence, 1, 4, 256);
  CHECK(diagnose_source(evidence).pitfall.empty());
}

TEST_CASE("a quarter of the elements is bytes for elements", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 250, 0, 1);
  CHECK(diagnose_source(evidence).pitfall == "P45");
}

TEST_CASE("results that stay on the device are P43, and an idle kernel is not", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "unwritten", 0, 0, 1);
  CHECK(diagnose_source(evidence).pitfall == "P43");
  evidence.cases[1].emulator->kernels[0].counters.clear();
  CHECK(diagnose_source(evidence).pitfall.empty());
}

TEST_CASE("a launch that failed is P15, whatever its consequences", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "unwritten", 0, 0, 1);
  add_finding(evidence, "unchecked-error", "warning");
  add_finding(evidence, "illegal-launch", "error");
  const Diagnosis d = diagnose_source(evidence);
  CHECK(d.pitfall == "P15");
  CHECK(d.summary == "A kernel never ran: message of illegal-launch.");
}

TEST_CASE("a memory error comes before a leak", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "leak", "error");
  CHECK(diagnose_source(evidence).pitfall == "P46");
  add_finding(evidence, "oob-global-write", "error");
  const Diagnosis d = diagnose_source(evidence);
  CHECK(d.pitfall == "P1");
  CHECK(d.summary == "vecadd.cu:7: message of oob-global-write.");
}

TEST_CASE("a misaligned access says what vector types need, and another one does not",
          "[diagnose]") {
  const Lab lab = test_lab();
  const auto says = [&](const char* kind) {
    Evidence evidence = right_evidence(lab);
    make_wrong(evidence, 1, "tail", 700, 0, 1);
    add_finding(evidence, kind, "error");
    return diagnose_source(evidence).summary.find("float4 need aligned") != std::string::npos;
  };
  CHECK(says("misaligned-global"));
  CHECK(says("misaligned-shared"));
  CHECK_FALSE(says("misaligned-local"));
  CHECK_FALSE(says("oob-global-read"));
}

TEST_CASE("a program that exits is reported so, unless an invalid access made it exit",
          "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[0].report.verdict = CaseVerdict::crashed;
  evidence.cases[0].report.message = "The program ended.";
  evidence.cases[0].ended_early = true;
  add_finding(evidence, "leak", "error");
  CHECK(diagnose_source(evidence).summary == "The program ended.");
  // It has checked the error that this access caused.
  add_finding(evidence, "oob-global-write", "error");
  CHECK(diagnose_source(evidence).pitfall == "P1");
}

TEST_CASE("redundant work is P19 if the loop steps by one block, otherwise the check's own pitfall",
          "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1]
      .emulator->kernels[0]
      .counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 5000;
  CHECK(diagnose_source(evidence, "for (; i < n; i += blockDim.x)").pitfall == "P19");
  CHECK(diagnose_source(evidence, "for i in range(cuda.grid(1), n, cuda.blockDim.x):").pitfall ==
        "P19");
  CHECK(diagnose_source(evidence, "for i in range(cuda.grid(1), n, cuda.gridsize(1)):").pitfall ==
        "P75");
  CHECK(diagnose_source(evidence, "for (; i < n; i += blockDim.x * gridDim.x)").pitfall == "P75");
}

TEST_CASE("a block that steps through its own chunk by its size does no redundant work",
          "[diagnose]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  KernelReport& kernel = evidence.cases[1].emulator->kernels[0];
  kernel.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 500;  // twice the reference's
  CHECK(diagnose_source(evidence, "for (; i < n; i += blockDim.x)").pitfall == "P75");
}

TEST_CASE("reliance on luck is reported before slowness", "[diagnose]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  evidence.cases[1].emulator->kernels[0].counters["modelled_ms"] = 100;
  testing::add_finding(evidence, "warp-synchronous", "warning");
  evidence.findings.back().pitfall = "P29";
  CHECK(diagnose_source(evidence).pitfall == "P29");
}

TEST_CASE(
    "an access without an order explains outputs that depend on the order of execution, and no "
    "others",
    "[diagnose]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  testing::make_wrong(evidence, 1, "nondeterministic", 0, 1, 2);
  evidence.cases[1].report.pattern_detail = "The result depends on the order of execution.";
  CHECK(diagnose_source(evidence).pitfall == "P39");
  testing::add_finding(evidence, "fence-scope", "warning");
  evidence.findings.back().pitfall = "P33";
  CHECK(diagnose_source(evidence).pitfall == "P39");  // it is of another case
  evidence.cases[1].emulator->findings = evidence.findings;
  const Diagnosis d = diagnose_source(evidence);
  CHECK(d.pitfall == "P33");
  CHECK(d.summary ==
        "vecadd.cu:7: message of fence-scope. next of fence-scope Case \"large\": The result "
        "depends on "
        "the order of execution.");
  evidence.cases[1].report.pattern = "scattered";
  CHECK(diagnose_source(evidence).pitfall != "P33");
}

TEST_CASE("a tree that ends with one block kept the device busy before", "[diagnose]") {
  const Lab lab = testing::test_lab();
  Evidence evidence = testing::right_evidence(lab);
  KernelReport& kernel = evidence.cases[1].emulator->kernels[0];
  kernel.grid = {1, 1, 1};
  kernel.launches = 2;
  kernel.counters["blocks"] = 5;
  kernel.counters["modelled_ms"] = 100;
  CHECK(diagnose_source(evidence).pitfall != "P71");
  kernel.counters["blocks"] = 2;
  CHECK(diagnose_source(evidence).pitfall == "P71");
}

TEST_CASE("one slow block is P71", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  set_grid(evidence, 1, 1, 256);
  CHECK(diagnose_source(evidence).pitfall.empty());  // one block that is fast enough
  evidence.cases[1].emulator->kernels[0].counters["modelled_ms"] = 50;
  CHECK(diagnose_source(evidence).pitfall == "P71");
}

TEST_CASE("small relative errors everywhere are P56, larger ones are not", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "everything", 0, 1.001, 1);
  MismatchedElement m = evidence.cases[0].report.first_mismatches[0];
  evidence.cases[0].report.first_mismatches = {m, m, m, m};
  CHECK(diagnose_source(evidence).pitfall == "P56");
  evidence.cases[0].report.first_mismatches[2].got = 1.5;
  CHECK(diagnose_source(evidence).pitfall.empty());
}

TEST_CASE("outputs on the device are not copied, so neither P43 nor P45 explains them",
          "[diagnose]") {
  Lab lab = test_lab();
  lab.parameters = {{.name = "c",
                     .role = Role::output,
                     .type = ElementType::f32,
                     .memory = Memory::device,
                     .shape = {Expression("n")},
                     .value = std::nullopt,
                     .record = {},
                     .group = {},
                     .matrix = {}}};
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 250, 0, 1);
  CHECK(diagnose_source(evidence).pitfall.empty());
  make_wrong(evidence, 1, "unwritten", 0, 0, 1);
  CHECK(diagnose_source(evidence).pitfall.empty());
}

TEST_CASE("an output wrong by what it held before atomics added to it is P34", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "everything", 0, 42.0 + 0xa5a5a5a5U, 42);
  CHECK(diagnose_source(evidence).pitfall.empty());  // no atomics
  evidence.cases[0].emulator->kernels[0].counters["global_atomic_threads"] = 100;
  CHECK(diagnose_source(evidence).pitfall == "P34");
  MismatchedElement& element = evidence.cases[0].report.first_mismatches[0];
  element.got = 42.0 + 0xa5a5a5a5U - 4294967296.0;  // as int
  CHECK(diagnose_source(evidence).pitfall == "P34");
  element.got = 43;
  CHECK(diagnose_source(evidence).pitfall.empty());
  element.got = std::numeric_limits<double>::quiet_NaN();
  CHECK(diagnose_source(evidence).pitfall == "P34");
  evidence.cases[0].report.wrong_elements = 50;
  CHECK(diagnose_source(evidence).pitfall.empty());
}

TEST_CASE("a modified input is reported before its consequences", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "transposed", 0, 0, 1);
  CHECK(diagnose_source(evidence).pitfall == "P5");
  evidence.cases[1].report.verdict = CaseVerdict::broke_contract;
  evidence.cases[1].pitfall = "P40";
  CHECK(diagnose_source(evidence).pitfall == "P40");
}

TEST_CASE("a warning is the cause if exactly the wrong cases have it", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  add_finding(evidence, "barrier-early-exit", "warning");  // in "small"
  evidence.findings[0].pitfall = "P28";
  CHECK(diagnose_source(evidence).pitfall == "P28");
  evidence.findings[0].cases = {"small", "large"};
  CHECK(diagnose_source(evidence).pitfall.empty());
}

TEST_CASE("blocks that write the same elements are said if every wrong case has them",
          "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  add_finding(evidence, "race-same-value", "warning");
  const auto says_overlap = [&] {
    evidence.cases[0].emulator->findings = evidence.findings;
    return diagnose_source(evidence).summary.find("blocks overlap") != std::string::npos;
  };
  CHECK_FALSE(says_overlap());  // they write one element, a flag for example
  evidence.findings.front().detail = "blocks-overlap";
  CHECK(says_overlap());
  make_wrong(evidence, 1, "scattered", 3, 0, 1);  // without it
  CHECK_FALSE(says_overlap());
}

TEST_CASE("a very long line in a source is harmless", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 768, 0, 1);
  set_grid(evidence, 1, 3, 256);
  CHECK(diagnose_source(evidence, "ceil(" + std::string(900'000, 'n') + " / 2)").pitfall == "P2");
}

/// Two cases, the first with no elements and a failed launch.
Evidence with_empty_launch(Lab& lab) {
  lab.cases[0].data.dims["n"] = 0;
  Evidence evidence = right_evidence(lab);
  evidence.cases[0].report.verdict = CaseVerdict::cuda_error;
  add_finding(evidence, "illegal-launch", "error");
  evidence.findings[0].detail = "no-blocks";
  evidence.cases[0].emulator->findings = evidence.findings;
  return evidence;
}

TEST_CASE("a forgotten n == 0 is reported as such, and not as rounding", "[diagnose]") {
  Lab lab = test_lab();
  const Diagnosis d = diagnose_source(with_empty_launch(lab));
  CHECK(d.pitfall == "P15");
  CHECK(d.summary ==
        "Case \"small\": there is no work, but a kernel is launched nevertheless, which is an "
        "error: message of illegal-launch.");
}

TEST_CASE("a forgotten n == 0 does not hide what makes other cases wrong", "[diagnose]") {
  Lab lab = test_lab();
  Evidence evidence = with_empty_launch(lab);
  make_wrong(evidence, 1, "transposed", 0, 0, 1);
  CHECK(diagnose_source(evidence).pitfall == "P5");
}

TEST_CASE("no blocks for a size above 0 is a rounded-down grid", "[diagnose]") {
  Lab lab = test_lab();
  Evidence evidence = with_empty_launch(lab);
  lab.cases[0].data.dims["n"] = 100;
  CHECK(diagnose_source(evidence).pitfall == "P2");
  CHECK(diagnose_source(evidence, "int g = ceil(n / 256);").pitfall == "P3");
  evidence.cases[0].emulator->findings[0].detail = "";
  evidence.findings = evidence.cases[0].emulator->findings;
  CHECK(diagnose_source(evidence).pitfall == "P15");
}

TEST_CASE("a launch refused for few sizes does not hide a mistake that costs more", "[diagnose]") {
  Lab lab = test_lab();
  Evidence evidence = with_empty_launch(lab);
  lab.cases[0].data.dims["n"] = 100;
  lab.cases[0].points = 1;
  lab.cases[1].points = 9;
  evidence.cases[0].report.verdict = CaseVerdict::cuda_error;
  evidence.cases[0].emulator->findings[0].detail = "";
  evidence.findings = evidence.cases[0].emulator->findings;
  make_wrong(evidence, 1, "transposed", 0, 0, 1);
  CHECK(diagnose_source(evidence).pitfall == "P5");
  lab.cases[0].points = 20;
  CHECK(diagnose_source(evidence).pitfall == "P15");
  // A grid of no blocks is the same mistake as a grid that is too small.
  lab.cases[0].points = 1;
  evidence.cases[0].emulator->findings[0].detail = "no-blocks";
  evidence.findings = evidence.cases[0].emulator->findings;
  CHECK(diagnose_source(evidence).pitfall == "P2");
}

TEST_CASE("a proof about a case that is set aside is not attached to another mistake",
          "[diagnose]") {
  Lab lab = test_lab();
  Evidence evidence = with_empty_launch(lab);
  make_wrong(evidence, 1, "transposed", 0, 0, 1);
  evidence.cause.emplace();
  evidence.cause->kind = CauseKind::blocks;
  evidence.cause->pitfall = "P2";
  evidence.cause->message = "With a block.";
  evidence.cause->cases = {"small"};
  CHECK(diagnose_source(evidence).summary.find("With a block.") == std::string::npos);
  evidence.cause->cases = {"large"};
  CHECK(diagnose_source(evidence).summary.find("With a block.") != std::string::npos);
}

TEST_CASE("invalid accesses do not hide uninitialized memory that is proven to cause them",
          "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "scattered", 0, 0, 1);
  add_finding(evidence, "oob-global-write", "error");
  evidence.findings.back().pitfall = "P1";
  add_finding(evidence, "unwritten-shared-read", "error");
  evidence.findings.back().pitfall = "P35";
  CHECK(diagnose_source(evidence).pitfall == "P1");
  evidence.cause.emplace();
  evidence.cause->kind = CauseKind::uninitialized;
  evidence.cause->message = "If it held 0.";
  evidence.cause->tried = 2;
  evidence.cause->right = 2;
  CHECK(diagnose_source(evidence).pitfall == "P35");
  // With only some cases repaired, or another change, the accesses are a mistake of their own.
  evidence.cause->right = 1;
  CHECK(diagnose_source(evidence).pitfall == "P1");
  evidence.cause->right = 2;
  evidence.cause->kind = CauseKind::outside;
  CHECK(diagnose_source(evidence).pitfall == "P1");
}

/// A finding in line 3 of a kernel "add" with rows of threads.
Evidence with_rows(const Lab& lab, const char* kind) {
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, kind, "error");
  evidence.findings[0].line = 3;
  evidence.findings[0].kernel = "add";
  evidence.cases[0].emulator->kernels[0].block = {16, 16, 1};
  return evidence;
}

TEST_CASE("an access out of bounds below a condition is P4, and without one P1", "[diagnose]") {
  const Lab lab = test_lab();
  const std::string head = "__global__ void add() {\n\n";
  Evidence evidence = with_rows(lab, "oob-global-write");
  CHECK(diagnose_source(evidence, head + "if (col < n) c[row * n + col] = s;\n}").pitfall == "P4");
  CHECK(diagnose_source(evidence, "__global__ void add() {\nif (y >= h) return;\nc[i] = s;\n}")
            .pitfall == "P4");
  CHECK(diagnose_source(evidence, head + "c[row * n + col] = s;\n}").pitfall == "P1");
  CHECK(diagnose_source(evidence, head + "if (col <= n) c[row * n + col] = s;\n}").pitfall == "P1");
  evidence.cases[0].emulator->kernels[0].block = {256, 1, 1};
  CHECK(diagnose_source(evidence, head + "if (col < n) c[row * n + col] = s;\n}").pitfall == "P1");
  // For a read, a return may be meant for the thread's own element.
  const Evidence read = with_rows(lab, "oob-global-read");
  CHECK(diagnose_source(read, "__global__ void add() {\nif (y >= h) return;\ns += a[i];\n}")
            .pitfall == "P1");
}

TEST_CASE("an access shortly before an array is P20 where the kernel subtracts", "[diagnose]") {
  const Lab lab = test_lab();
  const std::string kernel = "__global__ void add() {\nint x = col - radius;\ns += a[x];\n}";
  Evidence evidence = with_rows(lab, "oob-global-read");
  ReportedFinding& f = evidence.findings[0];
  f.pitfall = "P1";
  f.offset = -32;
  f.width = 4;
  f.array_bytes = 140;
  const Diagnosis d = diagnose_source(evidence, kernel);
  CHECK(d.pitfall == "P20");
  CHECK(d.summary.find(" The index there is -8: ") != std::string::npos);
  // Without a difference, after the end, or so far away that an index has overflowed.
  const std::string sum = "__global__ void add() {\nint x = col + radius;\ns += a[x];\n}";
  CHECK(diagnose_source(evidence, sum).pitfall.empty());
  f.offset = 140;
  CHECK(diagnose_source(evidence, kernel).pitfall == "P1");
  f.offset = -4000;
  CHECK(diagnose_source(evidence, kernel).pitfall.empty());
}

TEST_CASE("threads that returned above a barrier are P28, and a barrier in a branch P27",
          "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = with_rows(lab, "barrier-divergence");
  evidence.findings[0].detail = "threads-ended";
  CHECK(diagnose_source(evidence, "__global__ void add() {\nif (i >= n) return;\n__syncthreads();")
            .pitfall == "P28");
  CHECK(diagnose_source(evidence, "__global__ void add() {\nif (i < n) {\n__syncthreads();\n}}")
            .pitfall == "P27");
}

TEST_CASE("one block for all sizes is neither rounding down nor bytes for elements", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 1, "tail", 256, 0, 1);
  set_grid(evidence, 1, 1, 256);
  CHECK(diagnose_source(evidence).pitfall.empty());
  evidence.cases[1].report.elements = 1024;
  CHECK(diagnose_source(evidence).pitfall == "P45");
  make_wrong(evidence, 0, "tail", 90, 0, 1);  // not a quarter
  CHECK(diagnose_source(evidence).pitfall.empty());
}

TEST_CASE("a case that timed out does not hide what is wrong in others", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].report.verdict = CaseVerdict::never_ends;
  evidence.cases[1].report.message = "The program ran longer than 30 s.";
  CHECK(diagnose_source(evidence).summary.starts_with("Find the loop"));
  evidence.cases[1].slow = true;
  CHECK(diagnose_source(evidence).summary.starts_with("The program is far too slow."));
  make_wrong(evidence, 0, "transposed", 0, 0, 1);
  CHECK(diagnose_source(evidence).pitfall == "P5");
}

TEST_CASE("a race in the kernel that never ends comes before its loop", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].report.verdict = CaseVerdict::never_ends;
  evidence.cases[1].report.message = "The kernel does not end.";
  add_finding(evidence, "instruction-budget", "error");
  add_finding(evidence, "race-shared", "error");
  std::vector<ReportedFinding>& found = evidence.cases[1].emulator->findings;
  found = evidence.findings;
  found[1].kernel = "another";
  CHECK(diagnose_source(evidence).summary.starts_with("Find the loop"));
  found[1].kernel = found[0].kernel;
  const Diagnosis diagnosis = diagnose_source(evidence);
  CHECK(diagnosis.summary ==
        "vecadd.cu:7: message of race-shared. The kernel does not end, which may follow from it. "
        "Case \"large\": The kernel does not end.");
  CHECK(diagnosis.pitfall == "P22");
}

TEST_CASE("arrivals that an mbarrier waits for come before a race of what it protects",
          "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  evidence.cases[1].report.verdict = CaseVerdict::never_ends;
  evidence.cases[1].report.message = "Deadlock.";
  add_finding(evidence, "mbarrier-deadlock", "error");
  add_finding(evidence, "race-shared", "error");
  std::vector<ReportedFinding>& found = evidence.cases[1].emulator->findings;
  found = evidence.findings;
  found[0].want = "phase 0 of the mbarrier empty: 64 of 96 arrivals missing";
  found[0].next = "Compare them.";
  CHECK(diagnose_source(evidence).summary ==
        "vecadd.cu:7: message of mbarrier-deadlock. They wait for phase 0 of the mbarrier empty: "
        "64 of 96 arrivals missing. Compare them. Threads also race, which may follow from it.");
  // It was not ready when threads arrived.
  add_finding(evidence, "mbarrier-uninitialized", "error");
  found.push_back(evidence.findings.back());
  CHECK(diagnose_source(evidence).summary.starts_with("vecadd.cu:7: message of race-shared."));
}

TEST_CASE("a barrier that threads miss comes before the reads that follow from it", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 1);
  add_finding(evidence, "unwritten-shared-read", "error");
  CHECK(diagnose_source(evidence).summary == "vecadd.cu:7: message of unwritten-shared-read.");
  add_finding(evidence, "race-shared", "error");
  CHECK(diagnose_source(evidence).summary == "vecadd.cu:7: message of race-shared.");
  add_finding(evidence, "barrier-divergence", "error");
  CHECK(diagnose_source(evidence).summary == "vecadd.cu:7: message of barrier-divergence.");
}

TEST_CASE("a null pointer is reported as the unchecked error, if there is one", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  add_finding(evidence, "null-pointer", "error");
  CHECK(diagnose_source(evidence).pitfall.empty());
  add_finding(evidence, "unchecked-error", "warning");
  CHECK(diagnose_source(evidence).pitfall == "P41");
}

TEST_CASE("a program that was stopped before its launch is not told to launch", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  for (CaseOutcome& c : evidence.cases) {
    c.report.verdict = CaseVerdict::wrong;
    c.emulator->kernels.clear();
  }
  CHECK(diagnose_source(evidence).summary == "No kernel is launched yet; do that next.");
  evidence.cases[0].report.verdict = CaseVerdict::crashed;
  evidence.cases[0].report.message = "Host code read past the end.";
  CHECK(diagnose_source(evidence).summary == "Case \"small\": Host code read past the end.");
}

TEST_CASE("only subnormal sums lost by float atomics are reported as such", "[diagnose]") {
  const Lab lab = test_lab();
  Evidence evidence = right_evidence(lab);
  make_wrong(evidence, 0, "scattered", 3, 0, 3e-40);
  CHECK(diagnose_source(evidence).summary.find("subnormal") == std::string::npos);  // no atomics
  evidence.cases[0].emulator->kernels[0].counters["global_atomic_threads"] = 100;
  CHECK(diagnose_source(evidence).summary.starts_with(
      "Case \"small\": sums below the normal range of float are lost."));
  make_wrong(evidence, 1, "scattered", 3, 0, 3e-37);  // a normal number
  CHECK(diagnose_source(evidence).summary.find("subnormal") == std::string::npos);
}

}  // namespace
}  // namespace warpgrade
