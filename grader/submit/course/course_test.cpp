#include "grader/submit/course/course.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grader/core/files.h"
#include "grader/core/source_root.h"
#include "harness/lab/lab.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
namespace {

Instant at(std::string_view text) {
  std::string problem;
  return parse_instant(text, problem).value();
}

/// A folder with a course.toml and a roster.
class CourseFolder {
 public:
  Course load(std::string_view toml, std::string_view roster = "student\n") const {
    write_file_atomically(scratch_.path() / "course.toml", toml);
    write_file_atomically(scratch_.path() / "roster.csv", roster);
    return load_course(scratch_.path() / "course.toml", {"vecadd", "gemm", "scan"});
  }
  [[nodiscard]] const std::filesystem::path& path() const { return scratch_.path(); }
  std::string problem(std::string_view toml, std::string_view roster = "student\n") const {
    try {
      static_cast<void>(load(toml, roster));
      return "";
    } catch (const LabError& e) {
      return e.what();
    }
  }

 private:
  ScratchFolder scratch_;
};

constexpr const char* kFull = R"toml(schema = 1
title = "Parallel programming"
roster = "roster.csv"
attempts = "best"

[late]
grace_minutes = 15
per_day = 10
cap = 50

[hidden]
release = 2026-12-01T00:00:00+01:00

[labs.vecadd]
opens = 2026-11-10T00:00:00Z
due = 2026-11-20T00:00:00Z
weight = 2
canvas = "Lab 1 (1234)"

[labs.gemm]
due = "2026-11-30T00:00:00Z"
)toml";

TEST_CASE("a course file is read with dates in either notation", "[course]") {
  const Course course = CourseFolder().load(kFull);
  CHECK(course.title == "Parallel programming");
  CHECK(course.attempts == Attempts::best);
  CHECK(course.late.grace.count() == 15);
  CHECK(course.due("vecadd", "anyone") == at("2026-11-20T00:00:00Z"));
  CHECK(course.due("gemm", "anyone") == at("2026-11-30T00:00:00Z"));
  CHECK_FALSE(course.due("scan", "anyone"));
  CHECK(course.plan("vecadd").weight == 2);
  CHECK(course.plan("gemm").weight == 1);
}

TEST_CASE("extra days and a time factor move only that student's due date", "[course]") {
  const std::string toml = std::string(kFull).substr(0, std::string(kFull).find("[labs.gemm]"));
  const Course course =
      CourseFolder().load(toml, "student,extra_days,time_factor\na,2,\nb,,1.5\nc,1,2\n");
  CHECK(course.due("vecadd", "a") == at("2026-11-22T00:00:00Z"));
  CHECK(course.due("vecadd", "b") == at("2026-11-25T00:00:00Z"));
  CHECK(course.due("vecadd", "c") == at("2026-12-01T00:00:00Z"));
  CHECK(course.due("vecadd", "d") == at("2026-11-20T00:00:00Z"));
}

TEST_CASE("hidden cases are released at a date, with each due date, or never", "[course]") {
  const CourseFolder folder;
  const Course dated = folder.load(kFull);
  CHECK_FALSE(dated.released("vecadd", "a", at("2026-11-30T22:59:59Z")));
  CHECK(dated.released("vecadd", "a", at("2026-11-30T23:00:00Z")));
  const Course due = folder.load(
      "schema = 1\nroster = \"roster.csv\"\n[hidden]\nrelease = \"due\"\n"
      "[labs.vecadd]\ndue = 2026-11-20T00:00:00Z\n",
      "student,extra_days\na,1\n");
  CHECK(due.released("vecadd", "b", at("2026-11-20T00:00:00Z")));
  CHECK_FALSE(due.released("vecadd", "a", at("2026-11-20T00:00:00Z")));
  CHECK_FALSE(due.released("gemm", "b", at("2030-01-01T00:00:00Z")));
  CHECK_FALSE(folder.load("schema = 1\n").released("vecadd", "a", at("2030-01-01T00:00:00Z")));
}

