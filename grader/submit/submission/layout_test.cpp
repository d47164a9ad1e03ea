#include "grader/submit/submission/layout.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
namespace {

Lab vecadd_lab() {
  Lab lab;
  lab.id = "vecadd";
  lab.submit = {"vecadd.cu"};
  lab.function = "vecadd";
  lab.header = "labs/vecadd/vecadd.h";
  return lab;
}

std::string source_of(const StudentEntry& entry) {
  const Submission submission = pick_submission(entry, vecadd_lab());
  return submission.problem.empty() ? submission.files.at(0).text : submission.problem;
}

class Download {
 public:
  void put(const std::string& name, std::string_view content = "code") const {
    write_file_atomically(path() / name, content);
  }
  [[nodiscard]] const fs::path& path() const { return scratch_.path(); }
  [[nodiscard]] Listing list(Layout layout = Layout::automatic) const {
    ListRequest request;
    request.folder = path();
    request.layout = layout;
    return list_submissions(request);
  }

 private:
  ScratchFolder scratch_;
};

TEST_CASE("Canvas's names are parsed", "[submission][layout]") {
  const auto late = parse_canvas_name("doejane_LATE_12345_67890_vecadd.cu");
  REQUIRE(late);
  CHECK(late->person == "doejane");
  CHECK(late->late);
  CHECK(late->user_id == "12345");
  CHECK(late->file == "vecadd.cu");
  CHECK(late->revision == 0);
  const auto again = parse_canvas_name("o'neil-li_12345_67890_vec_add-12.tar.gz");
  REQUIRE(again);
  CHECK_FALSE(again->late);
  CHECK(again->file == "vec_add.tar.gz");
  CHECK(again->raw == "vec_add-12.tar.gz");
  CHECK(again->revision == 12);
  const auto hidden = parse_canvas_name("LATE_anon_aB1cD_67890_vecadd.cu");
  REQUIRE(hidden);
  CHECK(hidden->person == "anon_aB1cD");
  CHECK(hidden->user_id == "anon_aB1cD");
  CHECK(hidden->late);
  CHECK(hidden->file == "vecadd.cu");
  CHECK_FALSE(parse_canvas_name("anon_aB1cD_67890_vecadd.cu")->late);
}

TEST_CASE("names that only look like Canvas's are not", "[submission][layout]") {
  const auto* name = GENERATE("vecadd.cu", "doe_vecadd.cu", "doe_12345_vecadd.cu",
                              "_12345_67890_vecadd.cu", "doe_12345_67890_", "doe_LATE_12_x.cu");
  CHECK_FALSE(parse_canvas_name(name));
}

TEST_CASE("Moodle's names are parsed, whatever a person's name", "[submission][layout]") {
  const auto folder = parse_moodle_name("Jane van_der Doe_12345_assignsubmission_file_");
  REQUIRE(folder);
  CHECK(folder->person == "Jane van_der Doe");
  CHECK(folder->participant == "12345");
  CHECK(folder->file.empty());
  CHECK(parse_moodle_name("Jane Doe_12345_assignsubmission_file"));
  CHECK(parse_moodle_name("Jane Doe_12345_assignsubmission_file_my_vecadd.cu")->file ==
        "my_vecadd.cu");
  CHECK(parse_moodle_name("Jane Doe_1_assignsubmission_onlinetext_onlinetext.html")->plugin ==
        "onlinetext");
  CHECK_FALSE(parse_moodle_name("Jane Doe_assignsubmission_file_"));
  CHECK_FALSE(parse_moodle_name("Jane Doe_12345_file_vecadd.cu"));
}

TEST_CASE("a Canvas download is recognised and reported", "[submission][layout]") {
  const Download d;
  d.put("doejane_LATE_11_901_vecadd.cu", "jane");
  d.put("doejane_LATE_11_902_util.cuh", "header");
  d.put("roejim_12_903_vecadd.cu", "jim");
  d.put("notes.txt");
  const Listing listing = d.list();
  CHECK(listing.layout == Layout::canvas);
  CHECK_THAT(listing.detected, ContainsSubstring("3 of 4 names in") &&
                                   ContainsSubstring("read as a Canvas download (use --layout"));
  REQUIRE(listing.content.students.size() == 2);
  const StudentEntry& jane = listing.content.students[0];
  CHECK(jane.student == "doejane");
  CHECK(jane.platform_id == "11");
  CHECK(jane.marked_late == true);
  CHECK(source_of(jane) == "jane");
  CHECK(jane.tree.find("util.cuh"));
  CHECK(listing.content.students[1].marked_late == false);
  CHECK(listing.content.notes ==
        std::vector<std::string>{"notes.txt ignored: its name does not follow Canvas's pattern"});
}

TEST_CASE("what is entered in Canvas in place of a file is named as such", "[submission][layout]") {
  const Download d;
  d.put("doejane_LATE_11_text.html");
  d.put("anon_aB1cD_link.html");
  d.put("roejim_12_903_vecadd.cu", "jim");
  const Listing listing = d.list();
  CHECK(listing.layout == Layout::canvas);
  CHECK(listing.content.students.size() == 1);
  REQUIRE(listing.content.unclear.size() == 2);
  CHECK(listing.content.unclear[1].what ==
        "doejane_LATE_11_text.html: text or a link entered in Canvas");
}

TEST_CASE("Canvas's -1 and -2 are attempts, each with the files of its time",
          "[submission][layout]") {
  const Download d;
  d.put("doe_1_5_vecadd.cu", "first");
  d.put("doe_1_6_vecadd-1.cu", "second");
  d.put("doe_1_7_vecadd-2.cu", "third");
  d.put("doe_1_8_util.cuh", "header");
  const StudentEntry doe = d.list().content.students.at(0);
  CHECK(doe.attempt == 3);
  CHECK(source_of(doe) == "third");
  REQUIRE(doe.earlier.size() == 2);
  CHECK(source_of(doe.earlier[0]) == "first");
  CHECK(source_of(doe.earlier[1]) == "second");
  CHECK(doe.earlier[1].attempt == 2);
  CHECK(doe.earlier[0].tree.find("util.cuh"));
}

TEST_CASE("namesakes are distinguished by their number", "[submission][layout]") {
  const Download d;
  d.put("lijo_1_5_vecadd.cu", "one");
  d.put("lijo_2_6_vecadd.cu", "two");
  const Listing listing = d.list();
  REQUIRE(listing.content.students.size() == 2);
  CHECK(listing.content.students[0].student == "lijo_1");
  CHECK(source_of(listing.content.students[1]) == "two");
}

TEST_CASE("a Moodle download is recognised with folders, single files and archives",
          "[submission][layout]") {
  const Download d;
  d.put("Jane Doe_11_assignsubmission_file_/vecadd.cu", "jane");
  d.put("Jim Roe_12_assignsubmission_file_vecadd.cu", "jim");
  d.put("Ann Poe_13_assignsubmission_file_/work.zip", "no archive");
  d.put("Jim Roe_12_assignsubmission_onlinetext_onlinetext.html", "hello");
  const Listing listing = d.list();
  CHECK(listing.layout == Layout::moodle);
  REQUIRE(listing.content.students.size() == 3);
  CHECK(listing.content.students[0].student == "Ann Poe");
  CHECK_THAT(source_of(listing.content.students[0]), ContainsSubstring("work.zip"));
  CHECK(source_of(listing.content.students[1]) == "jane");
  CHECK(source_of(listing.content.students[2]) == "jim");
  CHECK_THAT(listing.content.notes.at(0), ContainsSubstring("online text from Moodle"));
}

TEST_CASE("a person whose name cannot be a folder is identified by number",
          "[submission][layout]") {
  const Download d;
  d.put(".._7_assignsubmission_file_vecadd.cu", "x");
  // A hidden name is ignored, as everywhere; so is one with a path out of the results.
  CHECK_THROWS_AS(d.list(Layout::moodle), UsageError);
  d.put("a\tb_8_assignsubmission_file_vecadd.cu", "x");
  CHECK(d.list(Layout::moodle).content.students.at(0).student == "student_8");
}

TEST_CASE("a class of folders stays one, even with a name or two like Canvas's",
          "[submission][layout]") {
  const Download d;
  d.put("s01/vecadd.cu", "one");
  d.put("s02/vecadd.cu", "two");
  d.put("s_03_1_x.zip", "no archive");
  const Listing listing = d.list();
  CHECK(listing.layout == Layout::folders);
  CHECK_THAT(listing.detected, ContainsSubstring("1 of 3 names") &&
                                   ContainsSubstring("too few: read as one folder or archive"));
  CHECK(listing.content.students.size() == 3);
  CHECK_THROWS_MATCHES(d.list(Layout::moodle), UsageError,
                       MessageMatches(ContainsSubstring("contains no file named as Moodle does")));
  CHECK(d.list(Layout::folders).detected.empty());
}

TEST_CASE("a folder can be one student's checkout", "[submission][layout]") {
  const Download d;
  d.put("vecadd.cu", "mine");
  d.put("README.md", "text");
  d.put(".git/config", "private");
  ListRequest request;
  request.folder = d.path();
  request.student = "me";
  const Listing listing = list_submissions(request);
  CHECK(listing.layout == Layout::one);
  REQUIRE(listing.content.students.size() == 1);
  CHECK(listing.content.students[0].student == "me");
  CHECK(source_of(listing.content.students[0]) == "mine");
  request.student = "../me";
  CHECK_THROWS_MATCHES(list_submissions(request), UsageError,
                       MessageMatches(ContainsSubstring("begins with a dot; give a name")));
  request.student = "me";
  request.folder = d.path() / "README.md";
  CHECK_THROWS_MATCHES(list_submissions(request), UsageError,
                       MessageMatches(ContainsSubstring("is neither a folder nor an archive")));
}

}  // namespace
}  // namespace warpgrade
