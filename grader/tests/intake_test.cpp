// Classes as platforms and people deliver them: graded completely, and nobody silently gets a zero.

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::right_source;
using testing::shell;
namespace {

constexpr const char* kRoster =
    "student,name,canvas_id,email\n"
    "s01,\"Doe, Jane\",11,jane@x.org\n"
    "s02,\"Roe, Jim\",12,jim@x.org\n"
    "s03,\"O'Neil, Ann Marie\",13,ann@x.org\n"
    "s04,\"\xE6\x9D\x8E \xE9\x9B\xB7\",14,lei@x.org\n"
    "s05,\"Poe, Pat\",15,pat1@x.org\n"
    "s06,\"Poe, Pat\",16,pat2@x.org\n"
    "s07,\"Absent, Abe\",17,abe@x.org\n";

/// A class in a folder, and its results.
class GradedClass {
 public:
  GradedClass() {
    need_sandbox();
    put("course.toml", "schema = 1\nroster = \"roster.csv\"\n");
    put("roster.csv", kRoster);
  }
  void put(const std::string& name, const std::string& content = right_source()) const {
    write_file_atomically(in() / name, content);
  }
  void grade(const std::string& options = "--lab vecadd") {
    result_ = shell("$W grade in --out out --device emulator --jobs 2 " + options, folder_.path());
    INFO(result_.out << result_.err);
    REQUIRE(result_.code != 2);
    const fs::path file = folder_.path() / "out" / "grades.json";
    REQUIRE(fs::exists(file));
    const auto table = nlohmann::json::parse(read_file(file));
    for (const auto& row : table.at("grades")) {
      grades_[row.at("student")] = row;
      scores_[row.at("student")] = row.at("status") == "error" ? -1 : row.at("score").get<double>();
    }
  }
  /// Points for vecadd; -1 for a grade without a score, -2 without a grade.
  [[nodiscard]] double score(const std::string& student) const {
    const auto it = scores_.find(student);
    return it == scores_.end() ? -2 : it->second;
  }
  /// By student.
  [[nodiscard]] const std::map<std::string, nlohmann::json>& grades() const { return grades_; }
  /// Everybody with 0 points or no score is named in the closing list.
  void check_nobody_is_silent() const {
    const std::size_t list = result_.out.find("Not recognized (");
    for (const auto& [student, score] : scores_) {
      INFO(student);
      if (score <= 0) {
        REQUIRE(list != std::string::npos);
        CHECK(result_.out.find("  " + student + ":", list) != std::string::npos);
      }
    }
  }
  [[nodiscard]] const std::string& out() const { return result_.out; }
  [[nodiscard]] const std::string& err() const { return result_.err; }
  [[nodiscard]] nlohmann::json log() const {
    return nlohmann::json::parse(read_file(folder_.path() / "out" / "submissions.json"))
        .at("submissions");
  }
  [[nodiscard]] fs::path in() const { return folder_.path() / "in"; }
  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  ProcessResult result_;
  std::map<std::string, double> scores_;
  std::map<std::string, nlohmann::json> grades_;
};

TEST_CASE("a Canvas class with messy names is graded to the end",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("doejane_11_901_main.cu");
  c.put("roejim_LATE_12_902_vecadd (1).cu", "// an earlier one\n");
  c.put("roejim_LATE_12_903_vecadd (1)-1.cu");
  c.put("oneilannmarie_13_904_notes.txt", "sorry");
  c.put("oneilannmarie_13_905_Lab1.cu");
  c.put("leili_14_906_a.cu", "// one\n");
  c.put("leili_14_907_b.cu", "// two\n");
  c.put("stranger_99_908_vecadd.cu");
  c.put("vecadd.cu");
  c.grade();
  INFO(c.out() << c.err());
  for (const char* student : {"s01", "s02", "s03", "stranger"}) {
    INFO(student);
    CHECK(c.score(student) == 100);
  }
  CHECK(c.score("s04") == 0);
  c.check_nobody_is_silent();
  CHECK(contains(c.err(), "s01: main.cu is used for vecadd: the only file that defines vecadd"));
  CHECK(contains(c.out(), "s04: which file is for vecadd? There are a.cu and b.cu"));
  CHECK(contains(c.out(), "stranger: nobody in roster.csv has this name or id"));
  CHECK(contains(c.out(), "vecadd.cu: whose is it? Canvas does not use such names"));
  // The log has every file with its original name.
  for (const auto& record : c.log()) {
    if (record.at("student") == "s03") {
      CHECK(record.at("lab") == "vecadd");
      CHECK(record.at("came_as") == "oneilannmarie_13_905_Lab1.cu");
      CHECK(record.at("files") == nlohmann::json::array({"Lab1.cu"}));
    }
  }
}

TEST_CASE("a Moodle class with messy names is graded to the end",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("Jane Doe_501_assignsubmission_file_/vecadd (1).cu");
  c.put("Jim Roe_502_assignsubmission_file_/hw1/src/Vecadd.cu");
  c.put("Ann Marie O'Neil_503_assignsubmission_file_/x.txt", "sorry");
  c.put("\xE6\x9D\x8E \xE9\x9B\xB7_504_assignsubmission_file_/kernel.cu");
  c.put("Pat Poe_505_assignsubmission_file_/vecadd.cu");
  c.put("Jim Roe_502_assignsubmission_onlinetext_/onlinetext.html", "<p>hello</p>");
  c.grade();
  INFO(c.out() << c.err());
  for (const char* student : {"s01", "s02", "s04", "Pat Poe"}) {
    INFO(student);
    CHECK(c.score(student) == 100);
  }
  CHECK(c.score("s03") == 0);
  // Two students have this name: none is guessed.
  CHECK(c.score("s05") == -2);
  CHECK(c.score("s06") == -2);
  CHECK(contains(c.out(),
                 "Pat Poe: in roster.csv this is the name of s05 and s06\n"
                 "    -> add 'Pat Poe' to the aliases of the student whose work it is"));
  CHECK(
      contains(c.err(), "note: names of several students in roster.csv: Pat Poe; they are graded"));
  // s07; s05 and s06 may have submitted something.
  CHECK(contains(c.err(), "note: 1 of 7 in roster.csv submitted nothing: s07\n"));
  c.check_nobody_is_silent();
  CHECK(contains(c.out(), "online text from Moodle"));
  CHECK(contains(read_file(c.folder() / "out" / "index.html"), "Nothing gradable</h2>"));
}

TEST_CASE("a Gradescope export with messy names is graded to the end",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("submission_metadata.yml",
        "---\n"
        "submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :email: jane@x.org\n"
        "  :created_at: 2026-11-12 21:18:14.402446000 Z\n"
        "submission_2:\n  :submitters:\n  - :name: James Roe\n    :email: jim@x.org\n"
        "  - :name: Ann O'Neil\n    :email: ann@x.org\n"
        "submission_3:\n  :submitters:\n  - :name: Pat Poe\n    :email: pat2@x.org\n"
        "submission_4:\n  :submitters:\n  - :name: Lei Li\n    :email: lei@x.org\n");
  c.put("submission_1/lab1.cu");
  c.put("submission_2/main.cu");
  c.put("submission_3/Poe/vecadd-2.cu");
  c.grade();
  INFO(c.out() << c.err());
  for (const char* student : {"s01", "s02", "s03", "s06"}) {
    INFO(student);
    CHECK(c.score(student) == 100);
  }
  CHECK(c.score("s05") == -2);
  c.check_nobody_is_silent();
  CHECK(contains(c.err(), "submission_2 is a group submission: graded for each of its 2 members"));
  CHECK(contains(c.out(), "submission_4: the metadata names it, but it does not exist"));
  bool has_time = false;
  for (const auto& record : c.log()) {
    has_time = has_time || record.at("submitted") == "2026-11-12T21:18:14Z";
  }
  CHECK(has_time);
}

TEST_CASE("a class of folders and archives that people made is graded to the end",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("Jane Doe/main.cu");
  c.put("Roe, Jim/vecadd.cu");
  c.put("s02/vecadd.cu");  // the same files: one submission
  c.put("O'Neil_Ann Marie/first.cu", "// one\n");
  c.put("s03/second.cu", "// two\n");
  c.put("s04/only.cu", "// first\n");
  c.put("14/only.cu", "// second\n");  // from the same student, but different
  c.put("pile.cu");
  REQUIRE(shell("mkdir -p z/deep/er && cp in/s02/vecadd.cu z/deep/er/Vecadd.cu && cd z && "
                "tar czf '../in/s05.tar.gz' deep",
                c.folder())
              .ok());
  c.grade();
  INFO(c.out() << c.err());
  for (const char* student : {"s01", "s02", "s05"}) {
    INFO(student);
    CHECK(c.score(student) == 100);
  }
  CHECK(c.score("s04") == -1);
  c.check_nobody_is_silent();
  CHECK(contains(c.out(), "are both submissions of this student, and differ; neither is graded"));
  CHECK(contains(c.out(), "pile.cu: whose is it? It is beside the students' folders"));
}

TEST_CASE("GitHub Classroom's repositories are matched by the name after the assignment's",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("roster.csv", "student,name,sis_login\ns01,\"Doe, Jane\",jane-d\ns02,\"Roe, Jim\",jroe\n");
  c.put("lab1-jane-d/vecadd.cu");
  c.put("lab1-jane-d/build/CMakeFiles/vecadd.cu", "// not this\n");
  c.put("lab1-jroe/src/vecadd.cu", "#include \"../include/base.cuh\"\n" + right_source());
  c.put("lab1-jroe/include/base.cuh", "#pragma once\n");
  c.put("lab1-stranger/VECADD.CU.txt");
  c.grade();
  INFO(c.out() << c.err());
  for (const char* student : {"s01", "s02", "lab1-stranger"}) {
    INFO(student);
    CHECK(c.score(student) == 100);
  }
  CHECK(contains(c.err(), "lab1-stranger: VECADD.CU.txt is read as VECADD.cu"));
}

/// A course with a due date long ago, and late penalties that leave nothing.
constexpr const char* kDueLongAgo =
    "schema = 1\n[late]\nper_day = 100\n[labs.vecadd]\ndue = 2020-01-10T00:00:00Z\n";

TEST_CASE("the times at which a class was copied or cloned make nobody late",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("course.toml", kDueLongAgo);
  fs::remove(c.in() / "roster.csv");
  const auto adjusted = [&](const std::string& student) {
    return c.grades().at(student).at("adjusted").get<double>();
  };
  SECTION("a copy") {
    for (const char* student : {"s01", "s02", "s03", "s04", "s05"}) {
      c.put(std::string(student) + "/vecadd.cu");
    }
    c.grade("");
    CHECK(adjusted("s01") == 100);
    CHECK(contains(c.err(),
                   "note: the newest files of all 5 students were changed within 5 minutes"));
  }
  SECTION("a clone, and a folder beside it") {
    c.put("s01/.git/config", "[core]\n");
    c.put("s01/vecadd.cu");
    c.put("s02/vecadd.cu");
    c.grade("");
    CHECK(adjusted("s01") == 100);
    CHECK(adjusted("s02") == 0);
    CHECK(contains(c.err(),
                   "note: the files of 1 of 2 students have the time at which their repository"));
    CHECK(
        contains(c.out(), "0 points under the course's rules (1):\n  vecadd\n    s02: submitted "));
  }
}

TEST_CASE("Brightspace's folders of one student are attempts", "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("7-1 - Jane Doe - Nov 12, 2026 1118 PM/vecadd.cu", "// unfinished\n");
  c.put("7-1 - Jane Doe - Nov 13, 2026 918 AM/vecadd.cu");
  c.put("8-1 - Jim Roe - Nov 12, 2026 918 PM/vecadd.docx", "PK");
  c.grade();
  INFO(c.out() << c.err());
  CHECK(c.score("s01") == 100);
  CHECK(c.score("s02") == 0);
  CHECK(contains(c.out(),
                 "s02: nothing gradable for vecadd: Fix the build first: neither vecadd.cu "
                 "nor vecadd.py was submitted; found only vecadd.docx."));
}

TEST_CASE("intake does not say that all was recognized where nothing of a student is graded",
          "[program][intake][any_compiler]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in/s01/vecadd.cu", right_source());
  write_file_atomically(folder.path() / "in/s02/vecadd.docx", "PK");
  const ProcessResult result = shell("$W intake in", folder.path());
  INFO(result.out << result.err);
  CHECK(contains(result.out, "Submitted, and nothing in it is graded: s02.\n"));
  CHECK_FALSE(contains(result.out, "All submitted files were recognized."));
}

