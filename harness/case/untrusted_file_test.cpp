#include "harness/case/untrusted_file.h"

#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <vector>

#include "harness/testing/temporary_folder.h"

namespace warpgrade {
namespace {

TEST_CASE("a file that a submission left is read, up to the limit", "[harness][case]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "out") << "12345";
  CHECK(read_untrusted_file(folder.path() / "out", 10) == "12345");
  CHECK(read_untrusted_file(folder.path() / "out", 3) == "123");
}

TEST_CASE("a file of another length than there is room for is not read", "[harness][case]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "out") << "12345";
  std::vector<std::byte> bytes(5);
  CHECK(read_untrusted_file(folder.path() / "out", bytes));
  CHECK(bytes[4] == std::byte{'5'});
  for (const std::size_t size : {0, 4, 6}) {
    bytes.resize(size);
    CHECK_FALSE(read_untrusted_file(folder.path() / "out", bytes));
  }
}

TEST_CASE("links, pipes, devices and folders in place of an output are not read",
          "[harness][case]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "target") << "of another";
  std::filesystem::create_symlink(folder.path() / "target", folder.path() / "link");
  REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
  CHECK(read_untrusted_file(folder.path() / "link", 10) == std::nullopt);
  CHECK(read_untrusted_file(folder.path() / "pipe", 10) == std::nullopt);
  CHECK(read_untrusted_file("/dev/zero", 10) == std::nullopt);
  CHECK(read_untrusted_file(folder.path(), 10) == std::nullopt);
  CHECK(read_untrusted_file(folder.path() / "missing", 10) == std::nullopt);
  std::vector<std::byte> bytes(std::string_view("of another").size());
  CHECK_FALSE(read_untrusted_file(folder.path() / "link", bytes));
}

}  // namespace
}  // namespace warpgrade
