#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

/// A copy of the labs in grader/tests/lab_kinds, with the project's pages of pitfalls.
struct Labs {
  explicit Labs(bool empty = false) {
    if (empty) {
      fs::create_directory(folder.path() / "labs");
    } else {
      fs::copy(testing::source_folder() / "grader" / "tests" / "lab_kinds", folder.path(),
               fs::copy_options::recursive);
    }
    fs::create_directory_symlink(testing::source_folder() / "docs", folder.path() / "docs");
  }
  [[nodiscard]] ProcessResult run(const std::vector<std::string>& arguments) const {
    return warpgrade(arguments, {{"WARPGRADE_ROOT", folder.path().string()}});
  }
  [[nodiscard]] fs::path operator/(std::string_view path) const { return folder.path() / path; }
  [[nodiscard]] std::string path(std::string_view name) const {
    return (folder.path() / name).string();
  }
  ScratchFolder folder;
};

nlohmann::json json_of(const fs::path& file) {
  return nlohmann::json::parse(read_file(file));
}

/// The file with the line `key = ...` replaced.
std::string answered(const std::string& sheet, const std::string& key, const std::string& value) {
  const std::regex line("(^|\n)" + key + " = [^\n]*");
  REQUIRE(std::regex_search(sheet, line));
  return std::regex_replace(sheet, line, "$1" + key + " = " + value);
}

const nlohmann::json& item(const nlohmann::json& grade, const std::string& id) {
  for (const nlohmann::json& candidate : grade.at("items")) {
    if (candidate.at("id") == id) return candidate;
  }
  FAIL("no item " << id);
  return grade;
}

TEST_CASE("start writes the questions as comments, and check says which answers are right",
          "[program][questions][any_compiler]") {
  const Labs labs;
  const ProcessResult started = labs.run({"start", "warps", labs.path("mine")});
  INFO(started.out << started.err);
  REQUIRE(started.code == 0);
  CHECK_FALSE(fs::exists(labs / "mine/Makefile"));
  std::string sheet = read_file(labs / "mine/answers.toml");
  CHECK(contains(sheet, "# How many blocks of 64 threads does a kernel need for 1000 elements?"));
  CHECK(contains(sheet, "#   b: i < n"));
  CHECK(contains(sheet, "# Answer: a number, in blocks\nblocks = \"\"\n"));

  const auto check = [&](const std::string& text) {
    write_file_atomically(labs / "mine/answers.toml", text);
    return labs.run({"check", "warps", labs.path("mine/answers.toml"), "--json",
                     labs.path("grade.json"), "--html", labs.path("page.html")});
  };
  const ProcessResult blank = check(sheet);
  INFO(blank.out << blank.err);
  CHECK(blank.code == 1);
  CHECK(contains(blank.out, "0 / 100 points"));
  CHECK(contains(blank.out, "0 of 5 answers right"));
  CHECK(contains(blank.out, "No answer yet: blocks = ..."));

  sheet = answered(sheet, "blocks", "15");
  sheet = answered(sheet, "share", "\"97.7 percent\"");
  sheet = answered(sheet, "guard", "\"c\"");
  sheet = answered(sheet, "shared", "[\"a\"]");
  sheet = answered(sheet, "threads", "\"n\"");
  const ProcessResult some = check(sheet);
  INFO(some.out << some.err);
  CHECK(some.code == 1);
  CHECK(contains(some.out, "35 / 100 points"));  // 15 of 30, 10, 0, 10 of 20, 0
  CHECK(contains(some.out, "Not yet. Count the elements that 64-thread blocks reach."));
  CHECK(contains(some.out, "hint: Blocks are always complete."));
  // The answers are in neither the terminal, the page nor the JSON.
  const std::string shown =
      some.out + read_file(labs / "grade.json") + read_file(labs / "page.html");
  CHECK_FALSE(contains(shown, "16 blocks"));
  CHECK_FALSE(contains(shown, "ceil_div(n, block) * block"));
  CHECK_FALSE(contains(shown, "The elements have the indices"));
  const nlohmann::json grade = json_of(labs / "grade.json");
  CHECK(item(grade, "questions/guard").at("question").at("expected") == "");
  CHECK(item(grade, "questions/blocks").at("status") == "partial");

  sheet = answered(sheet, "blocks", "16");
  sheet = answered(sheet, "guard", "\"b\"");
  sheet = answered(sheet, "shared", "[\"d\", \"a\"]");
  sheet = answered(sheet, "threads", "\"block * ceil(n / block)\"");
  const ProcessResult all = check(sheet);
  INFO(all.out << all.err);
  CHECK(all.code == 0);
  CHECK(contains(all.out, "100 / 100 points"));
}

