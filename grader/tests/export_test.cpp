#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::right_source;
using testing::shell;
using testing::source_folder;
using testing::warpgrade;
namespace {

constexpr const char* kCourse = R"toml(schema = 1
title = "A course"
roster = "roster.csv"
submitted = "submitted.csv"
attempts = "best"
[late]
per_day = 10
[labs.vecadd]
due = 2026-11-20T12:00:00Z
canvas = "Lab 1 (77)"
)toml";

constexpr const char* kEmpty = "#include \"vecadd.h\"\n";

nlohmann::json grades_of(const fs::path& out) {
  return nlohmann::json::parse(read_file(out / "grades.json")).at("grades");
}

TEST_CASE("a Canvas download is graded under its course's rules and exported again",
          "[program][export][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  const fs::path out = folder.path() / "out";
  write_file_atomically(in / "doejane_LATE_11_901_vecadd.cu", right_source());
  write_file_atomically(in / "doejane_LATE_11_902_vecadd-1.cu", kEmpty);
  write_file_atomically(in / "roejim_12_903_vecadd.cu", kEmpty);
  write_file_atomically(in / "course.toml", kCourse);
  write_file_atomically(in / "roster.csv",
                        "student,name,canvas_id,email\ns01,\"Doe, Jane\",11,j@x.org\n"
                        "s02,\"Roe, Jim\",12,r@x.org\ns03,\"=Poe()\",13,p@x.org\n");
  write_file_atomically(in / "submitted.csv", "student,submitted\ns01,2026-11-21T18:00:00Z\n");
  const ProcessResult graded =
      warpgrade({"grade", in.string(), "--out", out.string(), "--device", "emulator"});
  INFO(graded.out << graded.err);
  REQUIRE(graded.code == 0);
  CHECK(contains(graded.err, "3 of 3 names in"));
  CHECK(contains(graded.err, "read as a Canvas download (use --layout folders if it is not)"));
  CHECK(contains(graded.err, "note: 1 of 3 in roster.csv submitted nothing"));

  const auto grades = grades_of(out);
  REQUIRE(grades.size() == 2);
  CHECK(grades.at(0).at("student") == "s01");
  CHECK(grades.at(0).at("attempt") == 1);  // the first of two attempts is better
  CHECK(grades.at(0).at("raw") == 100);
  CHECK(grades.at(0).at("late_days") == 2);
  CHECK(grades.at(0).at("penalty") == 20);
  CHECK(grades.at(0).at("adjusted") == 80);
  CHECK(grades.at(1).at("because") == "not marked late by the learning platform");
  CHECK(nlohmann::json::parse(read_file(out / "s01/vecadd/grade.json")).at("score") == 100);
  CHECK(fs::exists(out / "s01/vecadd/attempts/2/grade.json"));

  const auto export_to = [&](const std::string& format) {
    return warpgrade({"export", out.string(), "--to", format});
  };
  const ProcessResult canvas = export_to("canvas");
  CHECK(canvas.code == 0);
  CHECK(canvas.out ==
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77)\r\n"
        "    Points Possible,,,,,100\r\n"
        "\"Doe, Jane\",11,,,,80\r\n"
        "\"Roe, Jim\",12,,,,0\r\n"
        "'=Poe(),13,,,,\r\n");
  CHECK(contains(canvas.err, "note: vecadd: no grade, hence an empty cell, for s03"));
  CHECK(contains(export_to("moodle").out, "\"Doe, Jane\",,,j@x.org,80\r\n"));
  CHECK(warpgrade({"export", out.string(), "--to", "csv", "--staff"}).out ==
        read_file(out / "grades.csv"));
  CHECK(contains(export_to("markdown").out, "| Doe, Jane | 80 % |  |"));
  CHECK(contains(export_to("junit").out, "<testsuite name=\"s01/vecadd\""));
  const ProcessResult nowhere = export_to("gradescope");
  CHECK(nowhere.code == 2);
  CHECK(contains(nowhere.err, "writes one file per student; give their folder with --file"));
  CHECK(warpgrade({"export", out.string(), "--to", "gradescope", "--file",
                   (folder.path() / "gs").string()})
            .code == 0);
  const auto results = nlohmann::json::parse(read_file(folder.path() / "gs/s01/results.json"));
  CHECK(results.at("score") == 80);

  SECTION("an unchanged class is not graded again, attempt by attempt") {
    const auto written = fs::last_write_time(out / "s01/vecadd/attempts/2/grade.json");
    CHECK(
        warpgrade({"grade", in.string(), "--out", out.string(), "--device", "emulator", "--resume"})
            .code == 0);
    CHECK(fs::last_write_time(out / "s01/vecadd/attempts/2/grade.json") == written);
    CHECK(grades_of(out) == grades);
  }
  SECTION("an extension counts at once, without grading again") {
    write_file_atomically(in / "roster.csv", "student,canvas_id,extra_days\ns01,11,1\ns02,12,\n");
    CHECK(warpgrade({"report", out.string()}).code == 0);
    CHECK(grades_of(out).at(0).at("adjusted") == 90);
  }
  SECTION("an internal error leaves its cell empty") {
    auto grade = nlohmann::ordered_json::parse(read_file(out / "s02/vecadd/grade.json"));
    grade["status"] = "error";
    write_file_atomically(out / "s02/vecadd/grade.json", grade.dump());
    const ProcessResult with_fault = export_to("canvas");
    CHECK(contains(with_fault.out, "\"Roe, Jim\",12,,,,\r\n"));
    CHECK(contains(with_fault.err, "note: s02, vecadd: no score is exported: the grader failed"));
  }
  SECTION("a course file that is gone is asked for") {
    fs::remove(in / "course.toml");
    const ProcessResult gone = export_to("canvas");
    CHECK(gone.code == 2);
    CHECK(contains(gone.err, "no longer exists; give the course file with --course"));
  }
}

