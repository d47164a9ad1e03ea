// Grades every attack of grader/attacks, as a class: none may earn more than the same code without
// the attack.

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
using testing::warpgrade;
namespace {

struct Attack {
  std::string name;
  std::map<std::string, std::string> head;  // "family", "tries", "holds", "over", "ends", "flag"
};

std::vector<Attack> attacks() {
  std::vector<Attack> found;
  for (const auto& entry :
       fs::directory_iterator(testing::source_folder() / "grader" / "attacks")) {
    if (entry.path().extension() != ".cu") continue;
    Attack attack{.name = entry.path().stem().string(), .head = {}};
    const std::string text = read_file(entry.path());
    std::string key;
    for (const std::string_view line : split_lines(text)) {
      constexpr std::size_t kValue = 12;  // the column where values start
      if (!line.starts_with("// ") || line.size() < kValue) break;
      const std::string_view word = line.substr(3, kValue - 3);
      std::string& value = attack.head[word[0] == ' ' ? key : key = word.substr(0, word.find(':'))];
      value += (value.empty() ? "" : " ") + std::string(line.substr(kValue));
    }
    found.push_back(std::move(attack));
  }
  std::sort(found.begin(), found.end(),
            [](const Attack& a, const Attack& b) { return a.name < b.name; });
  return found;
}

/// The class: each attack as a student, and the two submissions for comparison.
void make_class(const fs::path& folder, const std::vector<Attack>& all) {
  const fs::path from = testing::source_folder() / "grader" / "attacks";
  const std::string right = read_file(from / "right.cuh");
  for (const Attack& attack : all) {
    write_file_atomically(folder / attack.name / "vecadd.cu",
                          read_file(from / (attack.name + ".cu")));
    if (attack.head.at("over") == "right") {
      write_file_atomically(folder / attack.name / "right.cuh", right);
    }
  }
  write_file_atomically(
      folder / "over-nothing" / "vecadd.cu",
      "#include \"vecadd.h\"\nvoid vecadd(const float*, const float*, float*, int) {}\n");
  write_file_atomically(folder / "over-right" / "right.cuh", right);
  write_file_atomically(
      folder / "over-right" / "vecadd.cu",
      "#include \"right.cuh\"\n#include \"vecadd.h\"\nvoid vecadd(const float* a, "
      "const float* b, float* c, int n) { add_on_device(a, b, c, n); }\n");
}

/// Grades one quarter of the attacks, because of the time limit per test.
void grade_quarter(std::size_t quarter) {
  need_sandbox();
  std::vector<Attack> some;
  const std::vector<Attack> all = attacks();
  for (std::size_t i = quarter; i < all.size(); i += 4) some.push_back(all[i]);
  const ScratchFolder folder;
  make_class(folder.path() / "in", some);
  write_file_atomically(folder.path() / "secret", "of the course");
  const ProcessResult result =
      shell("$W grade in --out out --device emulator --jobs 2 --secret-file secret", folder.path(),
            std::chrono::minutes(9));
  INFO(result.out << result.err);
  REQUIRE(result.ok());  // 70 would mean that an attack caused an internal error
  const auto grade_of = [&](const std::string& student) {
    return nlohmann::json::parse(
        read_file(folder.path() / "out" / student / "vecadd" / "grade.json"));
  };
  const double right = grade_of("over-right").at("score");
  const double nothing = grade_of("over-nothing").at("score");
  CHECK(right == 100);
  CHECK(nothing < 15);
  CHECK(grade_of("over-right").at("integrity").empty());
  CHECK(grade_of("over-nothing").at("integrity").empty());
  CHECK(grade_of("over-right").at("environment").at("sandbox") == "bubblewrap");
  for (const Attack& attack : some) {
    const nlohmann::json grade = grade_of(attack.name);
    INFO(attack.name << ": " << grade.at("summary") << "\n" << grade.at("integrity").dump(1));
    CHECK(grade.at("score") <= (attack.head.at("over") == "right" ? right : nothing));
    CHECK(grade.at("status") != "error");
    if (attack.head.at("ends") == "refused") CHECK(grade.at("score") == 0);
    std::set<std::string> kinds;
    for (const auto& flag : grade.at("integrity")) {
      kinds.insert(flag.at("kind"));
      CHECK_FALSE(flag.at("evidence").get<std::string>().empty());
    }
    if (attack.head.at("flag") != "none") CHECK(kinds.contains(attack.head.at("flag")));
  }
}

TEST_CASE("no attack gains a point, and each is flagged: first quarter", "[program][attacks]") {
  grade_quarter(0);
}

TEST_CASE("no attack gains a point, and each is flagged: second quarter", "[program][attacks]") {
  grade_quarter(1);
}

TEST_CASE("no attack gains a point, and each is flagged: third quarter", "[program][attacks]") {
  grade_quarter(2);
}

TEST_CASE("no attack gains a point, and each is flagged: fourth quarter", "[program][attacks]") {
  grade_quarter(3);
}

TEST_CASE("the table of attacks repeats what every attack's file says, and has no other row",
          "[attacks][docs]") {
  const std::string page = read_file(testing::source_folder() / "docs" / "security.md");
  std::size_t rows = 0;
  for (const std::string_view line : split_lines(page)) rows += line.starts_with("| `") ? 1 : 0;
  const std::vector<Attack> all = attacks();
  for (const Attack& attack : all) {
    INFO(attack.name);
    const auto& head = attack.head;
    const std::string flag = head.at("flag") == "none" ? "" : head.at("flag");
    CHECK(contains(page, "| `" + attack.name + "` | " + head.at("family") + " | " +
                             head.at("tries") + " | " + head.at("holds") + " | " + flag + " |\n"));
  }
  CHECK(rows == all.size());
}

TEST_CASE("grade refuses to run without a sandbox, unless requested", "[program][sandbox]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in" / "a" / "vecadd.cu", "#include \"vecadd.h\"\n");
  // A bwrap that always fails simulates a machine where it does not work.
  write_file_atomically(folder.path() / "bin" / "bwrap",
                        "#!/bin/sh\necho no user namespaces >&2\nexit 1\n");
  fs::permissions(folder.path() / "bin" / "bwrap", fs::perms::owner_all);
  const std::string path = "PATH=$PWD/bin:$PATH ";
  const ProcessResult refused = shell(path + "$W grade in --out out", folder.path());
  CHECK(refused.code == 3);
  CHECK(contains(refused.err, "submissions cannot be isolated: bubblewrap does not work here"));
  CHECK(contains(refused.err, "use --sandbox none"));
  const ProcessResult told = shell(path + "$W grade in --out out --sandbox none", folder.path());
  INFO(told.err);
  CHECK(told.code == 0);
  const auto grade =
      nlohmann::json::parse(read_file(folder.path() / "out" / "a" / "vecadd" / "grade.json"));
  CHECK(grade.at("environment").at("sandbox") == "none");
  const ProcessResult checked =
      shell(path + "$W check vecadd in/a/vecadd.cu --device emulator", folder.path());
  CHECK(checked.code == 1);
  CHECK(contains(checked.err, "note: not isolated: bubblewrap does not work here"));
  CHECK(
      contains(shell(path + "$W doctor", folder.path()).out, "`grade` then needs --sandbox none"));
}

}  // namespace
}  // namespace warpgrade