TEST_CASE("a class without unclear work says so", "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("s01/vecadd.cu");
  c.grade("");
  INFO(c.out() << c.err());
  CHECK(c.score("s01") == 100);
  CHECK(contains(c.out(), "All submitted files were recognized.\n"));
}

TEST_CASE("without --lab, programs with main() are submissions for no lab that was not assigned",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("course.toml", "schema = 1\n");
  c.put("roster.csv", "");
  c.put("s01/vecadd.cu");
  c.put("s01/scratch.cu", "int main() { return 0; }\n");
  c.put("s02/homework.cu", "int main() { return 0; }\n");
  c.put("s03/vecadd (1).cu");
  c.put("s04/build/CMakeFiles/vecadd.cu");
  c.grade("");
  INFO(c.out() << c.err());
  CHECK(c.score("s01") == 100);
  CHECK(c.score("s03") == 100);
  // A file that belongs to no lab is not a grade of 0.
  CHECK(c.score("s02") == -2);
  CHECK(c.score("s04") == -2);
  CHECK(contains(c.out(), "s04: no program was submitted but those in build folders"));
  CHECK_FALSE(contains(c.out(), "forward"));
  CHECK(contains(c.out(),
                 "Taken although named otherwise (1):\n  vecadd\n"
                 "    s03: vecadd (1).cu, by its name\n"));
  CHECK(contains(c.out(),
                 "Programs that were left out (2):\n  s01: scratch.cu\n  s02: homework.cu\n"));
}

