// A term of three labs, graded lab by lab into one folder, with everything that a person may decide
// at once: what one rule does must not be undone by another, by a later lab or by a regrade.

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::reference_program;
using testing::right_source;
using testing::shell;
namespace {

constexpr const char* kCourse = R"toml(schema = 1
title = "Parallel programming"
roster = "roster.csv"
submitted = "submitted.csv"
groups = "groups.csv"
attempt_limit = 2

[late]
per_day = 10
free_days = 2
zone = "+00:00"

[total]
drop_lowest = 1

[labs.vecadd]
due = 2026-11-01T00:00:00Z
weight = 1
[[labs.vecadd.hand]]
item = "report"
title = "Report"
points = 10

[labs.histogram]
due = 2026-11-08T00:00:00Z
weight = 2

[labs.scan]
due = 2026-11-15T00:00:00Z
weight = 2
)toml";

constexpr const char* kRoster =
    "student,name,canvas_id\n"
    "s01,\"Doe, Jane\",11\ns02,\"Roe, Jim\",12\ns03,\"Poe, Ann\",13\ns04,\"Loe, Tom\",14\n";

/// A decision's entry in a file.
std::string decision(const std::string& kind, const std::string& student, const std::string& lab,
                     const std::string& by, const std::string& more) {
  return "\n[[decision]]\nkind = \"" + kind + "\"\nstudent = \"" + student + "\"\nlab = \"" + lab +
         "\"\nby = \"" + by + "\"\nat = 2026-11-20T10:00:00Z\n" + more;
}

/// A course in a folder of its own, with a folder of submissions per week, and labs that can be
/// changed.
class Term {
 public:
  Term() {
    need_sandbox();
    for (const std::string lab : {"vecadd", "histogram", "scan"}) {
      for (const std::string& name : {"labs/" + lab, "reference/" + lab}) {
        fs::create_directories((path() / "root" / name).parent_path());
        fs::copy(testing::source_folder() / name, path() / "root" / name,
                 fs::copy_options::recursive);
      }
    }
    fs::create_directory_symlink(testing::source_folder() / "datasets", path() / "root/datasets");
    fs::create_directory_symlink(testing::source_folder() / "docs", path() / "root/docs");
    put("course/course.toml", kCourse);
    put("course/roster.csv", kRoster);
    put("course/groups.csv", "group,student,lab\nred,s01,histogram\nred,s02,histogram\n");
    put("course/submitted.csv",
        "student,lab,submitted\ns01,histogram,2026-11-09T12:00:00Z\n"
        "s03,scan,2026-11-15T12:00:00Z\ns04,scan,2026-11-14T12:00:00Z\n");
    // The first lab as Blackboard delivers it: s01's second attempt is a day late, and the third
    // one, which is broken, is one too many.
    const std::string front = "week1/Lab 1_";
    put(front + "s01_attempt_2026-10-30-10-00-00_vecadd.cu", "// nothing\n");
    put(front + "s01_attempt_2026-11-01-10-00-00_vecadd.cu", right_source());
    put(front + "s01_attempt_2026-11-05-10-00-00_vecadd.cu", "// broken again\n");
    put(front + "s02_attempt_2026-10-31-10-00-00_vecadd.cu", right_source());
    put(front + "s04_attempt_2026-10-31-10-00-00_vecadd.cu", "// damaged\n");
    put("week2/s01/histogram.cu", reference_program("histogram", "solution.cu"));
    put("week2/s03/histogram.cu", "// nothing\n");
    put("week3/s03/scan.cu", reference_program("scan", "solution.cu"));
    put("week3/s04/scan.cu", "// nothing\n");
  }
  [[nodiscard]] const fs::path& path() const { return folder_.path(); }
  void put(const std::string& name, const std::string& text) const {
    write_file_atomically(path() / name, text);
  }
  void decide(const std::string& file, const std::string& decisions) const {
    put("course/decisions/" + file, "schema = 1\n" + decisions);
  }
  [[nodiscard]] ProcessResult run(const std::string& command) const {
    const ProcessResult result = shell("export WARPGRADE_ROOT=$PWD/root; " + command, path());
    UNSCOPED_INFO(command << "\n" << result.out << result.err);
    return result;
  }
  [[nodiscard]] ProcessResult grade(int week, const std::string& lab, const std::string& more = "",
                                    const std::string& cache = "cache") const {
    return run("$W grade week" + std::to_string(week) + " --lab " + lab +
               " --course course/course.toml --out out --device emulator --jobs 2 --cache " +
               cache + " " + more);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return read_file(path() / name); }
  /// The points that count, "none" for a grade without a score, by student and lab.
  [[nodiscard]] std::map<std::string, std::string> points() const {
    std::map<std::string, std::string> found;
    const auto table = nlohmann::json::parse(file("out/grades.json"));
    for (const auto& row : table.at("grades")) {
      const auto& adjusted = row.at("adjusted");
      found[row.at("student").get<std::string>() + " " + row.at("lab").get<std::string>()] =
          adjusted.is_null() ? "none" : human_points(adjusted.get<double>());
    }
    return found;
  }