TEST_CASE("answers that cannot be used get one clear message",
          "[program][questions][any_compiler]") {
  const Labs labs;
  fs::create_directory(labs / "mine");
  const auto said = [&](const std::string& text) {
    write_file_atomically(labs / "mine/answers.toml", text);
    const ProcessResult result = labs.run({"check", "warps", labs.path("mine")});
    CHECK(result.code == 1);
    return replace_all(replace_all(result.out, "\n", " "), "            ", "") + result.err;
  };
  CHECK(contains(said("[answers]\nblocks = 1\nblocks = 2\n"), "'blocks' is answered twice"));
  CHECK(contains(said("[answers]\nblocks = four\n"), "answers.toml:2 cannot be read"));
  CHECK(contains(said("lab = \"buckets\"\n[answers]\n"), "is for lab 'buckets', not for 'warps'"));
  CHECK(contains(said(std::string(70000, '#')), "at most 64.0 KiB are read"));
  const std::string misspelled = said("[answers]\nbloks = 16\n");
  CHECK(contains(misspelled, "line 2 has 'bloks': did you mean 'blocks'?"));
  CHECK(contains(misspelled, "there is no question 'bloks'; did you mean 'blocks'?"));
  CHECK(contains(said("[answers]\nblocks = \"16 threads\"\n"), "The answer is in 'threads'"));
  fs::remove(labs / "mine/answers.toml");
  write_file_atomically(labs / "mine/notes.txt", "nothing");
  CHECK(contains(said(std::string("lab\0", 4)), "is not a text file"));
}

TEST_CASE(
    "each student has numbers of their own, copies are flagged, and solutions wait for the "
    "due date",
    "[program][questions][grade][any_compiler]") {
  const Labs labs;
  write_file_atomically(labs / "secret", "the secret of this course");
  write_file_atomically(labs / "course.toml",
                        "schema = 1\n[labs.warps]\ndue = 2099-01-01T00:00:00Z\n");
  const ProcessResult staff = labs.run(
      {"lab", "questions", "warps", "--student", "ada", "--secret-file", labs.path("secret")});
  INFO(staff.out << staff.err);
  REQUIRE(staff.code == 0);
  std::smatch id;
  REQUIRE(std::regex_search(staff.out, id, std::regex("draw id of the course: ([0-9a-f]{16})")));
  std::smatch right;
  REQUIRE(std::regex_search(staff.out, right, std::regex("right: ([0-9]+) blocks")));
  REQUIRE(
      labs.run({"start", "warps", labs.path("in/ada/warps"), "--student", "ada", "--draw", id[1]})
          .code == 0);
  const std::string sheet =
      answered(read_file(labs / "in/ada/warps/answers.toml"), "blocks", right[1]);
  write_file_atomically(labs / "in/ada/warps/answers.toml", sheet);
  // check uses the numbers that the file was written for.
  CHECK(contains(labs.run({"check", "warps", labs.path("in/ada/warps")}).out, "30 / 100 points"));
  // bob copies, carol has everybody's numbers, the file of dan cannot be read.
  write_file_atomically(labs / "in/bob/warps/answers.toml", sheet);
  REQUIRE(labs.run({"start", "warps", labs.path("in/carol/warps")}).code == 0);
  write_file_atomically(labs / "in/carol/warps/answers.toml",
                        answered(read_file(labs / "in/carol/warps/answers.toml"), "share", "1"));
  write_file_atomically(labs / "in/dan/warps/answers.toml", "[answers");
  const auto grade = [&] {
    const ProcessResult result =
        labs.run({"grade", labs.path("in"), "--out", labs.path("out"), "--lab", "warps",
                  "--secret-file", labs.path("secret"), "--course", labs.path("course.toml")});
    INFO(result.out << result.err);
    REQUIRE(result.code == 0);
  };
  grade();
  const nlohmann::json ada = json_of(labs / "out/ada/warps/grade.json");
  CHECK(item(ada, "questions/blocks").at("points") == 30);
  CHECK_FALSE(item(ada, "questions/guard").at("question").at("solution") == "");  // for staff
  const std::string page = read_file(labs / "out/ada/warps/feedback.html");
  CHECK(contains(page, "Your answer: <code>" + right[1].str() + "</code>"));
  CHECK_FALSE(contains(page, "The elements have the indices"));
  const nlohmann::json bob = json_of(labs / "out/bob/warps/grade.json");
  CHECK(item(bob, "questions/blocks").at("points") == 0);
  CHECK(contains(item(bob, "questions/blocks").at("message").get<std::string>(),
                 "`warpgrade start warps DIR --student bob --draw " + id[1].str() + "` writes"));
  CHECK(bob.at("integrity").at(0).at("kind") == "answers-of-another");
  const nlohmann::json carol = json_of(labs / "out/carol/warps/grade.json");
  CHECK(contains(item(carol, "questions/share").at("message").get<std::string>(),
                 "other numbers than yours"));
  CHECK(carol.at("integrity").empty());
  const nlohmann::json dan = json_of(labs / "out/dan/warps/grade.json");
  CHECK(dan.at("failure") == "question_missed");
  CHECK(contains(item(dan, "questions/guard").at("message").get<std::string>(),
                 "answers.toml:1 cannot be read"));
  CHECK(contains(read_file(labs / "out/grades.csv"), "performance,questions,"));

  // Once the due date is over, pages show answers and solutions.
  write_file_atomically(labs / "course.toml",
                        "schema = 1\n[labs.warps]\ndue = 2020-01-01T00:00:00Z\n");
  REQUIRE(labs.run({"report", labs.path("out")}).code == 0);
  const std::string later = read_file(labs / "out/ada/warps/feedback.html");
  CHECK(contains(later, "The elements have the indices 0 to n - 1."));
  CHECK(contains(later, "The right answer: <code>b</code>"));
}

