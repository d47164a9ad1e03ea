// No student can affect the grades of others in a class.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::right_source;
using testing::shell;
namespace {

constexpr const char* kEmpty = "#include \"vecadd.h\"\n";

nlohmann::json grade_of(const fs::path& out, const std::string& student) {
  return nlohmann::json::parse(read_file(out / student / "vecadd" / "grade.json"));
}

std::set<std::string> flags_of(const nlohmann::json& grade) {
  std::set<std::string> kinds;
  for (const auto& flag : grade.at("integrity")) kinds.insert(flag.at("kind"));
  return kinds;
}

/// A bwrap that fails for sources that contain a word, to simulate environment errors.
/// @return the prefix of a command
std::string failing_on(const std::string& word, const fs::path& folder) {
  const ProcessResult bwrap = shell("command -v bwrap", folder);
  write_file_atomically(folder / "bin" / "bwrap",
                        "#!/bin/sh\nfor word; do\n  grep -qs " + word +
                            " \"$word\"/*.cu \"$word\"/src/*.cu && exit 1\ndone\nexec " +
                            bwrap.out.substr(0, bwrap.out.find('\n')) + " \"$@\"\n");
  fs::permissions(folder / "bin" / "bwrap", fs::perms::owner_all);
  return "PATH=$PWD/bin:$PATH ";
}

TEST_CASE(
    "environment errors of some submissions do not stop the class while the solution is gradable",
    "[program][class][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  for (const char* student : {"a", "b", "c", "d"}) {
    write_file_atomically(folder.path() / "in" / student / "vecadd.cu",
                          std::string(kEmpty) + "// POISON " + student + "\n");
  }
  write_file_atomically(folder.path() / "in" / "e" / "vecadd.cu", right_source());
  const ProcessResult result = shell(
      failing_on("POISON", folder.path()) + "$W grade in --out out --device emulator --jobs 1",
      folder.path());
  INFO(result.out << result.err);
  CHECK(result.code == 70);
  CHECK(contains(result.err,
                 "3 submissions in a row could not be graded here, but vecadd's solution.cu can: "
                 "continuing; they should be reviewed"));
  CHECK(grade_of(folder.path() / "out", "e").at("score") == 100);
  CHECK(grade_of(folder.path() / "out", "e").at("integrity").empty());
  for (const char* student : {"a", "b", "c", "d"}) {
    const auto grade = grade_of(folder.path() / "out", student);
    CHECK(grade.at("status") == "error");
    CHECK(flags_of(grade) == std::set<std::string>{"grader-fault"});
  }
  CHECK(contains(read_file(folder.path() / "out" / "grades.csv"), "a,vecadd,1,error,,100,"));
}

TEST_CASE("a machine that fails on the lab's solution, too, stops the run",
          "[program][class][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  for (const char* student : {"a", "b", "c", "d", "e"}) {
    write_file_atomically(folder.path() / "in" / student / "vecadd.cu",
                          right_source() + "// " + student + "\n");
  }
  const ProcessResult result = shell(
      failing_on("vecadd", folder.path()) + "$W grade in --out out --device emulator --jobs 1",
      folder.path());
  INFO(result.out << result.err);
  CHECK(result.code == 3);
  CHECK(
      contains(result.err,
               "3 submissions in a row could not be graded here, nor could vecadd's solution.cu"));
  CHECK_FALSE(fs::exists(folder.path() / "out" / "e" / "vecadd" / "grade.json"));
}

