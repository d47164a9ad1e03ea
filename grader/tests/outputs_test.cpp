// Attacks on who delivers the outputs, and on what the harness reports of itself, in
// grader/attacks/outputs, graded as a class: none gains a point, and none is called an internal
// error; honest programs beside them keep all.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::need_sandbox;
using testing::shell;
namespace {

struct Program {
  std::string name;
  std::string text;
  std::map<std::string, std::string> head;  // "lab", "root", "tries", "holds", "becomes", "flag"
};

fs::path source() {
  return testing::source_folder() / "grader" / "attacks" / "outputs";
}

std::vector<Program> programs() {
  std::vector<Program> found;
  for (const auto& entry : fs::directory_iterator(source())) {
    if (entry.path().extension() != ".cu") continue;
    Program program{
        .name = entry.path().stem().string(), .text = read_file(entry.path()), .head = {}};
    std::string key;
    for (const std::string_view line : split_lines(program.text)) {
      constexpr std::size_t kValue = 12;  // the column where values start
      if (!line.starts_with("// ") || line.size() < kValue) break;
      const std::string_view word = line.substr(3, kValue - 3);
      std::string& value =
          program.head[word[0] == ' ' ? key : key = word.substr(0, word.find(':'))];
      value += (value.empty() ? "" : " ") + std::string(line.substr(kValue));
    }
    found.push_back(std::move(program));
  }
  std::sort(found.begin(), found.end(),
            [](const Program& a, const Program& b) { return a.name < b.name; });
  return found;
}

double passed_part(const nlohmann::json& grade) {
  double passed = 0;
  for (const auto& c : grade.at("cases")) passed += c.at("status") == "passed" ? 1 : 0;
  return passed / static_cast<double>(grade.at("cases").size());
}

void check_attack(const Program& program, const nlohmann::json& grade) {
  // Building, and a run without findings, may earn a few points.
  CHECK(grade.at("score") <= 20);
  for (const auto& c : grade.at("cases")) {
    // Of no elements nothing has to be computed.
    if (c.at("shape").dump().find(":0") == std::string::npos) CHECK(c.at("status") != "passed");
    CHECK(c.at("status") != "error");
  }
  for (const auto& item : grade.at("items")) {
    CHECK(item.at("status") != "error");
    CHECK((item.at("category") != "correctness" || item.at("points") < 10));
  }
  std::set<std::string> kinds;
  for (const auto& flag : grade.at("integrity")) kinds.insert(flag.at("kind"));
  if (program.head.at("flag") != "none") CHECK(kinds.contains(program.head.at("flag")));
}

/// Divided because of the time limit per test.
void grade_part(std::size_t part, std::size_t parts) {
  need_sandbox();
  const std::vector<Program> all = programs();
  REQUIRE(all.size() >= 25);
  const ScratchFolder folder;
  std::vector<Program> some;
  for (std::size_t i = part; i < all.size(); i += parts) {
    some.push_back(all[i]);
    const fs::path to = folder.path() / "in" / all[i].name;
    write_file_atomically(to / (all[i].head.at("lab") + ".cu"), all[i].text);
    if (contains(all[i].text, "\"internals.cuh\"")) {
      write_file_atomically(to / "internals.cuh", read_file(source() / "internals.cuh"));
    }
  }
  write_file_atomically(folder.path() / "secret", "of the course");
  const ProcessResult result =
      shell("$W grade in --out out --device emulator --jobs 2 --secret-file secret", folder.path(),
            std::chrono::minutes(9));
  INFO(result.out << result.err);
  REQUIRE(result.ok());  // 70 would mean that an attack caused an internal error
  for (const Program& program : some) {
    const nlohmann::json grade = nlohmann::json::parse(
        read_file(folder.path() / "out" / program.name / program.head.at("lab") / "grade.json"));
    INFO(program.name << ": " << grade.at("summary") << "\n"
                      << grade.at("integrity").dump(1) << grade.at("cases").dump(1));
    CHECK(grade.at("status") == "graded");
    CHECK(grade.at("items").at(0).at("status") == "passed");  // it was built
    if (program.head.at("becomes") == "nothing") {
      check_attack(program, grade);
    } else {
      CHECK(passed_part(grade) == 1);
      CHECK(grade.at("integrity").empty());
    }
  }
}

TEST_CASE("no attack on the delivery of outputs gains a point or a harness's excuse: first third",
          "[program][attacks][outputs]") {
  grade_part(0, 3);
}

TEST_CASE("no attack on the delivery of outputs gains a point or a harness's excuse: second third",
          "[program][attacks][outputs]") {
  grade_part(1, 3);
}

TEST_CASE("no attack on the delivery of outputs gains a point or a harness's excuse: last third",
          "[program][attacks][outputs]") {
  grade_part(2, 3);
}

TEST_CASE("`check` names what such a program did, and is no internal error either",
          "[program][attacks][outputs]") {
  need_sandbox();
  const auto checked = [](const std::string& name) {
    const ScratchFolder folder;
    write_file_atomically(folder.path() / "vecadd.cu", read_file(source() / (name + ".cu")));
    write_file_atomically(folder.path() / "internals.cuh", read_file(source() / "internals.cuh"));
    const ProcessResult result =
        shell("$W check vecadd . --device emulator", folder.path(), std::chrono::minutes(3));
    INFO(name << result.out << result.err);
    CHECK(result.code == 1);
    CHECK_FALSE(contains(result.out, "internal error"));
    return result.out;
  };
  CHECK(contains(checked("early_end"),
                 "The program called harness_call_ends after the harness's call had ended"));
  // Lines are wrapped.
  CHECK(contains(checked("fault_in_initializer"),
                 "The harness could not continue after the submission's initializers had run"));
  CHECK(contains(checked("changed_after_copy"), "the host computes them"));
}

TEST_CASE("the table of attacks on outputs repeats what every file says", "[attacks][docs]") {
  const std::string page = read_file(testing::source_folder() / "docs" / "security.md");
  std::size_t rows = 0;
  for (const std::string_view line : split_lines(page)) {
    rows += line.starts_with("| A | ") || line.starts_with("| B | ") ? 1 : 0;
  }
  const std::vector<Program> all = programs();
  for (const Program& program : all) {
    INFO(program.name);
    const auto& head = program.head;
    const std::string flag = head.at("flag") == "none" ? "" : head.at("flag");
    CHECK(contains(page, "| " + head.at("root") + " | " + head.at("lab") + " | `" + program.name +
                             "` | " + head.at("tries") + " | " + head.at("holds") + " | " + flag +
                             " |\n"));
  }
  CHECK(rows == all.size());
}

}  // namespace
}  // namespace warpgrade
