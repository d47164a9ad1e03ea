#include "grader/submit/submission/guess.h"

#include <catch2/catch_test_macros.hpp>
#include <chrono>

#include "grader/core/files.h"
#include "grader/submit/submission/gradescope.h"
#include "grader/submit/submission/layout.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr const char* kDefinition = "void vecadd(const float* a, int n) {\n}\n";
constexpr const char* kDeclaration = "void vecadd(const float* a, int n);\nint f() { return 0; }\n";

Lab lab_of(const std::string& id) {
  Lab lab;
  lab.id = id;
  lab.function = id;
  lab.function = id;
  lab.header = "labs/" + id + "/" + id + ".h";
  return lab;
}

/// One student's folder, and the files taken from it.
class Work {
 public:
  void put(const std::string& name, std::string_view content = "code\n") const {
    write_file_atomically(scratch_.path() / "ada" / name, content);
  }
  /// The files that are graded for vecadd, "" if none.
  std::string taken(bool one_asked = true) {
    listing_ = list_class(scratch_.path());
    const Lab lab = lab_of("vecadd");
    guess_files(listing_, {.labs = {&lab},
                           .ids = {"vecadd", "gemm"},
                           .assigned = {"vecadd"},
                           .one_asked = one_asked});
    const LabFiles files = files_of(listing_.students.at(0), lab);
    return files.names.empty() ? "" : files.base + files.names.front();
  }
  /// Makes a file an hour older.
  void age(const std::string& name) const {
    const fs::path file = scratch_.path() / "ada" / name;
    fs::last_write_time(file, fs::last_write_time(file) - std::chrono::hours(1));
  }
  [[nodiscard]] std::size_t asked() const { return listing_.unclear.size(); }
  [[nodiscard]] const ClassListing& listing() const { return listing_; }

 private:
  ScratchFolder scratch_;
  ClassListing listing_;
};

TEST_CASE("copy suffixes and case do not count in a name", "[submission][guess]") {
  for (const char* name :
       {"vecadd.cu", "Vecadd.cu", "VecAdd (1).cu", "vecadd(2).cu", "vecadd-1.cu", "vecadd_2.cu",
        "vecadd - Copy.cu", "vecadd copy 2.cu", "vecadd-1 (3).cu", "vecadd - Kopie (2).cu",
        "Copy of vecadd.cu", "Kopie von Vecadd (1).cu"}) {
    INFO(name);
    CHECK(plain_stem(name) == "vecadd");
  }
  for (const char* name :
       {"vecadd2.cu", "vecadd_old.cu", "my vecadd.cu", "vec add.cu", "-1.cu", "vecadd-1234.cu"}) {
    INFO(name);
    CHECK(plain_stem(name) != "vecadd");
  }
}

TEST_CASE("if all work is for one lab, the only .cu file is taken, whatever its name, with a note",
          "[submission][guess]") {
  for (const char* name : {"main.cu", "lab1.cu", "vecadd (1).cu", "Vecadd.cu", "a/b/c/kernel.cu"}) {
    Work work;
    work.put(name);
    work.put("notes.txt");
    INFO(name);
    CHECK(work.taken() == name);
    CHECK(work.listing().guesses.size() == 1);
    CHECK(work.asked() == 0);
  }
}

TEST_CASE("of two candidates none is taken, and the listing asks", "[submission][guess]") {
  Work work;
  work.put("main.cu");
  work.put("other.cu");
  CHECK(work.taken().empty());
  REQUIRE(work.asked() == 1);
  CHECK(work.listing().unclear[0].what ==
        "ada: which file is for vecadd? There are main.cu and "
        "other.cu");
  CHECK(work.listing().unclear[0].say ==
        "name it vecadd.cu, or put all files that belong to it into "
        "vecadd/");
}

TEST_CASE("the only file that defines the function is taken; a declaration does not count",
          "[submission][guess]") {
  Work work;
  work.put("main.cu", kDefinition);
  work.put("other.cu", kDeclaration);
  CHECK(work.taken() == "main.cu");
  CHECK(work.taken(false) == "main.cu");
  work.put("other.cu", std::string("// void vecadd(int n) {}\n") + kDeclaration);
  CHECK(work.taken() == "main.cu");
  work.put("other.cu", kDefinition);
  CHECK(work.taken().empty());
  CHECK(work.asked() == 1);
}

TEST_CASE("with several labs, a file with unknown name and content belongs to none",
          "[submission][guess]") {
  Work work;
  work.put("main.cu");
  CHECK(work.taken(false).empty());
  CHECK(work.taken(true) == "main.cu");
}

