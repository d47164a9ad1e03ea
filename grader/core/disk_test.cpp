#include "grader/core/disk.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

TEST_CASE("a full disk is an error of the machine", "[core][files]") {
  CHECK_NOTHROW(require_room(ScratchFolder().path()));
  // A file system without room.
  CHECK_THROWS_WITH(require_room("/proc"),
                    "the disk of /proc is full (0 MiB free, and at least 16 are needed); free some "
                    "space there, or set TMPDIR to a folder with more");
}

TEST_CASE("what could not be written is described with what to do", "[core][files]") {
  const auto text = [](const fs::path& path, std::errc why) {
    return describe(fs::filesystem_error("cannot write", path, std::make_error_code(why)));
  };
  CHECK(text("out/a", std::errc::no_space_on_device) ==
        "cannot write out/a: No space left on device; free some space, then run the same command "
        "again (finished grades are kept)");
  const ScratchFolder scratch;
  CHECK(text(scratch.path() / "a", std::errc::no_space_on_device) ==
        "cannot write " + (scratch.path() / "a").string() +
            ": No space left on device; free some space there, or set TMPDIR to a folder with "
            "more");
}

}  // namespace
}  // namespace warpgrade