TEST_CASE(
    "lab check tries a lab's answers, and proves labs with free order and several right "
    "outputs",
    "[program][questions][lab][any_compiler]") {
  const Labs labs;
  for (const auto& [lab, line] : std::vector<std::pair<std::string, std::string>>{
           {"warps", "questions               5, answered in"},
           {"buckets", "solution has it all     1 of 1"},
           {"find", "mutants as they claim   1 of 1"}}) {
    const ProcessResult result = labs.run({"lab", "check", lab});
    INFO(result.out << result.err);
    CHECK(result.code == 0);
    CHECK(contains(result.out, line));
  }
  const std::string key = read_file(labs / "reference/warps/answers.toml");
  write_file_atomically(
      labs / "reference/warps/answers.toml",
      replace_all(key, "answer = \"floor(n / block)\"", "answer = \"ceil(n / block)\""));
  const ProcessResult broken = labs.run({"lab", "check", "warps"});
  CHECK(broken.code == 1);
  CHECK(contains(broken.out, "PROBLEM question blocks: partial answer 1 has 30 points, not 15"));
}

TEST_CASE("a prediction is compared with the counters of the student's own program",
          "[program][questions][any_compiler]") {
  const Labs labs;
  fs::create_directory(labs / "mine");
  fs::copy_file(labs / "reference/buckets/solution.cu", labs / "mine/buckets.cu");
  const auto check = [&](const std::string& atomics) {
    write_file_atomically(labs / "mine/answers.toml",
                          "[answers]\norder = \"b\"\natomics = " + atomics + "\n");
    return labs.run({"check", "buckets", labs.path("mine/buckets.cu"), "--sandbox", "none",
                     "--device", "emulator", "--json", labs.path("grade.json")});
  };
  const ProcessResult right = check("\"514 atomics\"");  // two for each of 257 keys
  INFO(right.out << right.err);
  CHECK(right.code == 0);
  CHECK(contains(right.out, "100 / 100 points"));
  const ProcessResult wrong = check("257");
  INFO(wrong.out);
  CHECK(wrong.code == 1);
  CHECK(contains(wrong.out, "Not yet: your program does something else."));
  CHECK_FALSE(contains(wrong.out, "514"));
  CHECK(item(json_of(labs / "grade.json"), "questions/atomics").at("question").at("expected") ==
        "");
}

