// A term of three labs with persons' decisions: they survive regrading, and pages and exports show
// them.

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::right_source;
using testing::shell;
namespace {

constexpr const char* kCourse = R"toml(schema = 1
title = "Parallel programming"
roster = "roster.csv"
submitted = "submitted.csv"
groups = "groups.csv"

[late]
per_day = 10
free_days = 1

[total]
drop_lowest = 1

[labs.vecadd]
due = 2026-11-01T00:00:00Z
[[labs.vecadd.hand]]
item = "report"
title = "Report"
points = 10

[labs.histogram]
due = 2026-11-08T00:00:00Z

[labs.scan]
due = 2026-11-15T00:00:00Z
)toml";

constexpr const char* kDecisions = R"toml(schema = 1

[[decision]]
kind = "points"
student = "s01"
lab = "vecadd"
item = "report"
points = 8
reason = "Figure 2 has no units"
by = "ann"
at = 2026-11-30T10:00:00Z

[[decision]]
kind = "points"
student = "s02"
lab = "vecadd"
item = "report"
points = 10
by = "ann"
at = 2026-11-30T10:05:00Z

[[decision]]
kind = "comment"
student = "s01"
lab = "vecadd"
file = "vecadd.cu"
line = 1
text = "A comment with <b>tags</b>"
by = "ann"
at = 2026-11-30T10:10:00Z

[[decision]]
kind = "inquiry"
student = "s02"
lab = "histogram"
text = "Why 0 points?"
by = "s02"
at = 2026-12-01T08:00:00Z

[[decision]]
kind = "answer"
student = "s02"
lab = "histogram"
text = "The file was damaged; it worked in the lab."
by = "bob"
at = 2026-12-01T09:00:00Z

[[decision]]
kind = "points"
student = "s02"
lab = "histogram"
points = 50
reason = "Shown in the lab"
by = "bob"
at = 2026-12-01T09:01:00Z

[[decision]]
kind = "excuse"
student = "s03"
lab = "vecadd"
reason = "ill"
by = "ann"
at = 2026-11-30T10:00:00Z
)toml";

/// Everything that a term needs, in one folder of results.
class TermOfThree {
 public:
  TermOfThree() {
    need_sandbox();
    put("course.toml", kCourse);
    put("roster.csv",
        "student,name,canvas_id\ns01,\"Doe, Jane\",11\ns02,\"Roe, Jim\",12\ns03,\"Poe, Ann\",13\n");
    put("groups.csv", "group,student,lab\nred,s01,scan\nred,s03,scan\n");
    put("submitted.csv",
        "student,lab,submitted\ns01,vecadd,2026-11-01T12:00:00Z\n"
        "s02,vecadd,2026-11-02T12:00:00Z\ns01,scan,2026-11-14T12:00:00Z\n");
    put("s01/vecadd.cu", right_source());
    put("s02/vecadd.cu", right_source());
    put("s02/histogram.cu", "// damaged\n");
    put("s01/scan.cu", "// nothing\n");
    put("s03/notes.txt", "sorry");
  }
  void put(const std::string& name, const std::string& text) const {
    write_file_atomically(folder_.path() / "in" / name, text);
  }
  ProcessResult run(const std::string& command) const { return shell(command, folder_.path()); }
  /// The points that count, "none" for a grade without a score, "" without a grade.
  std::map<std::string, std::string> points() const {
    std::map<std::string, std::string> found;
    const auto table = nlohmann::json::parse(read_file(folder_.path() / "out/grades.json"));
    for (const auto& row : table.at("grades")) {
      const std::string key =
          row.at("student").get<std::string>() + " " + row.at("lab").get<std::string>();
      found[key] =
          row.at("adjusted").is_null() ? "none" : human_points(row.at("adjusted").get<double>());
    }
    return found;
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return read_file(folder_.path() / "out" / name);
  }

 private:
  ScratchFolder folder_;
};

