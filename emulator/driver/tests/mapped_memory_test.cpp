#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "emulator/cudart/tests/run.h"

// Whole runs of mapped_memory.cu under the launcher: what is right has no findings, and each
// mistake has its own.

namespace {

using Catch::Matchers::ContainsSubstring;
using warpsim::testing::Run;
using Kinds = std::vector<std::string>;

/// The program that nvcc built, or another compiler's.
std::string program() {
  const char* const other = std::getenv("WARPSIM_MAPPED_MEMORY");
  return other != nullptr ? other : WARPSIM_MAPPED_MEMORY_PROGRAM;
}

Run run_program(const std::string& what) {
  return warpsim::testing::run(
      {WARPSIM_LAUNCHER, "--check", "all", "--json", "REPORT", "--", program(), what});
}

/// The program's only finding.
nlohmann::json only_finding(const std::string& what, const std::string& kind) {
  const Run run = run_program(what);
  INFO(what << ": " << run.out << run.err);
  REQUIRE(run.kinds() == Kinds{kind});
  return run.finding(kind);
}

}  // namespace

TEST_CASE("a buffer grows in place, and kernels, copies and fills use all of it", "[driver]") {
  const Run run = run_program("grow");
  INFO(run.err);
  CHECK(run.kinds() == Kinds{});
  CHECK(run.out ==
        "1 chunks: 262144 odd numbers\n2 chunks: 524288 odd numbers\n"
        "3 chunks: 786432 odd numbers\n4 chunks: 1048576 odd numbers\n"
        "last 2097151\ntype 2 device 0\nlast 0\n");
}

TEST_CASE("two mappings of the same memory have the same bytes", "[driver]") {
  const Run run = run_program("alias");
  INFO(run.err);
  CHECK(run.kinds() == Kinds{});
  CHECK(run.out == "alias 1234\nalias 7\n");
}

TEST_CASE("blocks that write the same bytes through two mappings race", "[driver]") {
  const auto race = only_finding("alias-race", "race-global");
  CHECK_THAT(race["message"].get<std::string>(), ContainsSubstring("cuMemAddressReserve"));
}

TEST_CASE("memory that moves to other addresses keeps its contents", "[driver]") {
  const Run run = run_program("move");
  INFO(run.err);
  CHECK(run.kinds() == Kinds{});
  CHECK(run.out == "moved 4321\n");
}

TEST_CASE("an access past the mapped part of a range is reported", "[driver]") {
  CHECK(run_program("in-bounds").kinds() == Kinds{});
  const auto past = only_finding("past-end", "oob-global-write");
  CHECK(past["message"] ==
        "4-byte write in cuMemAddressReserve #1 (33554432 bytes of addresses) where no memory is "
        "mapped");
  CHECK(past["got"] ==
        "byte offset 2097152 of the range, of which the first 2097152 bytes are mapped");
  const Run stopped = run_program("past-end");
  CHECK(stopped.out == "result cudaErrorIllegalAddress\n");
  CHECK(only_finding("no-memory", "oob-global-write")["got"] ==
        "byte offset 4194316 of the range, of which the first 2097152 bytes are mapped");
}

TEST_CASE("an access to memory without cuMemSetAccess is reported", "[driver]") {
  const auto found = only_finding("no-access", "oob-global-write");
  CHECK(found["message"] ==
        "4-byte write in cuMemAddressReserve #1 (33554432 bytes of addresses) of memory that "
        "device 0 has no access to");
  CHECK(found["got"] == "byte offset 2097160 of the range, where cuMemCreate #3 is mapped");
}

TEST_CASE("a read of uninitialized mapped memory is reported", "[driver]") {
  CHECK(run_program("initialized").kinds() == Kinds{});
  const Run run = run_program("uninitialized");
  INFO(run.err);
  CHECK(run.kinds() == Kinds{"unwritten-global-read"});
}

TEST_CASE("a use after cuMemUnmap or cuMemAddressFree is reported", "[driver]") {
  const Run unmapped = run_program("after-unmap");
  INFO(unmapped.err);
  CHECK(unmapped.out == "result cudaErrorIllegalAddress\n");
  CHECK_THAT(unmapped.finding("use-after-free")["got"].get<std::string>(),
             ContainsSubstring("byte offset 12 of the range, unmapped by") &&
                 ContainsSubstring("cuMemUnmap called from"));
  CHECK_THAT(only_finding("after-free", "use-after-free")["got"].get<std::string>(),
             ContainsSubstring("byte offset 12 of addresses freed by") &&
                 ContainsSubstring("cuMemAddressFree called from"));
  const auto copied = only_finding("copy-after-unmap", "use-after-free");
  CHECK(copied["message"] ==
        "the source of cudaMemcpy is byte 0 of cuMemAddressReserve #1 (33554432 bytes of "
        "addresses), which was unmapped");
}

TEST_CASE("a fill past the mapped part of a range is reported", "[driver]") {
  const auto found = only_finding("copy-too-large", "oob-copy");
  CHECK(found["message"] ==
        "cudaMemset of 2097156 bytes writes past the end of memory mapped in cuMemAddressReserve "
        "#1 (2097152 bytes)");
}

TEST_CASE("mapped memory is not freed by cudaFree, nor a range that has some", "[driver]") {
  CHECK(only_finding("cuda-free", "invalid-free")["next"] == "Free such memory with cuMemUnmap.");
  CHECK_THAT(only_finding("free-mapped", "library-argument")["message"].get<std::string>(),
             ContainsSubstring("memory is mapped in cuMemAddressReserve #1"));
}

TEST_CASE("what is not released, unmapped or freed is a leak each", "[driver]") {
  CHECK(only_finding("leak-handle", "leak")["message"] ==
        "cuMemCreate #2 (2097152 bytes) was never released");
  CHECK(only_finding("leak-range", "leak")["message"] ==
        "cuMemAddressReserve #1 (33554432 bytes of addresses) was never freed");
  const Run both = run_program("leak-mapping");
  CHECK(both.kinds() == Kinds{"leak", "leak"});
  CHECK(both.err.find("cuMemCreate #2 (2097152 bytes) was never unmapped from "
                      "cuMemAddressReserve #1") != both.err.npos);
}
