#include "grader/submit/submission/person_file.h"

#include <catch2/catch_test_macros.hpp>
#include <tuple>

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
  REQUIRE(numbered->at);
  CHECK(instant_text(*numbered->at) == "2026-11-12T21:18:00Z");
  CHECK(instant_text(*parse_person_folder("1-2 - Jane Doe - Jan 2, 2026 12:05 AM")->at) ==
        "2026-01-02T00:05:00Z");
  CHECK_FALSE(parse_person_folder("1-2 - Jane Doe - some day"));
  CHECK_FALSE(parse_person_folder("Jane - Doe - Jan 2, 2026 12:05 AM"));
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

TEST_CASE("of several files of one person the newest counts, if their times say so",
          "[submission][layout]") {
  const ScratchFolder scratch;
  const auto put = [&](const std::string& name, const std::string& text) {
    write_file_atomically(scratch.path() / name, text);
  };
  put("1-2 - Jane Doe - Nov 13, 2026 918 AM - vecadd.cu", "second");
  put("1-2 - Jane Doe - Nov 12, 2026 1118 PM - vecadd.cu", "first");
  put("1-2 - Jim Roe - Nov 12, 2026 918 PM - vecadd.cu", "one");
  put("3-4 - Jim Roe - 12 nov 2026 - vecadd.cu", "other");
  const ClassListing listing = list_class(scratch.path());
  REQUIRE(listing.students.size() == 2);
  CHECK(SourceTree::read(*listing.students[0].tree.find("vecadd.cu")) == "second");
  CHECK(listing.notes == std::vector<std::string>{"Jane Doe: of several vecadd.cu, the one of "
                                                  "2026-11-13T09:18:00Z counts"});
  REQUIRE(listing.unclear.size() == 1);
  CHECK(listing.unclear[0].what.starts_with("Jim Roe: there are several vecadd.cu, and 3-4 -"));
}

TEST_CASE("a file with a student's login or name in its own is that student's",
          "[submission][layout]") {
  Roster roster;
  roster.entries.resize(3);
  roster.entries[0].student = "s1";
  roster.entries[0].sis_login = "jdoe";
  roster.entries[0].name = "Jane Doe";
  roster.entries[1].student = "s2";
  roster.entries[1].sis_login = "jroe";
  roster.entries[2].student = "s3";
  roster.entries[2].sis_login = "test";
  for (const auto& [name, person, file] :
       {std::tuple{"jdoe_vecadd.cu", "s1", "vecadd.cu"},
        std::tuple{"vecadd-JROE.cu", "s2", "vecadd.cu"},
        std::tuple{"Jane_Doe_vec_add.hip.cpp", "s1", "vec_add.hip.cpp"},
        std::tuple{"vec add jane doe.cu", "s1", "vec add.cu"},
        std::tuple{"jdoe.cu", "s1", "jdoe.cu"},
        std::tuple{"jdoe_vecadd_jdoe.cu", "s1", "vecadd_jdoe.cu"}}) {
    INFO(name);
    const auto found = person_file_in(roster, name);
    REQUIRE(found);
    CHECK(found->person == person);
    CHECK(found->file == file);
  }
  for (const char* other : {"vecadd.cu", "jdoe_jroe.cu", "mytest_vecadd.cu"}) {
    INFO(other);
    CHECK_FALSE(person_file_in(roster, other));
  }
  const ScratchFolder scratch;
  for (const char* name : {"jdoe_vecadd.cu", "vecadd_jroe.cu", "vecadd.cu"}) {
    write_file_atomically(scratch.path() / name, name);
  }
  const ClassListing listing = list_class(scratch.path(), &roster);
  REQUIRE(listing.students.size() == 2);
  CHECK(SourceTree::read(*listing.students[1].tree.find("vecadd.cu")) == "vecadd_jroe.cu");
  CHECK(listing.unclear.size() == 1);
  CHECK(listing.notes[0] == "jdoe_vecadd.cu is taken for s1, whose name is in its own");
}

}  // namespace
}  // namespace warpgrade