TEST_CASE("a lab that the course lists is found by content, and missing work counts when it is due",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("course.toml",
        "schema = 1\n[labs.vecadd]\ndue = 2026-01-01T08:00:00Z\n"
        "[labs.gemm]\ndue = 2099-01-01T08:00:00Z\n");
  c.put("roster.csv", "");
  c.put("s01/main.cu");
  c.put("s02/notes.txt", "sorry");
  c.grade("");
  INFO(c.out() << c.err());
  CHECK(c.score("s01") == 100);
  CHECK(c.score("s02") == 0);
  CHECK(contains(c.out(), "s01: main.cu, the only file that defines vecadd\n"));
  CHECK(contains(c.out(), "0 points (1):\n  vecadd\n    s02: "));
  CHECK_FALSE(contains(c.out(), "gemm"));
}

TEST_CASE("an archive that cannot be read is a grade of 0 only for labs that are due",
          "[program][intake][any_compiler]") {
  GradedClass c;
  c.put("roster.csv", "");
  c.put("course.toml",
        "schema = 1\n[labs.vecadd]\ndue = 2026-01-01T08:00:00Z\n"
        "[labs.differences]\ndue = 2099-01-01T08:00:00Z\n");
  c.put("s01/vecadd.cu");
  c.put("s01/differences.cu", "// soon\n");
  c.put("s02.zip", "PK\x03\x04 damaged");
  c.grade("");
  INFO(c.out() << c.err());
  CHECK(contains(c.out(), "s02: nothing gradable for vecadd"));
  CHECK(fs::exists(c.folder() / "out" / "s02" / "vecadd" / "grade.json"));
  CHECK_FALSE(fs::exists(c.folder() / "out" / "s02" / "differences"));
  // Without a grade that says so, the list does.
  fs::remove_all(c.in() / "s01" / "vecadd.cu");
  c.grade("");
  INFO(c.out());
  CHECK(contains(c.out(), "s02: s02.zip was rejected: it is damaged"));
}

}  // namespace
}  // namespace warpgrade
