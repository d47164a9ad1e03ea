// Programs of grader/attacks/decoys, as a class: honest ones that treat their inputs in unusual
// ways keep their points, and what computes on the host does not.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::need_sandbox;
using testing::shell;
namespace {

struct Program {
  std::string name;
  std::string text;
  std::map<std::string, std::string> head;  // "lab", "does", "becomes", "flag"
};

std::vector<Program> programs() {
  std::vector<Program> found;
  for (const auto& entry :
       fs::directory_iterator(testing::source_folder() / "grader" / "attacks" / "decoys")) {
    Program program{.name = entry.path().stem().string(), .text = read_file(entry.path())};
    for (const std::string_view line : split_lines(program.text)) {
      constexpr std::size_t kValue = 12;  // the column where values start
      if (!line.starts_with("// ") || line.size() < kValue) break;
      const std::string_view word = line.substr(3, kValue - 3);
      program.head[std::string(word.substr(0, word.find(':')))] = line.substr(kValue);
    }
    found.push_back(std::move(program));
  }
  std::sort(found.begin(), found.end(),
            [](const Program& a, const Program& b) { return a.name < b.name; });
  return found;
}

std::set<std::string> flags_of(const nlohmann::json& grade) {
  std::set<std::string> kinds;
  for (const auto& flag : grade.at("integrity")) kinds.insert(flag.at("kind"));
  return kinds;
}

double correctness_of(const nlohmann::json& grade) {
  double points = 0;
  for (const auto& c : grade.at("cases")) points += c.at("verdict") == "passed" ? 1 : 0;
  return points / static_cast<double>(grade.at("cases").size());
}

/// One test has only so much time.
void grade_half(std::size_t half) {
  need_sandbox();
  const std::vector<Program> all = programs();
  REQUIRE(all.size() >= 20);
  const ScratchFolder folder;
  std::vector<Program> some;
  for (std::size_t i = half; i < all.size(); i += 2) {
    some.push_back(all[i]);
    write_file_atomically(folder.path() / "in" / all[i].name / (all[i].head.at("lab") + ".cu"),
                          all[i].text);
  }
  write_file_atomically(folder.path() / "secret", "of the course");
  const ProcessResult result =
      shell("$W grade in --out out --device emulator --jobs 2 --secret-file secret", folder.path(),
            std::chrono::minutes(9));
  INFO(result.out << result.err);
  REQUIRE(result.ok());
  for (const Program& program : some) {
    const nlohmann::json grade = nlohmann::json::parse(
        read_file(folder.path() / "out" / program.name / program.head.at("lab") / "grade.json"));
    INFO(program.name << ": " << grade.at("summary") << "\n" << grade.at("integrity").dump(1));
    const std::set<std::string> kinds = flags_of(grade);
    if (program.head.at("becomes") == "nothing") {
      CHECK(grade.at("score") < 15);
    } else {
      CHECK(correctness_of(grade) == 1);
    }
    if (program.head.at("flag") == "none") {
      CHECK(kinds.empty());
    } else {
      CHECK(kinds.contains(program.head.at("flag")));
    }
  }
}

TEST_CASE("honest programs keep their points whatever they do with their inputs: first half",
          "[program][attacks]") {
  grade_half(0);
}

TEST_CASE("honest programs keep their points whatever they do with their inputs: second half",
          "[program][attacks]") {
  grade_half(1);
}

}  // namespace
}  // namespace warpgrade