 private:
  ScratchFolder folder_;
};

using Points = std::map<std::string, std::string>;

const std::string kDecisions =
    decision("points", "s01", "vecadd", "ann",
             "item = \"report\"\npoints = 8\nreason = \"Figure 2 has no units\"\n") +
    decision("points", "s02", "vecadd", "ann", "item = \"report\"\npoints = 10\n") +
    decision("comment", "s01", "vecadd", "ann",
             "file = \"vecadd.cu\"\nline = 1\ntext = \"Why so many threads?\"\n") +
    decision("excuse", "s03", "vecadd", "ann", "reason = \"ill\"\n") +
    decision("inquiry", "s04", "vecadd", "Tom Loe", "text = \"Why 0 points?\"\n") +
    decision("answer", "s04", "vecadd", "bob", "text = \"It worked in the lab.\"\n") +
    decision("points", "s04", "vecadd", "bob", "points = 60\nreason = \"Shown in the lab\"\n") +
    decision("extension", "s03", "scan", "ann", "days = 1\nreason = \"ill\"\n");

/// With these decisions. s01 has 100 for the program, one of two free days used; the group's
/// histogram is two days late: one of them is free for s01, and both for s02.
const Points kPoints = {{"s01 vecadd", "108"},   {"s02 vecadd", "110"},    {"s04 vecadd", "60"},
                        {"s01 histogram", "90"}, {"s02 histogram", "100"}, {"s03 histogram", "0"},
                        {"s03 scan", "100"},     {"s04 scan", "0"}};

TEST_CASE("a term of three labs keeps every decision, whichever lab is graded or regraded last",
          "[program][term][any_compiler]") {
  const Term term;
  REQUIRE(term.grade(1, "vecadd").code == 0);
  REQUIRE(term.grade(2, "histogram").code == 0);
  // A page that is written in the second week knows of the late day in the first.
  CHECK(contains(term.file("out/submissions.json"), "2026-11-01T10:00:00Z"));
  REQUIRE(term.grade(3, "scan").code == 0);
  CHECK(term.points().size() == kPoints.size());
  CHECK(term.points().at("s01 vecadd") == "none");  // the report is to be graded
  const std::string page = term.file("out/index.html");
  for (const char* lab : {"s01/vecadd", "s01/histogram", "s03/scan"}) CHECK(contains(page, lab));

  term.decide("term.toml", kDecisions);
  const auto before = term.points();
  for (const char* preview : {"$W report out --dry-run",
                              "$W grade week1 --lab vecadd --course course/course.toml --out out "
                              "--device emulator --cache cache --dry-run"}) {
    const ProcessResult dry = term.run(preview);
    CHECK(dry.code == 0);
    CHECK(contains(dry.out, "set to 60 of 110 instead of 0 by bob: Shown in the lab"));
    CHECK(contains(dry.out, "Report 8 of 10 by ann: Figure 2 has no units"));
    CHECK(term.points() == before);
  }

  const auto check_all = [&] {
    CHECK(term.points() == kPoints);
    const std::string mine = term.file("out/s01/vecadd/feedback.html");
    CHECK(contains(mine, "Points of item report: 8"));
    CHECK(contains(mine, "Why so many threads?"));
    CHECK_FALSE(contains(mine, "It worked in the lab."));
    const std::string other = term.file("out/s04/vecadd/feedback.html");
    CHECK(contains(other, "Why 0 points?"));
    CHECK(contains(other, "It worked in the lab."));
    CHECK(contains(other, "Shown in the lab"));
    const std::string classes = term.file("out/index.html");
    for (const char* points : {">108<", ">60<", ">90<"}) CHECK(contains(classes, points));
    CHECK(term.run("$W export out --to canvas").out ==
          "Student,ID,SIS User ID,SIS Login ID,Section,Histogram,Prefix sums,Vector addition\r\n"
          "    Points Possible,,,,,100,100,110\r\n"
          "\"Doe, Jane\",11,,,,90,,108\r\n"
          "\"Roe, Jim\",12,,,,100,,110\r\n"
          "\"Poe, Ann\",13,,,,0,100,EX\r\n"
          "\"Loe, Tom\",14,,,,,0,60\r\n");
    const std::string table = term.run("$W export out --to markdown").out;
    // The lowest of the labs that count is dropped: the histogram.
    CHECK(contains(table, "| Doe, Jane | 98.18 % | scan |"));
    // Without vecadd, which is excused, and without the lower of the others.
    CHECK(contains(table, "| Poe, Ann | 100 % |  |"));
  };

  SECTION("grading the labs again applies the decisions to tables and pages") {
    REQUIRE(term.grade(1, "vecadd").code == 0);
    REQUIRE(term.grade(3, "scan").code == 0);
    check_all();
  }
  SECTION("so does a report") {
    REQUIRE(term.run("$W report out").code == 0);
    check_all();
    SECTION("and grading from the beginning changes nothing of it") {
      REQUIRE(term.grade(2, "histogram", "", "none").code == 0);
      check_all();
      REQUIRE(term.grade(1, "vecadd", "", "none").code == 0);
      check_all();
    }
    SECTION("a changed rubric is shown for whom, and leaves what persons decided") {
      const std::string lab = "root/labs/vecadd/lab.toml";
      term.put(lab, replace_all(replace_all(term.file(lab), "build = 5\n", "build = 10\n"),
                                "safety = 15\n", "safety = 10\n"));
      const ProcessResult dry = term.grade(1, "vecadd", "--dry-run");
      CHECK(dry.code == 0);
      CHECK(contains(dry.out, "0 of 3 grades change"));  // all or nothing, here
      REQUIRE(term.grade(1, "vecadd").code == 0);
      check_all();
    }
    SECTION("pages without names have none, and decisions may name the alias") {
      REQUIRE(term.run("$W report out --anonymous pages").code == 0);
      const ProcessResult names =
          term.run("grep -rlwE 'Doe|Jane|Roe|Jim|Poe|Loe|Tom|s0[1-4]' pages; ls pages");
      CHECK_FALSE(contains(names.out, "pages/"));
      CHECK_FALSE(contains(names.out, "s01"));
      const std::string alias =
          term.run("grep ',s02' course/decisions/aliases.csv | cut -d, -f1 | tr -d '\\n'").out;
      REQUIRE(contains(names.out, alias));
      term.decide("late.toml", "\n[[decision]]\nkind = \"points\"\nstudent = \"" + alias +
                                   "\"\nlab = \"vecadd\"\nitem = \"report\"\npoints = 9\n"
                                   "by = \"ann\"\nat = 2026-11-21T10:00:00Z\n");
      REQUIRE(term.run("$W report out").code == 0);
      CHECK(term.points().at("s02 vecadd") == "109");
    }
    SECTION("a term's page counts the points of persons") {
      const ProcessResult page_of_term = term.run("$W term out --html term.html");
      CHECK(page_of_term.code == 0);
      CHECK(contains(page_of_term.out, "vecadd"));
      CHECK(contains(page_of_term.out, "scan"));
      CHECK(contains(term.file("term.html"), "By week"));
    }
  }
}

