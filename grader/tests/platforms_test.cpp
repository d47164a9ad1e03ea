// Classes as more platforms deliver them, with names that are invented for each case: everybody's
// work is found, and `warpgrade grade` obeys what a person changes.

#include <fmt/core.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "grader/class/grading/mapping.h"
#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::right_source;
using testing::shell;
namespace {

struct Invented {
  std::string student;  // in the roster
  std::string first, last, login, id;
};

/// People whose names have hyphens, particles and letters beyond ASCII.
std::vector<Invented> invent(std::size_t count, unsigned seed) {
  static const std::vector<std::string> kParts = {
      "ka", "lo", "mi", "ren", "sa", "tu", "vel", "wo", "\xC3\xA4r", "n\xC3\xB6", "za", "bri"};
  std::mt19937 random(seed);
  const auto word = [&](int parts) {
    std::string text;
    for (int i = 0; i < parts; ++i) text += kParts[random() % kParts.size()];
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
    return text;
  };
  std::vector<Invented> people;
  for (std::size_t i = 0; i < count; ++i) {
    Invented one;
    one.student = fmt::format("s{:04}", i);
    one.first = word(2) + (i % 5 == 1 ? "-" + word(1) : i % 5 == 2 ? " " + word(2) : "");
    one.last = (i % 7 == 3 ? "de la " : "") + word(3) + fmt::format("{}", char('a' + i % 26));
    one.login = (i % 4 == 1 ? "u_" : "u") + std::to_string(1000 + i);
    one.id = std::to_string(50'000 + i * 7);
    people.push_back(one);
  }
  return people;
}

class Download {
 public:
  explicit Download(const std::vector<Invented>& people) {
    std::string roster = "student,name,sis_login\n";
    for (const Invented& one : people) {
      roster += fmt::format("{},\"{}, {}\",{}\n", one.student, one.last, one.first, one.login);
    }
    put("roster.csv", roster);
    course("");
  }
  void course(const std::string& more) const {
    put("course.toml", "schema = 1\nroster = \"roster.csv\"\n" + more);
  }
  void put(const std::string& name, const std::string& content = right_source()) const {
    write_file_atomically(folder_.path() / "in" / name, content);
  }
  /// The lines of `warpgrade intake`, by student and lab.
  std::map<std::pair<std::string, std::string>, MappingLine> intake(
      const std::string& options = "--lab vecadd") {
    result_ = shell("$W intake in --write out.csv --overwrite " + options, folder_.path());
    INFO(result_.out << result_.err);
    REQUIRE(result_.code < 2);
    std::map<std::pair<std::string, std::string>, MappingLine> lines;
    const Mapping mapping = parse_mapping(read_file(folder_.path() / "out.csv"), "out.csv");
    for (const MappingLine& line : mapping.lines()) lines[{line.student, line.lab}] = line;
    return lines;
  }
  void check_all_found(const std::vector<Invented>& people,
                       const std::string& options = "--lab vecadd") {
    const auto lines = intake(options);
    INFO(result_.out << result_.err);
    for (const Invented& one : people) {
      INFO(one.student << " " << one.first << " " << one.last << " " << one.login);
      REQUIRE(lines.contains({one.student, "vecadd"}));
      CHECK(lines.at({one.student, "vecadd"}).files.size() == 1);
    }
    CHECK(lines.size() == people.size());
  }
  ProcessResult grade(const std::string& options = "--lab vecadd") const {
    return shell("$W grade in --out out --device emulator --jobs 2 " + options, folder_.path());
  }
  [[nodiscard]] double score(const std::string& student, const std::string& lab = "vecadd") const {
    const fs::path file = folder_.path() / "out" / student / lab / "grade.json";
    return fs::exists(file) ? nlohmann::json::parse(read_file(file)).at("score").get<double>() : -1;
  }
  [[nodiscard]] const ProcessResult& last() const { return result_; }
  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
  ProcessResult result_;
};

TEST_CASE("Blackboard's downloads are read as they are, the last attempt counts",
          "[program][platforms]") {
  const unsigned seed = GENERATE(11U, 12U);
  const std::vector<Invented> people = invent(12, seed);
  Download d(people);
  const std::string lab = seed == 11 ? "Lab 1" : "CUDA_Lab_1: vectors";
  for (std::size_t i = 0; i < people.size(); ++i) {
    const Invented& one = people[i];
    const auto attempt = [&](const char* time, const std::string& file, const std::string& text) {
      const std::string front = fmt::format("{}_{}_attempt_{}", lab, one.login, time);
      if (i % 6 != 5) {  // some downloads lack the texts
        d.put(front + ".txt", fmt::format("Name: {} {} ({})\nAssignment: {}\n", one.first, one.last,
                                          one.login, lab));
      }
      d.put(front + "_" + file, text);
    };
    if (i % 3 == 0) attempt("2026-11-10-10-00-00", "vecadd.cu", "// first\n");
    attempt("2026-11-12-21-18-14", i % 3 == 0 ? "vecadd_final.cu" : "vecadd.cu", right_source());
  }
  d.check_all_found(people);
  const auto lines = d.intake();
  CHECK(contains(d.last().err, "is read as a download from Blackboard"));
  CHECK(contains(d.last().out, ", attempt 2"));
  CHECK(lines.at({people[0].student, "vecadd"}).files.front() == "vecadd_final.cu");
  // A time without a zone counts only if the course says which.
  CHECK_FALSE(contains(d.last().out, "2026-11-12T"));
  d.course("[late]\nzone = \"+01:00\"\n");
  (void)d.intake();
  CHECK(contains(d.last().out, "2026-11-12T20:18:14Z"));
}

TEST_CASE("ILIAS's downloads are read as they are, with teams and the folders around them",
          "[program][platforms]") {
  const std::vector<Invented> people = invent(12, 21);
  Download d(people);
  const std::string around =
      GENERATE(std::string("Lab 1/Abgaben/"), std::string("Submissions/"), std::string());
  const bool teams = GENERATE(false, true);
  for (std::size_t i = 0; i < people.size(); ++i) {
    const Invented& one = people[i];
    const std::string login = replace_all(one.login, "_", "");  // ILIAS has none with '_'
    const std::string own =
        replace_all(fmt::format("{}_{}_{}_{}", one.last, one.first, login, one.id), " ", "_");
    const std::string team = teams ? fmt::format("Team {}/", 100 + i / 2) : "";
    if (teams && i % 2 == 1) {
      fs::create_directories(d.folder() / "in" / (around + team + own));  // did not upload
    } else {
      d.put(around + team + own + "/vecadd.cu");
    }
  }
  if (!around.empty()) d.put("status.csv", "update\n");
  d.check_all_found(people);
  CHECK(contains(d.last().err, "is read as a download from ILIAS"));
}

/// The list in Stud.IP's downloads: with a byte order mark, in the language of who downloads.
class StudipList {
 public:
  explicit StudipList(bool english)
      : text_("\xEF\xBB\xBF" + std::string(english
                                               ? "Name;Size;\"First name\";\"Last name\";"
                                                 "Downloads;Date;Path\r\n"
                                               : "Name;Gr\xC3\xB6\xC3\x9F"
                                                 "e;Vorname;Nachname;Downloads;Datum;Pfad\r\n")) {}
  void add(const std::string& path, const Invented& by, const std::string& date) {
    text_ += fmt::format("\"{}\";640;\"{}\";\"{}\";0;\"{}\";\"{}\"\r\n",
                         fs::path(path).filename().string(), by.first, by.last, date, path);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

TEST_CASE("Stud.IP's downloads are read as they are, each file by its row of the list",
          "[program][platforms]") {
  const std::vector<Invented> people = invent(12, 31);
  Download d(people);
  const std::string folder = GENERATE(std::string(), std::string("Abgabe 1/"));
  StudipList list(folder.empty());
  const auto hand_in = [&](const Invented& by, const std::string& name, const std::string& date,
                           const std::string& text) {
    d.put(folder + name, text);
    list.add(folder + name, by, date);
  };
  // All call their file the same: those after the first get a number.
  for (std::size_t i = 0; i < people.size(); ++i) {
    hand_in(people[i], i == 0 ? "vecadd.cu" : fmt::format("vecadd[{}].cu", i), "10.11.2026 10:00",
            i == 5 ? "// first\n" : right_source());
  }
  hand_in(people[5], "vecadd[12].cu", "12.11.2026 21:18", right_source());
  hand_in(people[5], "notes.txt", "13.11.2026 08:00", "sorry");
  d.put(folder + "vecadd[13].cu");  // is not in the list
  d.put("archive_filelist.csv", list.text());
  d.course("[late]\nzone = \"+01:00\"\n");
  d.check_all_found(people);
  const std::string& out = d.last().out;
  INFO(out);
  CHECK(contains(d.last().err, "is read as a download from Stud.IP"));
  CHECK(contains(out, "vecadd[13].cu: whose is it? Neither archive_filelist.csv nor its own name"));
  CHECK(contains(out, "2026-11-12T20:18:00Z"));
  CHECK(contains(out, ", attempt 2"));
}

TEST_CASE("Stud.IP's folders of several assignments keep files of one name apart",
          "[program][platforms]") {
  const std::vector<Invented> people = invent(2, 32);
  Download d(people);
  StudipList list(false);
  for (const char* path : {"Abgabe 1/main.cu", "Abgabe 2/main.cu", "Abgabe 1/util.cuh"}) {
    const bool other_lab = contains(path, "2");
    d.put(path, other_lab ? "void gemm(int n) {\n}\n" : right_source());
    list.add(path, people[0], other_lab ? "20.11.2026 10:00" : "10.11.2026 10:00");
  }
  d.put("archive_filelist.csv", list.text());
  d.course("[labs.vecadd]\n[labs.gemm]\n");
  const auto lines = d.intake("");
  INFO(d.last().out << d.last().err);
  const auto file_for = [&](const char* lab) {
    const auto line = lines.find({people[0].student, lab});
    return line == lines.end() ? "none" : line->second.files.front();
  };
  CHECK(file_for("vecadd") == "Abgabe 1/main.cu");
  CHECK(file_for("gemm") == "Abgabe 2/main.cu");
}

TEST_CASE("a file of a Stud.IP download without a row belongs to the student in its name",
          "[program][platforms]") {
  const std::vector<Invented> people = invent(12, 31);
  Download d(people);
  for (std::size_t i = 0; i < people.size(); ++i) {
    const Invented& one = people[i];
    const std::string front = i % 2 == 0 ? one.login : fmt::format("{}_{}", one.last, one.first);
    d.put(fmt::format("[{}]_{}_vecadd.cu", i, front));
  }
  d.put("archive_filelist.csv", StudipList(false).text());
  // A name of several words is not found by its parts: these are asked about, not guessed.
  const auto lines = d.intake();
  std::size_t found = 0;
  for (const Invented& one : people) found += lines.contains({one.student, "vecadd"}) ? 1 : 0;
  const std::string& out = d.last().out;
  std::size_t asked = 0;
  for (std::size_t at = out.find("whose is it?"); at != std::string::npos;
       at = out.find("whose is it?", at + 1)) {
    ++asked;
  }
  INFO(out);
  CHECK(found + asked == people.size());
  CHECK(found >= 6);
}

TEST_CASE("folders that only look a little like a platform's stay a class of folders",
          "[program][platforms]") {
  const std::vector<Invented> people = invent(6, 41);
  Download d(people);
  for (const Invented& one : people) d.put(one.student + "/vecadd.cu");
  d.put("s0000/Lab 1_u1000_attempt_2026-11-12-21-18-14_notes.txt", "hello");
  d.put("s0001/archive_filelist.csv", "Pfad;Nutzer\n");
  d.check_all_found(people);
  CHECK_FALSE(contains(d.last().err, "is read as a download"));
}

TEST_CASE("of two versions the named one is graded, else the newest, and a note says so",
          "[program][platforms]") {
  const std::vector<Invented> people = invent(4, 51);
  Download d(people);
  d.put("s0000/vecadd.cu");
  d.put("s0000/vecadd_final.cu", right_source() + "// later\n");
  d.put("s0001/vecadd_old.cu", right_source() + "// old\n");
  d.put("s0001/vecadd_v2.cu");
  d.put("s0002/vecadd-test.cu", "int main() {}\n");  // does not define the function
  d.put("s0002/vecadd-2.cu");
  d.put("s0003/vecadd_final.cu");
  REQUIRE(shell("touch -d '2026-11-01' in/s0000/vecadd.cu in/s0001/vecadd_old.cu && touch -d "
                "'2026-11-02' in/s0000/vecadd_final.cu in/s0001/vecadd_v2.cu",
                d.folder())
              .ok());
  const auto lines = d.intake("");
  const std::string& out = d.last().out;
  INFO(out << d.last().err);
  CHECK(lines.at({"s0000", "vecadd"}).files.front() == "vecadd.cu");
  CHECK(lines.at({"s0001", "vecadd"}).files.front() == "vecadd_v2.cu");
  CHECK(lines.at({"s0001", "vecadd"}).why == "the newest of vecadd_old.cu and vecadd_v2.cu");
  CHECK(lines.at({"s0002", "vecadd"}).files.front() == "vecadd-2.cu");
  CHECK(lines.at({"s0003", "vecadd"}).files.front() == "vecadd_final.cu");
  CHECK(contains(out,
                 "s0000: vecadd.cu is graded for vecadd by its name, not vecadd_final.cu, "
                 "which is newer"));
}

TEST_CASE("a program in an archive is taken for a lab that has no other, also beside other labs'",
          "[program][platforms]") {
  const std::vector<Invented> people = invent(3, 52);
  Download d(people);
  d.put("s0000/gemm.cu", "void gemm() {}\n");
  d.put("s0000/rest/vecadd.cu");
  d.put("s0001/vecadd.cu");
  d.put("s0001/backup/vecadd.cu", right_source() + "// yesterday\n");
  d.put("s0002/gemm.cu", "void gemm() {}\n");
  d.put("s0002/vectors.ipynb",
        R"({"cells": [{"cell_type": "code", "source": "%%writefile vecadd.cu\nint n;\n"}]})");
  REQUIRE(shell("cd in/s0000 && tar czf rest.tar.gz rest && rm -r rest && cd ../s0001 && "
                "tar czf backup.tar.gz backup && rm -r backup",
                d.folder())
              .ok());
  const auto lines = d.intake("");
  INFO(d.last().out << d.last().err);
  const auto file_for = [&](const char* student, const char* lab) {
    const auto line = lines.find({student, lab});
    return line == lines.end() ? "none" : line->second.files.front();
  };
  CHECK(file_for("s0000", "gemm") == "gemm.cu");
  CHECK(file_for("s0000", "vecadd") == "rest/rest/vecadd.cu");
  CHECK(file_for("s0001", "vecadd") == "vecadd.cu");
  CHECK(file_for("s0002", "vecadd") == "vectors/vecadd.cu");
  CHECK(contains(d.last().out, "All submitted files were recognized."));
}

TEST_CASE("what a person changes in the mapping is what is graded", "[program][platforms]") {
  need_sandbox();
  const std::vector<Invented> people = invent(4, 61);
  Download d(people);
  d.put("s0000/vecadd.cu", "// a stub\n");
  d.put("s0000/other.cu");
  d.put("s0001/vecadd.cu");
  d.put("whose/vecadd.cu");
  d.put("s0003/vecadd.cu");
  (void)d.intake();
  REQUIRE(shell("sed -i -e '/^s0000,/s/vecadd.cu/other.cu/' -e 's/^whose,whose/whose,s0002/' -e "
                "'s/^s0003,s0003/s0003,/' out.csv && cp out.csv in/mapping.csv",
                d.folder())
              .ok());
  const ProcessResult graded = d.grade();
  INFO(graded.out << graded.err << read_file(d.folder() / "out.csv"));
  CHECK(graded.code == 0);
  CHECK(d.score("s0000") == 100);
  CHECK(d.score("s0001") == 100);
  CHECK(d.score("s0002") == 100);
  CHECK(d.score("s0003") == -1);
  CHECK(contains(graded.err, "s0003 is not graded: mapping.csv names no student for it"));
  // Intake obeys it, too, and does not overwrite what was edited.
  CHECK(shell("$W intake in --lab vecadd --write in/mapping.csv", d.folder()).code == 2);
  d.put("mapping.csv", "work,student,lab,files\ns0001,s0001,vecadd,nothing.cu\n");
  const ProcessResult refused = d.grade();
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "mapping.csv:2: there is no 'nothing.cu' in s0001; correct"));
  d.put("mapping.csv", "work,student,lab\nnobody,s0001,vecadd\n");
  CHECK(contains(d.grade().err, "mapping.csv:2: there is no 'nobody' among the submissions"));
}

TEST_CASE("a group gets one grade in every layout", "[program][platforms]") {
  need_sandbox();
  const std::vector<Invented> people = invent(5, 71);
  Download d(people);
  d.course("groups = \"groups.csv\"\n");
  d.put("groups.csv", "group,student\nTeam 1,s0000\nTeam 1,s0001\nTeam 2,s0002\nTeam 2,s0003\n");
  d.put("s0001/vecadd.cu");
  d.put("Team 2/vecadd.cu");
  d.put("s0004/vecadd.cu", "// alone\n");
  const ProcessResult graded = d.grade();
  INFO(graded.out << graded.err);
  for (const char* student : {"s0000", "s0001", "s0002", "s0003"}) {
    INFO(student);
    CHECK(d.score(student) == 100);
  }
  CHECK(d.score("s0004") == 0);
  const auto table = nlohmann::json::parse(read_file(d.folder() / "out" / "grades.json"));
  CHECK(table.at("grades").size() == 5);
  // A second run keeps all of them.
  CHECK(contains(d.grade("--lab vecadd --resume").out, "s0000"));
}

TEST_CASE("intake of 2,000 folders takes less than 5 s", "[program][platforms]") {
  const std::vector<Invented> people = invent(2000, 81);
  Download d(people);
  d.course("[labs.vecadd]\n");
  for (std::size_t i = 0; i < people.size(); ++i) {
    const Invented& one = people[i];
    const std::string name = i % 3 == 0   ? one.student
                             : i % 3 == 1 ? "lab1-" + one.login
                                          : one.first + " " + one.last;
    d.put(name + (i % 2 == 0 ? "/vecadd.cu" : "/main.cu"));
  }
  (void)d.intake("");
  INFO(d.last().err);
  // Processor time: the machine may be busy.
  INFO(d.last().cpu_seconds << " s of processor time, " << d.last().seconds << " s");
  CHECK(d.last().cpu_seconds < 5);
  CHECK(contains(d.last().out, "2000 students with work for 1 lab"));
}

}  // namespace
}  // namespace warpgrade
