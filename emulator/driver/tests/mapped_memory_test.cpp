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

Run run_program(const std::string& what, const std::string& how = "") {
  return warpsim::testing::run(
      {WARPSIM_LAUNCHER, "--check", "all", "--json", "REPORT", "--", program(), what, how});
}

/// The program's only finding.
nlohmann::json only_finding(const std::string& what, const std::string& kind,
                            const std::string& how = "") {
  const Run run = run_program(what, how);
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
        "4-byte write in cuMemAddressReserve #1 (33554432 bytes of addresses), where no memory "
        "is mapped");
  CHECK(past["got"] ==
        "byte offset 2097152 of the range, of which the first 2097152 bytes are mapped");
  const Run stopped = run_program("past-end");
  CHECK(stopped.out == "result cudaErrorIllegalAddress\n");
  CHECK(only_finding("no-memory", "oob-global-write")["got"] ==
        "byte offset 4194316 of the range, of which the first 2097152 bytes are mapped");
}

TEST_CASE("an access to memory without cuMemSetAccess is reported", "[driver]") {
  const auto found = only_finding("no-access", "oob-global-write");
  CHECK(
      found["message"] ==
      "4-byte write in cuMemAddressReserve #1 (33554432 bytes of addresses), where cuMemCreate #3 "
      "is mapped without access (cuMemSetAccess)");
  CHECK(found["got"] == "byte offset 2097160 of the range");
  CHECK(found["want"] == "access of device 0");
}

TEST_CASE("memory with access for reading only can be read, and written again later", "[driver]") {
  const Run run = run_program("read-only", "read");
  INFO(run.err);
  CHECK(run.kinds() == Kinds{});
  CHECK(run.out == "flags 1 value 3\nvalue 4\nresult cudaSuccess\n");
}

TEST_CASE("writes of memory with access for reading only fail as on a card", "[driver]") {
  const auto write = only_finding("read-only", "oob-global-write", "write");
  CHECK(
      write["message"] ==
      "4-byte write in cuMemAddressReserve #1 (33554432 bytes of addresses), where cuMemCreate #3 "
      "is mapped for reading only (cuMemSetAccess)");
  CHECK(write["want"] == "access of device 0 for reading and writing");
  CHECK(run_program("read-only", "write").out == "result cudaErrorIllegalAddress\n");
  CHECK_THAT(only_finding("read-only", "oob-global-write", "update")["message"].get<std::string>(),
             ContainsSubstring("4-byte atomic update in"));
  const auto fill = only_finding("read-only", "invalid-copy-pointer", "fill");
  CHECK_THAT(fill["message"].get<std::string>(),
             ContainsSubstring("is device memory (memory mapped in cuMemAddressReserve #1"));
  CHECK(fill["got"] == "access for reading only (CU_MEM_ACCESS_FLAGS_PROT_READ)");
  CHECK(run_program("read-only", "fill").out == "result 1\nresult cudaSuccess\n");
  CHECK(run_program("read-only", "copy").out ==
        "result cudaErrorInvalidValue\nresult cudaSuccess\n");
}

TEST_CASE("memory that a kernel may still use is unmapped too early", "[driver]") {
  const auto found = only_finding("take-away", "stream-race", "unmap-early");
  CHECK_THAT(found["message"].get<std::string>(),
             ContainsSubstring("cuMemUnmap unmaps device memory (memory mapped in "
                               "cuMemAddressReserve #1, 2097152 bytes), which kernel") &&
                 ContainsSubstring("number(int*, unsigned long) may still write"));
  CHECK_THAT(found["got"].get<std::string>(),
             ContainsSubstring("byte offset 0, with no synchronization after"));
  CHECK(run_program("take-away", "unmap-later").kinds() == Kinds{});
  CHECK_THAT(run_program("take-away", "read-only-under-writes")
                 .finding("stream-race")["message"]
                 .get<std::string>(),
             ContainsSubstring("cuMemSetAccess takes away access to device memory"));
  CHECK(run_program("take-away", "read-only-under-reads").kinds() == Kinds{});
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
             ContainsSubstring("byte offset 12 of the range, freed by") &&
                 ContainsSubstring("cuMemAddressFree called from"));
  const auto copied = only_finding("copy-after-unmap", "use-after-free");
  CHECK(copied["message"] ==
        "the source of cudaMemcpy is byte 0 of cuMemAddressReserve #1 (33554432 bytes of "
        "addresses), where memory was unmapped");
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