TEST_CASE("mistakes in course files, options and names stop the run before anything is graded",
          "[program][export][any_compiler]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in/s01/vecadd.cu", kEmpty);
  write_file_atomically(folder.path() / "in/course.toml",
                        "schema = 1\n[labs.vecadd]\ndue = 2026-11-20\n");
  const auto fails = [&](const std::string& arguments, const std::string& why) {
    const ProcessResult result = shell("$W grade in --out out " + arguments, folder.path());
    INFO(result.out << result.err);
    CHECK(result.code == 2);
    CHECK(contains(result.err, why));
    CHECK_FALSE(fs::exists(folder.path() / "out/s01"));
  };
  fails("", "warpgrade: course.toml:3: key 'due': '2026-11-20' has no time of day");
  fails("--course nothing.toml", "nothing.toml: no such file; docs/course.md has an example");
  fs::remove(folder.path() / "in/course.toml");
  fails("--submitted-at yesterday", "--submitted-at 'yesterday' is not a date and time; write");
  fails("--layout canvas", "contains no file named as Canvas does");
  fails("--layout one", "--student");
  fails("--student ../x", "begins with a dot");
}

TEST_CASE("file times decide about lateness in a class of folders, unless the course disables that",
          "[program][export][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in/s01/vecadd.cu", right_source());
  REQUIRE(shell("touch -d 2020-01-10T00:00:01Z in/s01/vecadd.cu", folder.path()).ok());
  const auto adjusted = [&](const std::string& file_times) {
    write_file_atomically(folder.path() / "in/course.toml",
                          "schema = 1\n[late]\nper_day = 10\nfile_times = " + file_times +
                              "\n[labs.vecadd]\ndue = 2020-01-10T00:00:00Z\n");
    CHECK(shell("$W grade in --out out --resume --device emulator", folder.path()).code == 0);
    return grades_of(folder.path() / "out").at(0).at("adjusted");
  };
  CHECK(adjusted("true") == 90);
  CHECK(adjusted("false") == 100);
}

TEST_CASE("Gradescope's run_autograder makes results.json of one submission",
          "[program][export][ci][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path root = folder.path() / "autograder";
  write_file_atomically(root / "submission/vecadd.cu", right_source());
  write_file_atomically(root / "submission/course.toml", "not = \"read\"");
  write_file_atomically(root / "submission_metadata.json",
                        R"({"id": 1, "created_at": "2020-01-11T10:00:00.365935-08:00",
                            "users": [{"email": "j@x.org", "name": "Jane Doe"}],
                            "previous_submissions": [{"submission_time": "x", "score": 0.0}]})");
  write_file_atomically(root / "source/course.toml",
                        "schema = 1\n[late]\nper_day = 25\n[hidden]\nrelease = \"due\"\n"
                        "[labs.vecadd]\ndue = 2020-01-10T10:00:00-08:00\n");
  const ProcessResult result =
      shell("PATH=$(dirname $W):$PATH AUTOGRADER=$PWD/autograder " +
                (source_folder() / "docs/ci/gradescope/run_autograder").string(),
            folder.path());
  INFO(result.out << result.err);
  REQUIRE(result.code == 0);
  const auto results = nlohmann::json::parse(read_file(root / "results/results.json"));
  CHECK(results.at("score") == 75);
  for (const auto& test : results.at("tests")) {
    CHECK(test.at("visibility") == "visible");  // released with the due date, long ago
  }
  CHECK(
      contains(results.at("output").get<std::string>(), "1 day late, 25 % per day = 25 % of 100"));
}

}  // namespace
}  // namespace warpgrade
