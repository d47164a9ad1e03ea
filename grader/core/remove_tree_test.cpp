#include "grader/core/remove_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

TEST_CASE("a folder is removed with its contents, and the targets of links stay",
          "[grader][files]") {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "keep" / "file", "1");
  const fs::path tree = scratch.path() / "tree";
  write_file_atomically(tree / "a" / "b" / "c", "1");
  write_file_atomically(tree / "a" / "shut" / "d", "1");
  fs::create_directory_symlink(scratch.path() / "keep", tree / "a" / "link");
  REQUIRE(::mkfifo((tree / "a" / "pipe").c_str(), 0600) == 0);
  fs::permissions(tree / "a" / "shut", fs::perms::none);
  fs::permissions(tree / "a", fs::perms::none);
  remove_tree(tree);
  CHECK_FALSE(fs::exists(tree));
  CHECK(fs::exists(scratch.path() / "keep" / "file"));
  remove_tree(scratch.path() / "not there");
}

TEST_CASE("a link in place of the folder is removed, not followed", "[grader][files]") {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "keep" / "file", "1");
  fs::create_directory_symlink(scratch.path() / "keep", scratch.path() / "link");
  remove_tree(scratch.path() / "link");
  CHECK_FALSE(fs::is_symlink(scratch.path() / "link"));
  CHECK(fs::exists(scratch.path() / "keep" / "file"));
}

TEST_CASE("folders nested deeper than the longest path are removed", "[grader][files]") {
  const ScratchFolder scratch;
  const fs::path tree = scratch.path() / "tree";
  fs::create_directory(tree);
  const std::string name(200, 'x');
  int at = ::open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(::mkdirat(at, name.c_str(), 0700) == 0);
    const int next = ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ::close(at);
    at = next;
  }
  ::close(at);
  remove_tree(tree);
  CHECK_FALSE(fs::exists(tree));
}

}  // namespace
}  // namespace warpgrade