TEST_CASE("wrong outputs in free order and wrong texts are described readably",
          "[program][questions][any_compiler]") {
  const Labs labs;
  const auto check = [&](const std::string& lab, const std::string& file) {
    const ProcessResult result =
        labs.run({"check", lab, labs.path("reference/" + lab + "/wrong/" + file), "--sandbox",
                  "none", "--device", "emulator", "--json", labs.path("grade.json")});
    INFO(result.out << result.err);
    CHECK(result.code == 1);
    return json_of(labs / "grade.json");
  };
  const auto case_of = [](const nlohmann::json& grade, const std::string& name) {
    for (const nlohmann::json& c : grade.at("cases")) {
      if (c.at("name") == name) return c;
    }
    return nlohmann::json();
  };
  const nlohmann::json buckets = case_of(check("buckets", "next_bucket.cu"), "below warp");
  CHECK(buckets.at("pattern") == "other-values");
  CHECK(contains(buckets.at("message").get<std::string>(),
                 "The order does not matter, but these do not belong: "));
  const nlohmann::json find = case_of(check("find", "one_too_far.cu"), "all equal");
  CHECK(contains(find.at("message").get<std::string>(), "300 is not an index of the text."));
}

/// The code blocks below "`path`...:" of one section of docs/adding-a-lab.md.
std::vector<std::pair<std::string, std::string>> files_of_section(const std::string& heading) {
  static const std::regex kCaption("^`([a-z_/]+\\.[a-z]+)`.*:$");
  const std::string page = read_file(testing::source_folder() / "docs" / "adding-a-lab.md");
  const std::size_t begin = page.find("\n## " + heading + "\n");
  REQUIRE(begin != std::string::npos);
  const std::string section = page.substr(begin, page.find("\n## ", begin + 4) - begin);
  std::vector<std::pair<std::string, std::string>> files;
  std::string path;
  bool inside = false;
  for (const std::string_view view : split_lines(section)) {
    const std::string line(view);
    std::smatch match;
    if (line.starts_with("```")) {
      inside = !inside && !path.empty();
      if (inside) files.emplace_back(std::exchange(path, ""), "");
    } else if (inside) {
      files.back().second += line + "\n";
    } else if (std::regex_match(line, match, kCaption)) {
      path = match[1];
    }
  }
  return files;
}

TEST_CASE("the lab of questions in docs/adding-a-lab.md works as it says",
          "[program][questions][docs]") {
  const Labs labs(true);
  REQUIRE(labs.run({"lab", "new", "grids", "--template", "questions"}).code == 0);
  const ProcessResult fresh = labs.run({"lab", "check", "grids"});
  INFO(fresh.out << fresh.err);
  CHECK(fresh.code == 0);
  const auto files = files_of_section("A lab of questions");
  CHECK(files.size() == 2);
  for (const auto& [path, text] : files) {
    REQUIRE(fs::exists(labs / path));
    write_file_atomically(labs / path, text);
  }
  const ProcessResult checked = labs.run({"lab", "check", "grids"});
  INFO(checked.out << checked.err);
  CHECK(checked.code == 0);
  REQUIRE(labs.run({"start", "grids", labs.path("mine")}).code == 0);
  std::string sheet = read_file(labs / "mine/answers.toml");
  sheet = answered(sheet, "blocks", "16");
  sheet = answered(sheet, "threads", "\"ceil_div(n, block) * block\"");
  write_file_atomically(labs / "mine/answers.toml", sheet);
  CHECK(labs.run({"check", "grids", labs.path("mine")}).code == 0);
  CHECK(contains(labs.run({"lab", "run", "grids", "x.cu"}).err, "there is no file 'x.cu'"));
  CHECK(contains(labs.run({"data", "grids", "--case", "a", "--out", labs.path("d")}).err,
                 "lab grids consists of questions, so there is nothing to run"));
  CHECK(contains(labs.run({"lab", "new", "more", "--template", "quiz"}).err, "function"));
}

}  // namespace
}  // namespace warpgrade