TEST_CASE("of a notebook's cells that define the function the last is taken",
          "[submission][guess]") {
  for (const std::string name : {"lab", "vecadd"}) {
    Work work;
    work.put(name + "-cell2.cu", kDefinition);
    work.put(name + "-cell10.cu", std::string(kDefinition) + "// better\n");
    work.put(name + "-cell11.cu", "int main() {}\n");
    INFO(name);
    CHECK(work.taken(false) == name + "-cell10.cu");
    CHECK(work.asked() == 0);
    work.put("other-cell3.cu", kDefinition);  // of another notebook
    if (name == "lab") CHECK(work.taken(false).empty());
  }
}

TEST_CASE("a program in UTF-16 is found by what it contains", "[submission][guess]") {
  std::string wide = "\xFF\xFE";
  for (const char letter : std::string(kDefinition)) wide += {letter, '\0'};
  Work work;
  work.put("main.cu", wide);
  work.put("other.cu");
  CHECK(work.taken(false) == "main.cu");
}

TEST_CASE("a file is taken for what it contains only for a lab that is assigned",
          "[submission][guess]") {
  ScratchFolder scratch;
  write_file_atomically(scratch.path() / "ada" / "main.cu", kDefinition);
  write_file_atomically(scratch.path() / "bob" / "Vecadd (1).cu", "code\n");
  const Lab lab = lab_of("vecadd");
  ClassListing listing = list_class(scratch.path());
  guess_files(listing, {.labs = {&lab}, .ids = {"vecadd"}, .assigned = {}, .one_asked = false});
  CHECK(files_of(listing.students.at(0), lab).names.empty());
  CHECK(left_out(listing.students.at(0), {&lab}) == std::vector<std::string>{"main.cu"});
  // A name is enough.
  CHECK(files_of(listing.students.at(1), lab).names.size() == 1);
  CHECK(left_out(listing.students.at(1), {&lab}).empty());
  guess_files(listing,
              {.labs = {&lab}, .ids = {"vecadd"}, .assigned = {"vecadd"}, .one_asked = false});
  CHECK(files_of(listing.students.at(0), lab).names.size() == 1);
}

TEST_CASE("programs in build folders are neither taken nor left out", "[submission][guess]") {
  for (const char* folder :
       {"x/build/CMakeFiles", "x/cmake-build-debug", "x/__MACOSX", "x/Build", "x/.git/objects"}) {
    INFO(folder);
    Work work;
    work.put(std::string(folder) + "/vecadd.cu", kDefinition);
    work.put(std::string(folder) + "/CompilerId.cu", kDefinition);
    CHECK(work.taken().empty());
    const Lab lab = lab_of("vecadd");
    CHECK_FALSE(is_submitted_by_name(work.listing().students.at(0), lab));
    CHECK(left_out(work.listing().students.at(0), {&lab}).empty());
  }
  Work near_miss;
  near_miss.put("builders/vecadd.cu", kDefinition);
  CHECK(near_miss.taken() == "builders/vecadd.cu");
}

TEST_CASE("another lab's file is never taken", "[submission][guess]") {
  Work work;
  work.put("gemm.cu", kDefinition);
  CHECK(work.taken().empty());
  work.put("gemm/main.cu", kDefinition);
  CHECK(work.taken().empty());
  work.put("Gemm (1).cu", kDefinition);
  CHECK(work.taken().empty());
}

TEST_CASE("the last of numbered copies is taken, and copies in two places are asked about",
          "[submission][guess]") {
  Work work;
  work.put("vecadd (1).cu", "first\n");
  work.put("vecadd (2).cu", "second\n");
  CHECK(work.taken() == "vecadd (2).cu");
  Work places;
  places.put("old/vecadd.cu", "first\n");
  places.put("new/vecadd.cu", "second\n");
  places.put("readme.txt");
  CHECK(places.taken().empty());
  CHECK(places.asked() == 1);
}

TEST_CASE("a file in its place is graded, and a differing copy beside it is reported",
          "[submission][guess]") {
  Work work;
  work.put("vecadd.cu", "first\n");
  work.put("vecadd-2.cu", "first\n");
  CHECK(work.taken() == "vecadd.cu");
  CHECK(work.asked() == 0);
  work.put("vecadd-2.cu", "second\n");
  CHECK(work.taken() == "vecadd.cu");
  REQUIRE(work.asked() == 1);
  CHECK(work.listing().unclear[0].what == "ada: vecadd.cu is graded for vecadd, not vecadd-2.cu");
}

TEST_CASE("a name in an unknown encoding is asked about and not taken", "[submission][guess]") {
  Work work;
  work.put("l\xF6sung.cu", kDefinition);
  CHECK(work.taken().empty());
  CHECK(work.asked() == 1);
}