TEST_CASE("decisions of persons count in tables, pages and exports, and survive regrading",
          "[program][decisions][any_compiler]") {
  const TermOfThree term;
  const ProcessResult first = term.run("$W grade in --out out --device emulator --jobs 2");
  INFO(first.out << first.err);
  REQUIRE(first.code == 0);
  auto points = term.points();
  CHECK(points.at("s01 vecadd") == "none");  // the report is to be graded
  CHECK(points.at("s02 histogram") == "0");
  CHECK(points.contains("s03 scan"));  // with the group

  term.put("decisions/lab1.toml", kDecisions);
  const ProcessResult dry = term.run("$W report out --dry-run");
  INFO(dry.out << dry.err);
  CHECK(contains(dry.out, "set to 50 of 100 instead of 0 by bob: Shown in the lab"));
  CHECK(term.points() == points);  // nothing was written
  const ProcessResult dry_grade = term.run("$W grade in --out out --device emulator --dry-run");
  CHECK(contains(dry_grade.out, "set to 50 of 100 instead of 0 by bob: Shown in the lab"));

  const ProcessResult report = term.run("$W report out");
  INFO(report.out << report.err);
  REQUIRE(report.code == 0);
  for (int round = 0; round < 2; ++round) {
    points = term.points();
    CHECK_FALSE(points.contains("decisions vecadd"));  // a folder of the course
    CHECK(points.at("s01 vecadd") == "108");  // late, on the free day
    CHECK(points.at("s02 vecadd") == "99");  // two days late, one of them free
    CHECK(points.at("s02 histogram") == "50");
    // s03 submitted nothing for vecadd, and is excused: no zero.
    if (points.contains("s03 vecadd")) CHECK(points.at("s03 vecadd") == "none");
    const std::string page = term.file("s01/vecadd/feedback.html");
    CHECK(contains(page, "From your instructors"));
    CHECK(contains(page, "Points of item report: 8"));
    CHECK(contains(page, "Figure 2 has no units"));
    CHECK(contains(page, "Comment on vecadd.cu:1"));
    CHECK(contains(page, "A comment with &lt;b&gt;tags&lt;/b&gt;"));
    const std::string other = term.file("s02/histogram/feedback.html");
    CHECK(contains(other, "Why 0 points?"));
    CHECK(contains(other, "it worked in the lab"));
    CHECK_FALSE(contains(other, "Figure 2"));
    const ProcessResult canvas = term.run("$W export out --to canvas");
    CHECK(contains(canvas.out, "    Points Possible,,,,,"));
    CHECK(contains(canvas.out, ",50,"));
    CHECK(contains(canvas.out, ",EX\r\n"));  // s03's last lab
    CHECK(contains(term.run("$W export out --to markdown").out, "set to 50 of 100 instead of 0"));
    CHECK(contains(term.file("index.html"), ">108<"));
    // Regrading from the beginning changes nothing of it.
    REQUIRE(term.run("$W grade in --out out --device emulator --jobs 2 --cache none").code == 0);
  }
  // A decision that is wrong is one line, before anything is graded.
  term.put("decisions/lab2.toml",
           "schema = 1\n[[decision]]\nkind = \"points\"\nstudent = \"s09\"\n"
           "lab = \"scan\"\npoints = 1\nby = \"ann\"\n"
           "at = 2026-11-30T10:00:00Z\n");
  const ProcessResult wrong = term.run("$W grade in --out out --device emulator");
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "decisions/lab2.toml, decision 1: there is no student 's09'"));
}

TEST_CASE("assistants grade by hand without knowing whom", "[program][decisions][any_compiler]") {
  const TermOfThree term;
  REQUIRE(term.run("$W grade in --out out --device emulator --lab vecadd").code == 0);
  const ProcessResult pages = term.run("$W report out --anonymous pages");
  INFO(pages.out << pages.err);
  REQUIRE(pages.code == 0);
  const ProcessResult names = term.run("grep -rlE 'Doe|Jane|s01|s02|Roe' pages; ls pages");
  INFO(names.out);
  CHECK_FALSE(contains(names.out, "pages/"));
  const std::string alias =
      term.run("grep ',s01' in/decisions/aliases.csv | cut -d, -f1 | tr -d '\\n'").out;
  REQUIRE(contains(names.out, alias));
  term.put("decisions/anonymous.toml",
           "schema = 1\n[[decision]]\nkind = \"points\"\nstudent = \"" + alias +
               "\"\nlab = \"vecadd\"\nitem = \"report\"\npoints = 9\nby = \"ann\"\n"
               "at = 2026-11-30T10:00:00Z\n");
  REQUIRE(term.run("$W report out").code == 0);
  CHECK(term.points().at("s01 vecadd") == "109");
  // A second time, the aliases are the same.
  REQUIRE(term.run("$W report out --anonymous pages").code == 0);
  CHECK(contains(term.run("cat in/decisions/aliases.csv").out, alias + ",s01"));
}

TEST_CASE("a limit of attempts counts the first ones", "[program][decisions][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const auto put = [&](const std::string& name, const std::string& text) {
    write_file_atomically(folder.path() / "in" / name, text);
  };
  put("course.toml", "schema = 1\n[labs.vecadd]\nattempt_limit = 2\n");
  const char* front = "Lab 1_jdoe_attempt_2026-11-1";
  put(std::string(front) + "0-10-00-00_vecadd.cu", "// nothing\n");
  put(std::string(front) + "1-10-00-00_vecadd.cu", right_source());
  put(std::string(front) + "2-10-00-00_vecadd.cu", "// broken again\n");
  const ProcessResult graded = shell("$W grade in --out out --device emulator", folder.path());
  INFO(graded.out << graded.err);
  CHECK(graded.code == 0);
  CHECK(contains(graded.err, "jdoe vecadd: attempt 2 counts, the last of 2 allowed"));
  const auto grade = nlohmann::json::parse(read_file(folder.path() / "out/jdoe/vecadd/grade.json"));
  CHECK(grade.at("attempt") == 2);
  CHECK(grade.at("score") == 100);
}

TEST_CASE("a term is one page over several results folders", "[program][term][any_compiler]") {
  const TermOfThree term;
  REQUIRE(term.run("$W grade in --out runs/w1 --device emulator --lab vecadd").code == 0);
  REQUIRE(term.run("$W grade in --out runs/w2 --device emulator --lab histogram").code == 0);
  const ProcessResult result = term.run("$W term runs --html out/term.html");
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "w1"));
  CHECK(contains(result.out, "histogram"));
  const std::string page = term.file("term.html");
  CHECK(contains(page, "Term: runs"));
  CHECK(contains(page, "By week"));
  CHECK(term.run("$W term in").code == 2);
}

}  // namespace
}  // namespace warpgrade