TEST_CASE("a course chooses the language of all labs that have forms in two, and of one",
          "[course]") {
  const CourseFolder f;
  const Lab both = load_lab(std::filesystem::path(kSourceRoot) / "labs" / "vecadd");
  const Lab cuda = load_lab(std::filesystem::path(kSourceRoot) / "labs" / "scan");
  CHECK_FALSE(f.load("schema = 1\n").only_language(both));

  const Course in_cuda = f.load(
      "schema = 1\nlanguages = [\"cuda\"]\n[labs.gemm]\nlanguages = [\"cuda\", \"python\"]\n");
  CHECK(in_cuda.only_language(both) == Language::cuda);
  CHECK_FALSE(
      in_cuda.only_language(load_lab(std::filesystem::path(kSourceRoot) / "labs" / "gemm")));

  const Course in_python = f.load("schema = 1\nlanguages = [\"python\"]\n");
  CHECK(in_python.only_language(both) == Language::python);
  CHECK_FALSE(in_python.only_language(cuda));

  CHECK_THAT(f.problem("schema = 1\nlanguages = [\"hip\"]\n"),
             ContainsSubstring("course.toml:2: there is no language 'hip'; the languages are cuda "
                               "and python"));
  CHECK_THAT(f.problem("schema = 1\n[labs.vecadd]\nlanguages = []\n"),
             ContainsSubstring("course.toml:3: key 'languages' is empty"));
  CHECK_THROWS_WITH(
      f.load("schema = 1\n[labs.scan]\nlanguages = [\"python\"]\n").only_language(cuda),
      ContainsSubstring("[labs.scan] takes Python only, and the lab has no form in Python"));
}

TEST_CASE("a malformed course file is reported with its line, what, and what to do", "[course]") {
  const CourseFolder f;
  CHECK(f.problem("schema = 2\n") ==
        "course.toml:1: this version supports only schema = 1; write schema = 1");
  CHECK_THAT(f.problem("title = \"x\"\n"), ContainsSubstring("key 'schema' is missing"));
  CHECK_THAT(f.problem("schema = 1\ntitl = \"x\"\n"),
             ContainsSubstring("course.toml:2: unknown key 'titl'") &&
                 ContainsSubstring("did you mean 'title'?"));
  CHECK_THAT(f.problem("schema = 1\n[labs.vecad]\n"),
             ContainsSubstring("course.toml:2: there is no lab 'vecad'; did you mean 'vecadd'?"));
  CHECK_THAT(f.problem("schema = 1\n[labs.vecadd]\ndue = 2026-11-20T23:59:00\n"),
             ContainsSubstring("course.toml:3: key 'due': '2026-11-20T23:59:00' has no time zone; "
                               "write it as"));
  CHECK_THAT(f.problem("schema = 1\n[labs.vecadd]\ndue = 2026-11-20\n"),
             ContainsSubstring("has no time of day"));
  CHECK_THAT(f.problem("schema = 1\n[labs.vecadd]\ndue = 7\n"),
             ContainsSubstring("course.toml:3: key 'due' in [labs.vecadd] must be a date"));
  CHECK_THAT(f.problem("schema = 1\n[late]\nper_day = 110\n"),
             ContainsSubstring("course.toml:3: key 'per_day' is 110; it must be from 0 to 100"));
  CHECK_THAT(f.problem("schema = 1\n[late]\nper_day = nan\n"),
             ContainsSubstring("it must be from 0 to 100"));
  CHECK_THAT(f.problem("schema = 1\nattempts = \"first\"\n"),
             ContainsSubstring("it must be one of last, best"));
  CHECK_THAT(f.problem("schema = 1\nroster = \"nobody.csv\"\n"),
             ContainsSubstring("course.toml:2: there is no file 'nobody.csv' beside course.toml"));
  CHECK_THAT(f.problem("schema = 1\n[labs.vecadd]\nopens = 2026-11-21T00:00:00Z\n"
                       "due = 2026-11-20T00:00:00Z\n"),
             ContainsSubstring("course.toml:3: lab 'vecadd' opens at"));
  CHECK_THAT(f.problem("schema = 1\nlabs = 3\n"), ContainsSubstring("course.toml:2"));
  CHECK_THAT(f.problem("schema = \n"), ContainsSubstring("course.toml:1"));
}

TEST_CASE("a decision or a group for a lab that does not exist is an error", "[course]") {
  const CourseFolder f;
  write_file_atomically(f.path() / "decisions" / "a.toml",
                        "schema = 1\n[[decision]]\nkind = \"note\"\nstudent = \"s01\"\nlab = "
                        "\"vecad\"\ntext = \"x\"\nby = \"ann\"\nat = 2026-11-30T10:00:00Z\n");
  CHECK(f.problem("schema = 1\n") ==
        "decisions/a.toml, decision 1: there is no lab 'vecad'; did you mean 'vecadd'?");
  std::filesystem::remove_all(f.path() / "decisions");
  write_file_atomically(f.path() / "g.csv", "group,student,lab\nred,s01,vecad\n");
  CHECK(f.problem("schema = 1\ngroups = \"g.csv\"\n") ==
        "g.csv: group red: there is no lab 'vecad'; did you mean 'vecadd'?");
}

