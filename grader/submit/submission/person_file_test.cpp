#include "grader/submit/submission/person_file.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {
namespace {

TEST_CASE("a file that is named after a person is theirs", "[submission][layout]") {
  const auto file = parse_person_file("Ada Lovelace - vecadd.cu");
  REQUIRE(file);
  CHECK(file->person == "Ada Lovelace");
  CHECK(file->file == "vecadd.cu");
  const auto numbered = parse_person_file("12345-678 - Jane Doe - Nov 12, 2026 918 PM - vecadd.cu");
  REQUIRE(numbered);
  CHECK(numbered->person == "Jane Doe");
  CHECK(numbered->file == "vecadd.cu");
  for (const char* other :
       {"vecadd.cu", "vecadd-2.cu", "a - b - c.cu", " - vecadd.cu", "7 - a.cu"}) {
    CHECK_FALSE(parse_person_file(other));
  }
}

TEST_CASE("files that are named after persons are a class", "[submission][layout]") {
  const ScratchFolder scratch;
  for (const char* name : {"Ada Lovelace - vecadd.cu", "Ada Lovelace - util.cuh",
                           "Jane Doe - vecadd.cu", "starter.cu"}) {
    write_file_atomically(scratch.path() / name, "code");
  }
  std::filesystem::create_symlink("/etc/passwd", scratch.path() / "Jim Roe - vecadd.cu");
  const ClassListing listing = list_class(scratch.path());
  REQUIRE(listing.students.size() == 2);
  CHECK(listing.students[0].student == "Ada Lovelace");
  CHECK(listing.students[0].tree.entries().size() == 2);
  CHECK(SourceTree::read(*listing.students[1].tree.find("vecadd.cu")) == "code");
  REQUIRE(listing.unclear.size() == 2);  // whose the link and the other are
  CHECK(listing.unclear[1].what.starts_with("starter.cu: whose is it?"));
}

}  // namespace
}  // namespace warpgrade
