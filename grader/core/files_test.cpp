#include "grader/core/files.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdlib>

#include "grader/core/error.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
namespace {

TEST_CASE("a file may have the longest name that a disk takes", "[core][files]") {
  const ScratchFolder folder;
  const fs::path file = folder.path() / std::string(255, 'y');
  write_file_atomically(file, "text");
  CHECK(read_file(file) == "text");
}

TEST_CASE("a written file is read back, and leaves no temporary file beside it", "[core][files]") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "deep" / "er" / "x.txt";
  write_file_atomically(file, std::string_view("a\0b", 3));
  CHECK(read_file(file) == std::string("a\0b", 3));
  write_file_atomically(file, "new");
  CHECK(read_file(file) == "new");
  CHECK(std::distance(fs::directory_iterator(file.parent_path()), {}) == 1);
}

TEST_CASE("reading a file that is not there names it and the reason", "[core][files]") {
  CHECK_THROWS_MATCHES(read_file("nowhere/x"), UsageError,
                       MessageMatches(ContainsSubstring("cannot read nowhere/x: No such file")));
}

TEST_CASE("reading stops at the limit", "[core][files]") {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "x", "12345");
  CHECK(read_file(scratch.path() / "x", 5) == "12345");
  CHECK_THROWS_MATCHES(read_file(scratch.path() / "x", 4), UsageError,
                       MessageMatches(ContainsSubstring("has 5 bytes, more than the limit of 4")));
}

TEST_CASE("an unwritable folder is rejected with advice", "[core][files]") {
  // Not even root can create files in /proc.
  CHECK_THROWS_MATCHES(require_writable_folder("/proc/warpgrade"), EnvironmentError,
                       MessageMatches(ContainsSubstring("cannot write /proc/warpgrade: ")));
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "file", "");
  CHECK_THROWS_MATCHES(require_writable_folder(scratch.path() / "file" / "folder"),
                       EnvironmentError,
                       MessageMatches(ContainsSubstring("a file exists where a folder is needed")));
}

TEST_CASE("a scratch folder is removed with its object", "[core][files]") {
  fs::path path;
  {
    const ScratchFolder scratch;
    path = scratch.path();
    write_file_atomically(path / "a" / "b", "x");
    CHECK(fs::exists(path / "a" / "b"));
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a TMPDIR that is not a folder is named", "[core][files]") {
  const char* const set = std::getenv("TMPDIR");
  const std::string before = set == nullptr ? "" : set;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  CHECK_THROWS_WITH(ScratchFolder(),
                    "TMPDIR is /nowhere/at/all, which is not a folder; set it to one with free "
                    "space, or to nothing");
  if (set == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", before.c_str(), 1);
  }
}

}  // namespace
}  // namespace warpgrade