TEST_CASE("the staff has one role each, and no name of the roster", "[course]") {
  const CourseFolder folder;
  const std::string roster = "schema = 1\nroster = \"roster.csv\"\n[staff]\n";
  const Course course =
      folder.load(roster + "ann = \"instructor\"\nbob = \"assistant\"\n", "student\ns01\n");
  CHECK(course.staff == std::map<std::string, StaffRole>{{"ann", StaffRole::instructor},
                                                         {"bob", StaffRole::assistant}});
  CHECK_THAT(folder.problem(roster + "ann = \"boss\"\n"),
             ContainsSubstring("course.toml:4: ") && ContainsSubstring("assistant, instructor"));
  CHECK_THAT(folder.problem(roster + "s01 = \"assistant\"\n", "student\ns01\n"),
             ContainsSubstring("course.toml:4: 's01' is in the roster, too"));
  CHECK_THAT(folder.problem(roster + "\"a/b\" = \"assistant\"\n"),
             ContainsSubstring("course.toml:4: the name 'a/b'"));
  const Course with_accounts = folder.load(
      "schema = 1\n[staff]\nann = { role = \"instructor\", account = \"a@example.org\" }\n");
  CHECK(with_accounts.staff.at("ann") == StaffRole::instructor);
  CHECK(with_accounts.staff_accounts.at("ann") == "a@example.org");
  CHECK_THAT(folder.problem("schema = 1\n[staff.ann]\nrole = \"assistant\"\n"),
             ContainsSubstring("course.toml:2: ") && ContainsSubstring("account"));
  CHECK_THAT(folder.problem("schema = 1\n[staff.ann]\nrole = \"assistant\"\naccount = \"x\"\n"
                            "[staff.bob]\nrole = \"assistant\"\naccount = \"X\"\n"),
             ContainsSubstring("'X' is the account of ann, too"));
}

TEST_CASE("a person can release a lab's hidden cases, and take that back", "[course]") {
  const CourseFolder folder;
  const auto load = [&](const std::string& kind, const char* when) {
    append_decision(
        folder.path() / "decisions" / "a.toml",
        {.kind = from_slug<DecisionKind>(kind).value(),
         .student = "",
         .lab = "vecadd",
         .withdrawn = kind == "withdraw" ? std::optional(DecisionKind::release) : std::nullopt,
         .reason = kind == "withdraw" ? "too early" : "",
         .by = "ann",
         .at = at(when)});
    return folder.load("schema = 1\n[labs.vecadd]\n[labs.gemm]\n");
  };
  const Course course = load("release", "2026-11-20T00:00:00Z");
  CHECK_FALSE(course.released("vecadd", "a", at("2026-11-19T23:59:59Z")));
  CHECK(course.released("vecadd", "a", at("2026-11-20T00:00:00Z")));
  CHECK_FALSE(course.released("gemm", "a", at("2026-11-21T00:00:00Z")));
  CHECK_FALSE(
      load("withdraw", "2026-11-20T00:00:01Z").released("vecadd", "a", at("2026-11-21T00:00:00Z")));
}

TEST_CASE("a time factor without an opening date is rejected, not ignored", "[course]") {
  const std::string why = CourseFolder().problem(
      "schema = 1\nroster = \"roster.csv\"\n[labs.vecadd]\ndue = 2026-11-20T00:00:00Z\n",
      "student,time_factor\na,1.5\n");
  CHECK_THAT(why, ContainsSubstring("lab 'vecadd' has no key 'opens', and a has a time_factor"));
}

TEST_CASE("a roster is read with its columns in any order, and finds a student by each id",
          "[roster]") {
  const Roster roster = parse_roster(
      "name,student,canvas_id,aliases,email\n\"Doe, Jane\",s01,42,jane; jdoe "
      ",j@x.org\nRoe,s02,,,\n",
      "roster.csv");
  REQUIRE(roster.entries.size() == 2);
  for (const char* key : {"s01", "jane", "jdoe", "42", "j@x.org"}) {
    REQUIRE(roster.find(key) != nullptr);
    CHECK(roster.find(key)->student == "s01");
  }
  CHECK(roster.find("s1") == nullptr);
  CHECK(roster.find("") == nullptr);
  CHECK(roster.find_names("doe,  JANE").at(0)->student == "s01");
  CHECK(roster.entries[1].shown_name() == "Roe");
}