TEST_CASE("where the best attempt counts, its time uses up late days, and not the last one's",
          "[program][term][any_compiler]") {
  const Term term;
  term.put("course/course.toml",
           replace_all(replace_all(kCourse, "attempt_limit = 2\n", "attempts = \"best\"\n"),
                       "[[labs.vecadd.hand]]\nitem = \"report\"\ntitle = \"Report\"\npoints = 10\n",
                       ""));
  REQUIRE(term.grade(1, "vecadd").code == 0);
  REQUIRE(term.grade(2, "histogram").code == 0);
  CHECK(term.points().at("s01 vecadd") == "100");  // the second of three attempts, a day late
  CHECK(term.points().at("s01 histogram") == "90");  // the broken one, five days late, is nothing
}

TEST_CASE("a full disk stops a report and a term's page with one error, and nothing is lost",
          "[program][term][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  for (const char* student : {"ada", "ben", "cleo"}) {
    write_file_atomically(folder.path() / "in" / student / "vecadd.cu", "// nothing\n");
  }
  for (const char* name : {"full", "before", "after"}) fs::create_directory(folder.path() / name);
  REQUIRE(shell("$W grade in --out before --device emulator --sandbox none", folder.path()).code ==
          0);
  const ProcessResult result = shell(
      "exec bwrap --dev-bind / / --size 8388608 --tmpfs $PWD/full sh -c '"
      "cp -r before/. full; dd if=/dev/zero of=full/rest bs=4096 status=none 2>/dev/null; "
      "for command in report term; do $W $command full 2>$command.txt; echo $command $?; done; "
      "rm full/rest; cp -r full/. after; $W report full && $W term full && ls full'",
      folder.path());
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  for (const std::string command : {"report", "term"}) {
    CHECK(contains(result.out, command + " 3\n"));
    const std::string error = read_file(folder.path() / (command + ".txt"));
    INFO(error);
    CHECK(error.starts_with("warpgrade: cannot write full/"));
    CHECK(contains(error, "No space left on device; free some space, then run the same command"));
    CHECK(error.find('\n') == error.size() - 1);
  }
  CHECK(contains(result.out, "term.html"));  // with room again
  CHECK(shell("diff -r before after", folder.path()).code == 0);
}

}  // namespace
}  // namespace warpgrade