constexpr const char* kMetadata = R"(---
submission_101:
  :submitters:
  - :name: "Jane \"J\" Doe"
    :sid: '0042'
    :email: j@x.org
  :created_at: &1 2026-11-12 21:18:14.402446000 Z
  :score: 5.0
  :results:
    output: |-
      submission_999:
        :submitters:
  :history:
  - :id: 100
    :created_at: 2026-11-01 00:00:00.000000000 Z
submission_102:
  :submitters:
  - :name: Jim Roe
    :email: r@x.org
  - :name: O'Neil, Ann
    :email: a@x.org
  :created_at: 2026-11-13 10:00:00 +0100
)";

TEST_CASE("Gradescope's metadata is read for students and times only", "[submission][gradescope]") {
  std::string problem;
  const auto entries = parse_gradescope_metadata(kMetadata, problem);
  CHECK(problem.empty());
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].folder == "submission_101");
  REQUIRE(entries[0].submitters.size() == 1);
  CHECK(entries[0].submitters[0].name == "Jane \"J\" Doe");
  CHECK(entries[0].submitters[0].sid == "0042");
  REQUIRE(entries[0].created.has_value());
  CHECK(instant_text(*entries[0].created) == "2026-11-12T21:18:14Z");
  REQUIRE(entries[1].submitters.size() == 2);
  CHECK(entries[1].submitters[1].name == "O'Neil, Ann");
  CHECK(entries[1].submitters[1].sid.empty());
}

TEST_CASE("invalid metadata is a problem with its line", "[submission][gradescope]") {
  std::string problem;
  CHECK(parse_gradescope_metadata("", problem).empty());
  CHECK(problem == "it names no submission");
  CHECK(parse_gradescope_metadata("---\n{\"a\": 1}\n", problem).empty());
  CHECK(problem.starts_with("line 2 is not the name of a submission"));
  static_cast<void>(parse_gradescope_metadata("\xff\xfe\n- - -\n:::\n  :a\n", problem));
}

TEST_CASE("Gradescope's export is recognised, and a group's work counts for each member",
          "[submission][gradescope][layout]") {
  const ScratchFolder scratch;
  const fs::path in = scratch.path() / "assignment_7_export";  // as unpacked
  write_file_atomically(in / "submission_metadata.yml", kMetadata);
  write_file_atomically(in / "submission_101/main.cu", "jane\n");
  write_file_atomically(in / "submission_102/vecadd.cu", "both\n");
  write_file_atomically(in / "submission_103/vecadd.cu", "whose?\n");
  ListRequest request;
  request.folder = scratch.path();
  const Listing listing = list_submissions(request);
  CHECK(listing.layout == Layout::gradescope);
  CHECK(listing.detected.find("read as a Gradescope export") != std::string::npos);
  REQUIRE(listing.content.students.size() == 3);
  CHECK(listing.content.students[0].student == "Jane \"J\" Doe");
  CHECK(listing.content.students[1].student == "Jim Roe");
  CHECK(listing.content.students[2].student == "O'Neil, Ann");
  CHECK(listing.content.students[2].tree.find("vecadd.cu").has_value());
  CHECK(instant_text(*listing.content.students[1].platform_time) == "2026-11-13T09:00:00Z");
  REQUIRE(listing.content.unclear.size() == 1);
  CHECK(listing.content.unclear[0].what ==
        "submission_103: submission_metadata.yml does not name it");
}

TEST_CASE("programs in folders that development environments write to count last",
          "[submission][guess]") {
  for (const char* folder : {"x64/Debug", "bin", "Release", "venv/lib"}) {
    Work work;
    const std::string copy = std::string("p/") + folder + "/copy.cu";
    work.put(copy, kDefinition);
    CHECK(work.taken() == copy);
    work.put("p/main.cu", kDefinition);
    CHECK(work.taken() == "p/main.cu");
  }
}

TEST_CASE("a header that defines the lab's function is taken if no program does",
          "[submission][guess]") {
  Work work;
  work.put("vecadd.cuh", kDefinition);
  CHECK(work.taken() == "vecadd.cuh");
  work.put("main.cu", "#include \"vecadd.cuh\"\nint main() {}\n");
  CHECK(work.taken(false) == "vecadd.cuh");
  work.put("own.cu", kDefinition);
  CHECK(work.taken() == "own.cu");
}

TEST_CASE("of numbered copies and versions that define the function, the newest counts",
          "[submission][guess]") {
  Work work;
  work.put("vecadd (1).cu", kDeclaration);
  work.put("vecadd-final.cu", kDefinition);
  CHECK(work.taken() == "vecadd-final.cu");
  work.put("vecadd (2).cu", std::string("// new\n") + kDefinition);
  work.age("vecadd-final.cu");
  CHECK(work.taken() == "vecadd (2).cu");
}

}  // namespace
}  // namespace warpgrade