TEST_CASE("a roster is read with semicolons or tabs, and in the encodings that spreadsheets write",
          "[roster]") {
  const auto name_of_first = [](std::string_view text) {
    return parse_roster(text, "r.csv").entries.at(0).name;
  };
  CHECK(name_of_first("student;name\ns01;Doe, Jane\n") == "Doe, Jane");
  CHECK(name_of_first("student\tname\ns01\tDoe, Jane\n") == "Doe, Jane");
  CHECK(name_of_first("student;name\ns01;J\xFCrgen\n") == "J\xC3\xBCrgen");
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("student,name\ns01,Doe\n")) wide += {c, '\0'};
  CHECK(name_of_first(wide) == "Doe");
}

TEST_CASE("a folder's name matches the roster however its letters are composed", "[roster]") {
  const Roster roster =
      parse_roster("student,name\nJ\xC3\xBCrgen,\"M\xC3\xBCller, J\xC3\xBCrgen\"\n", "r.csv");
  REQUIRE(roster.find("Ju\xCC\x88rgen") != nullptr);
  CHECK(roster.find_names("JU\xCC\x88RGEN MU\xCC\x88LLER").size() == 1);
  CHECK(roster.find("Jurgen") == nullptr);
}

TEST_CASE("a student is found by a part of a platform's folder name", "[roster]") {
  const Roster roster = parse_roster(
      "student,name,sis_login\ns01,\"Doe, Jane\",jdoe\ns02,\"Roe, Jim\",jroe\ns03,,li\n"
      "s04,\"de la Cruz, Ana Mar\u00eda\",\ns05,,x_jdoe\n",
      "r.csv");
  const auto who = [&](std::string_view folder) {
    const auto found = roster.find_parts(folder);
    return found.size() == 1 ? found.front()->student : std::to_string(found.size());
  };
  CHECK(who("Doe_Jane_jdoe_12345") == "s01");
  CHECK(who("12345_jroe") == "s02");
  CHECK(who("Jim Roe - lab 1") == "s02");
  CHECK(who("jdoe_jroe") == "2");
  CHECK(who("Doe, Jane(jdoe)") == "s01");
  CHECK(who("17-8 - Ana Mar\u00eda de la Cruz - Nov 12, 2026 918 PM") == "s04");
  CHECK(who("lab1-jim-roe") == "s02");
  CHECK(who("lab1_x_jdoe") == "s05");  // not the one whose login is a part of it
  // Parts of two letters are too short to tell, and parts of words are none.
  CHECK(who("li_123") == "0");
  CHECK(who("jdoes") == "0");
}

TEST_CASE("a login is found in any case, unless two differ in case only", "[roster]") {
  const Roster roster = parse_roster(
      "student,sis_login,email\ns1,jdoe,j.doe@x.org\ns2,ab1,a@x.org\ns3,AB1,b@x.org\n", "r.csv");
  REQUIRE(roster.find("JDoe") != nullptr);
  CHECK(roster.find("JDoe")->student == "s1");
  CHECK(roster.find("J.Doe@X.org")->student == "s1");
  CHECK(roster.find("AB1")->student == "s3");
  CHECK(roster.find("aB1") == nullptr);
  REQUIRE(roster.find_parts("lab1-JDoe").size() == 1);
  CHECK(roster.find_parts("lab1-JDoe").front()->student == "s1");
  CHECK(roster.find_parts("lab1-ab1").size() == 1);
  CHECK(roster.find_parts("lab1-Ab1").size() == 2);
}

TEST_CASE("two students with one name are not confused", "[roster]") {
  const Roster roster = parse_roster("student,name\na,Jo Li\nb,Jo Li\n", "r.csv");
  CHECK(roster.find_names("Jo Li").size() == 2);
}

TEST_CASE("a name is recognized in either order, in Canvas's form, and in other scripts as written",
          "[roster]") {
  const Roster roster = parse_roster(
      "student,name\na,\"Doe, Jane Ann\"\nb,Jos\xC3\xA9 Roe\nc,\xE6\x9D\x8E \xE9\x9B\xB7\nd,Lee\n",
      "r.csv");
  const auto who = [&](std::string_view name) {
    const auto found = roster.find_names(name);
    return found.size() == 1 ? found.front()->student : std::string();
  };
  for (const char* name : {"Doe, Jane Ann", "Jane Ann Doe", "jane ann  DOE", "Doe Jane Ann",
                           "Doe_Jane_Ann", "doejaneann", "janeanndoe"}) {
    INFO(name);
    CHECK(who(name) == "a");
  }
  CHECK(who("Jos\xC3\xA9 Roe") == "b");
  CHECK(who("\xE9\x9B\xB7 \xE6\x9D\x8E") == "c");
  CHECK(who("lee") == "d");
  // Similar names must not be guessed.
  for (const char* name : {"Jane Doe", "Ann Jane Doe", "Jose Roe", "JoseRoe", "Li Lei", "", ","}) {
    INFO(name);
    CHECK(who(name).empty());
  }
}

