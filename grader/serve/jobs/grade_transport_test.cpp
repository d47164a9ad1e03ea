#include "grader/serve/jobs/grade_transport.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {

TEST_CASE("the files of a grade arrive in another folder as they were", "[serve][unit]") {
  const ScratchFolder from, to;
  const FileSet files = {{"a.json", "{}"}, {"s01/vecadd/x", std::string("a\0b", 3)}};
  write_files(from.path(), files);
  CHECK(files_in(from.path()) == files);
  write_files(to.path(), files_in(from.path()));
  CHECK(files_in(to.path()) == files);
}

TEST_CASE("no file of a grade is written outside of its folder", "[serve][unit]") {
  const ScratchFolder to;
  for (const char* name : {"../x", "a/../../x", "/x", ""}) {
    CHECK_THROWS_AS(write_files(to.path() / "in", {{"fine", ""}, {name, "x"}}), UsageError);
  }
  CHECK(files_in(to.path()).empty());
}

}  // namespace warpgrade