TEST_CASE("students named like result files, or with control characters, get their grades",
          "[program][class][names][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  const std::vector<std::string> students = {"grades.json",
                                             "grades.csv",
                                             "index.html",
                                             "submissions.json",
                                             "a\n[9] ada vecadd: 100 ",
                                             "b\tvecadd\t100",
                                             "c\r\x1b[2K",
                                             "d\xE2\x80\xAE",
                                             "-rf",
                                             "Ada",
                                             "ada",
                                             "a%0Ab",
                                             "=1+1",
                                             "<b>&\"",
                                             "grade.json.1-2.tmp",
                                             std::string(250, 'x')};
  for (const std::string& student : students) {
    // Without the function, it is cheap to grade.
    write_file_atomically(in / student / "vecadd.cu", kEmpty);
  }
  const std::string grade = "$W grade in --out out --device emulator --jobs 2";
  const ProcessResult result = shell(grade, folder.path());
  INFO(result.out << result.err);
  REQUIRE(result.code == 0);
  const fs::path out = folder.path() / "out";
  const auto grades = nlohmann::json::parse(read_file(out / "grades.json"));
  const std::size_t count = students.size();
  REQUIRE(grades.at("grades").size() == count);
  std::set<std::string> names;
  for (const auto& row : grades.at("grades")) {
    const std::string student = row.at("student");
    INFO(student);
    CHECK(names.insert(student).second);
    CHECK(student == one_line(student));
    // The table names the folder.
    CHECK(
        nlohmann::json::parse(read_file(out / row.at("grade").get<std::string>())).at("student") ==
        student);
    CHECK(fs::exists(out / row.at("feedback").get<std::string>()));
  }
  CHECK(names.contains("grades%2Ejson"));
  CHECK(names.contains("b%09vecadd%09100"));
  CHECK(names.contains("%2Drf"));
  CHECK(names.contains("a%250Ab"));
  CHECK(fs::is_regular_file(out / "index.html"));
  const std::string csv = read_file(out / "grades.csv");
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == count + 1);
  std::size_t progress = 0;
  for (const std::string_view line : split_lines(result.err)) progress += line.starts_with("[");
  CHECK(progress == count);
  CHECK(result.err.find('\x1b') == std::string::npos);
  CHECK(contains(result.err,
                 "note: a student's submission is in 'index.html', which is the name of a result "
                 "file: graded as index%2Ehtml\n"));
  // One line per grade and the heading's; no tab that could shift a column.
  const std::string table = result.out.substr(0, result.out.find("All submitted files"));
  std::size_t rows = 0;
  for (const std::string_view line : split_lines(table)) rows += line.empty() ? 0 : 1;
  CHECK(rows == count + 1);
  CHECK(table.find('\t') == std::string::npos);

  CHECK(shell("$W report out && $W export out --to csv >again && cmp again out/grades.csv",
              folder.path())
            .ok());
  CHECK(shell(grade + " --resume", folder.path()).code == 0);
  CHECK(nlohmann::json::parse(read_file(out / "grades.json")) == grades);
}

TEST_CASE(
    "an unreadable submission is an error flagged for review, not a zero, and stops no others",
    "[program][class][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  write_file_atomically(in / "ada" / "vecadd.cu", kEmpty);
  write_file_atomically(in / "bob" / "vecadd.cu", kEmpty);
  write_file_atomically(in / "cleo" / "vecadd.cu", kEmpty);
  fs::permissions(in / "ada" / "vecadd.cu", fs::perms::none);
  fs::permissions(in / "bob", fs::perms::none);
  // Root can read anything, so run as another user.
  const std::string as_user =
      "bwrap --dev-bind / / --unshare-user --uid 1000 --gid 1000 --cap-drop ALL true && "
      "exec bwrap --dev-bind / / --unshare-user --uid 1000 --gid 1000 --cap-drop ALL ";
  const ProcessResult result = shell(
      as_user + "$W grade in --out out --device emulator --sandbox none --jobs 1", folder.path());
  fs::permissions(in / "bob", fs::perms::owner_all);
  INFO(result.out << result.err);
  CHECK(result.code == 70);
  for (const char* student : {"ada", "bob"}) {
    const auto grade = grade_of(folder.path() / "out", student);
    CHECK(grade.at("status") == "error");
    CHECK(grade.at("failure") == "environment");
  }
  CHECK(grade_of(folder.path() / "out", "cleo").at("status") == "graded");
}

TEST_CASE("files whose names a compiler or a disk would misinterpret are compiled under another",
          "[program][class][any_compiler]") {
  need_sandbox();
  const ScratchFolder folder;
  const fs::path in = folder.path() / "in";
  const auto hand_in = [&](const std::string& student, const std::string& name) {
    write_file_atomically(in / student / "vecadd" / name, kEmpty);
  };
  hand_in("option", "-include.cu");
  hand_in("shell", "$(touch x).cu");
  hand_in("newline", "a\nb.cu");
  hand_in("long", std::string(240, 'y') + ".cu");
  hand_in("usual", "o'neil (1).cu");
  const ProcessResult result =
      shell("$W grade in --out out --device emulator --jobs 2", folder.path());
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  const auto says = [&](const std::string& student) {
    return grade_of(folder.path() / "out", student)
        .at("items")
        .at(0)
        .at("message")
        .get<std::string>();
  };
  for (const char* student : {"option", "shell", "newline", "long"}) {
    INFO(student);
    CHECK(contains(says(student), "no function"));
  }
  CHECK(contains(result.err, "-include.cu is compiled as vecadd.cu"));
  CHECK_FALSE(fs::exists(folder.path() / "x"));
  CHECK(contains(says("usual"), "no function"));
}

}  // namespace
}  // namespace warpgrade