TEST_CASE("a lab's plan overrides the course's pass mark, and both override lab.toml's",
          "[course]") {
  const Course course = CourseFolder().load(
      "schema = 1\npass = 50\n[labs.vecadd]\npass = 80\n[labs.gemm]\nweight = 2\n");
  CHECK(course.pass_mark("vecadd", 70) == 80);
  CHECK(course.pass_mark("gemm", {}) == 50);
  CHECK(course.pass_mark("scan", 70) == 50);
  const Course without = CourseFolder().load("schema = 1\n");
  CHECK(without.pass_mark("vecadd", 70) == 70);
  CHECK_FALSE(without.pass_mark("vecadd", {}).has_value());
  CHECK_THAT(CourseFolder().problem("schema = 1\npass = 120\n"),
             ContainsSubstring("key 'pass' is 120; it must be from 0 to 100"));
}

TEST_CASE("a roster is read as a program of tables writes it", "[roster]") {
  const Roster roster = parse_roster(
      "sep=;\r\nStudent;Name ;;\r\ns01;Doe, Jane;;\r\n;;;\r\ns02;;;\r\n", "roster.csv");
  REQUIRE(roster.entries.size() == 2);
  CHECK(roster.entries[0].name == "Doe, Jane");
  CHECK(roster.entries[1].student == "s02");
  CHECK(parse_roster("sep=|\nstudent|name\ns01|Doe, Jane\n", "r").entries[0].name == "Doe, Jane");
}

TEST_CASE("a malformed roster is reported with its line, what, and what to do", "[roster]") {
  const auto problem = [](std::string_view text) -> std::string {
    try {
      static_cast<void>(parse_roster(text, "roster.csv"));
      return "";
    } catch (const LabError& e) {
      return e.what();
    }
  };
  CHECK_THAT(problem(""), ContainsSubstring("roster.csv:1: the file is empty; its first line"));
  CHECK(problem("name\nx\n") == "roster.csv:1: column 'student' is missing; add it");
  CHECK(problem("student,nmae\n") == "roster.csv:1: unknown column 'nmae'; did you mean 'name'?");
  CHECK(problem("student,name,name\n") == "roster.csv:1: column 'name' occurs twice; remove one");
  CHECK(problem("student,name\na,Doe, Jane\n") ==
        "roster.csv:2: 3 fields for 2 columns; put quotes around a field with commas");
  CHECK(problem("student\na\n\na\n") ==
        "roster.csv:4: 'a' is also in line 2; a name or alias belongs to one student");
  CHECK(problem("student,aliases\na,x\nb,x\n") ==
        "roster.csv:3: 'x' is also in line 2; a name or alias belongs to one student");
  CHECK(problem("student,canvas_id\na,7\nb,7\n") ==
        "roster.csv:3: canvas_id '7' is also in line 2; correct one of them");
  CHECK(problem("student,name\n,Doe\n") == "roster.csv:2: column 'student' is empty; fill it in");
  CHECK_THAT(problem("student\n../x\n"), ContainsSubstring("student '../x' begins with a dot"));
  CHECK_THAT(problem("student\na/b\n"), ContainsSubstring("contains a slash"));
  CHECK(problem("student,extra_days\na,soon\n") ==
        "roster.csv:2: extra_days is 'soon'; it must be a number from 0 to 10000");
  CHECK_THAT(problem("student,time_factor\na,0.5\n"), ContainsSubstring("a number from 1 to"));
  CHECK_THAT(problem("student,extra_days\na,nan\n"), ContainsSubstring("it must be a number"));
  CHECK(problem("student\n\"a\n") == "roster.csv:2: unterminated quote; correct the CSV");
}

/// The first code block in this language.
std::string example(const std::string& page, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = page.find(fence) + fence.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST_CASE("the example in docs/course.md is a course", "[course]") {
  const std::string page = read_file(std::string(kSourceRoot) + "/docs/course.md");
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "course.toml", example(page, "toml"));
  write_file_atomically(folder.path() / "roster.csv", example(page, "csv"));
  write_file_atomically(folder.path() / "submitted.csv", "student,submitted\n");
  const auto load = [&] { return load_course(folder.path() / "course.toml", {"vecadd", "gemm"}); };
  std::string problem;
  try {
    static_cast<void>(load());
  } catch (const LabError& e) {
    problem = e.what();
  }
  CHECK(problem.empty());
  CHECK(load().roster.entries.size() == 3);
  CHECK(load().due("vecadd", "s02") == at("2026-11-15T22:59:00Z"));
}

}  // namespace
}  // namespace warpgrade
