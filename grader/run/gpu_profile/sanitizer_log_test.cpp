#include "grader/run/gpu_profile/sanitizer_log.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

constexpr const char* kMemcheck = R"(========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at add(const float *, float *, int)+0x90 in /s/build/src/no_guard.cu:9
=========     by thread (32,0,0) in block (3,0,0)
=========     Access to 0x7f0e42000190 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f0e42000000 of size 400 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main in main.cpp:40 [0x8d5c] in program
=========
========= Invalid __global__ read of size 4 bytes
=========     at add(const float *, float *, int)+0x90 in /s/build/src/no_guard.cu:9
=========     by thread (33,0,0) in block (3,0,0)
=========     Access to 0x7f0e42000194 is out of bounds
=========
========= Invalid __shared__ write of size 16 bytes
=========     at tile(float *)+0x120 in /elsewhere/no_guard.cu:20
=========     by thread (1,0,0) in block (0,0,0)
=========     Access to 0x4 is misaligned
=========
========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call to cudaDeviceSynchronize.
=========     Saved host backtrace up to driver entry point at error
=========
========= Leaked 4,000 bytes at 0x7f0e42000000
=========     Saved host backtrace up to driver entry point at allocation time
=========
========= LEAK SUMMARY: 4000 bytes leaked in 1 allocations
========= ERROR SUMMARY: 129 errors
========= ERROR SUMMARY: 29 errors were not printed. Use --print-limit option to adjust the number of printed errors
)";

SanitizerLog read(std::string_view text, const std::string& tool = "memcheck") {
  return read_sanitizer_log(text, tool, "/s/build/src");
}

std::vector<std::string> kinds(const SanitizerLog& log) {
  std::vector<std::string> all;
  for (const ToolFinding& finding : log.findings) {
    all.push_back(finding.kind);
  }
  return all;
}

TEST_CASE("the same mistake of several threads is one finding, with the first thread",
          "[profile][sanitizer]") {
  const SanitizerLog log = read(kMemcheck);
  CHECK(log.finished);
  CHECK(log.errors == 129);
  CHECK(kinds(log) == std::vector<std::string>{"access", "misaligned", "api", "leak"});
  const ToolFinding& access = log.findings.at(0);
  CHECK(access.tool == "memcheck");
  CHECK(access.message == "Invalid __global__ read of size 4 bytes: access is out of bounds");
  CHECK(access.kernel == "add");
  CHECK(access.file == "no_guard.cu");
  CHECK(access.line == 9);
  CHECK(access.who == "thread (32,0,0) in block (3,0,0)");
  CHECK(access.count == 2);
  CHECK(log.findings[1].file == "no_guard.cu");
  CHECK(log.findings[1].line == 20);
  CHECK(log.findings[2].line == 0);
  CHECK(log.findings[3].message == "Leaked 4,000 bytes");
}

TEST_CASE("an error that every later call returns is one finding, with the first call",
          "[profile][sanitizer]") {
  std::string text = "========= COMPUTE-SANITIZER\n";
  for (const char* call : {"cudaMemcpy", "cudaFree", "cudaEventRecord"}) {
    text +=
        "========= Program hit cudaErrorLaunchFailure (error 719) due to \"unspecified launch "
        "failure\" on CUDA API call to " +
        std::string(call) + ".\n=========\n";
  }
  text += "========= Program hit cudaErrorInvalidValue (error 1) on CUDA API call to cudaFree.\n";
  const SanitizerLog log = read(text + "========= ERROR SUMMARY: 4 errors\n");
  REQUIRE(log.findings.size() == 2);
  CHECK(log.findings[0].count == 3);
  CHECK(log.findings[0].message.ends_with("to cudaMemcpy."));
  CHECK(log.findings[1].count == 1);
}

TEST_CASE("a race has its location on the line that names it, and both accesses",
          "[profile][sanitizer]") {
  const SanitizerLog log = read(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Race reported between Write access at sum(float *)+0x1a0 in tree.cu:14\n"
      "=========     and Read access at sum(float *)+0x170 in tree.cu:15 [124 hazards]\n"
      "=========\n"
      "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
      "racecheck");
  REQUIRE(log.findings.size() == 1);
  CHECK(log.finished);
  CHECK(log.findings[0].kind == "race");
  CHECK(log.findings[0].kernel == "sum");
  CHECK(log.findings[0].line == 14);
  CHECK(log.findings[0].message ==
        "Race reported between Write access at sum(float *) in tree.cu:14 and Read access at "
        "sum(float *) in tree.cu:15");
}

TEST_CASE("what is not known is kept as other", "[profile][sanitizer]") {
  const SanitizerLog log = read(
      "========= COMPUTE-SANITIZER\n"
      "what the program prints itself\n"
      "========= Uninitialized __global__ memory read of size 4 bytes\n"
      "=========     at add(float *)+0x50 in a.cu:3\n"
      "=========\n"
      "========= Barrier error detected. Divergent thread(s) in block\n"
      "=========     at 0x60 in a.cu:5\n"
      "=========\n"
      "========= Host API memory access error at host access to 0x7f7fcdc01200 of size 400 bytes\n"
      "=========     Uninitialized access at 0x7f7fcdc01300 on access by cudaMemcpy source\n"
      "=========\n"
      "========= Something nobody has seen yet\n"
      "========= Target application returned an error\n"
      "========= ERROR SUMMARY: 3 errors\n");
  CHECK(kinds(log) ==
        std::vector<std::string>{"uninitialized", "barrier", "uninitialized", "other"});
  CHECK(log.findings[1].line == 5);
  CHECK(log.findings[1].kernel.empty());
}

TEST_CASE("a clean log has no findings, and a truncated one is not finished",
          "[profile][sanitizer]") {
  const SanitizerLog clean =
      read("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n");
  CHECK(clean.finished);
  CHECK(clean.findings.empty());
  CHECK_FALSE(read("========= COMPUTE-SANITIZER\n").finished);
  CHECK_FALSE(read("").finished);
  CHECK_FALSE(read("=========").finished);
}

TEST_CASE("the tool's own failure is not a finding", "[profile][sanitizer]") {
  const SanitizerLog log = read(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: No attachable process found. compute-sanitizer timed-out.\n"
      "========= Default timeout can be adjusted with --launch-timeout.\n");
  CHECK_FALSE(log.finished);
  CHECK(log.problem == "Error: No attachable process found. compute-sanitizer timed-out.");
}

TEST_CASE("an endless or meaningless log has few findings, each short", "[profile][sanitizer]") {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "========= " + std::string(5000, 'x') + std::to_string(i) + " 0x\n=========\n";
    text += "=========      at 0x in :\n=========      Access \n";
  }
  text += "========= Invalid __global__ read of size\n=========     Access \n=========      in ";
  const SanitizerLog log = read(text);
  CHECK(log.findings.size() <= 100);
  for (const ToolFinding& finding : log.findings) {
    CHECK(finding.message.size() <= 1000);
  }
}

}  // namespace
}  // namespace warpgrade
