#include "grader/run/worker/inputs_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace warpgrade {
namespace {

TEST_CASE("other inputs are read from memory as from a file, also after larger ones",
          "[run][worker]") {
  for (const std::size_t size : {std::size_t{1} << 20, std::size_t{1} << 10}) {
    const std::vector<std::byte> host(size, std::byte{1});
    const std::vector<std::byte> device(size, std::byte{2});
    const InputsFile file({{.name = "x", .host = host, .device = device}});
    REQUIRE(file.descriptor() >= 0);
    const auto read =
        warpsim::cudart::read_decoy("/proc/self/fd/" + std::to_string(file.descriptor()));
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    CHECK(read->front().name == "x");
    CHECK(read->front().host == host);
    CHECK(read->front().device == device);
    CHECK(::write(file.descriptor(), "x", 1) < 0);
  }
}

TEST_CASE("two runs at a time have files of their own", "[run][worker]") {
  const std::vector<std::byte> bytes(16);
  const InputsFile one({{.name = "x", .host = bytes, .device = bytes}});
  const InputsFile other({{.name = "x", .host = bytes, .device = bytes}});
  struct stat a {};
  struct stat b {};
  REQUIRE(::fstat(one.descriptor(), &a) == 0);
  REQUIRE(::fstat(other.descriptor(), &b) == 0);
  CHECK(a.st_ino != b.st_ino);
}

TEST_CASE("of inputs whose two versions differ in length there is no file", "[run][worker]") {
  const std::vector<std::byte> host(16);
  const std::vector<std::byte> device(8);
  CHECK(InputsFile({{.name = "x", .host = host, .device = device}}).descriptor() < 0);
}

}  // namespace
}  // namespace warpgrade
