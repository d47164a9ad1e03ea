// Grades every attack of grader/tests/attacks, as a class: none may earn more than the same code
// without the attack.

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "grader/core/text.h"
#include "grader/tests/program.h"
#include "grader/tests/sample.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::flags_of;
using testing::GradedSamples;
using testing::row_of;
using testing::Sample;
using testing::samples_in;
using testing::shell;
using testing::warpgrade;
namespace {

/// What an attack may earn at most: a submission without the attack, with (`right`) or without
/// (`nothing`) the work.
Sample without_attack(const std::string& over) {
  const fs::path file =
      testing::source_folder() / "grader" / "tests" / "attacks" / "without_attack.cu";
  const std::string call = over == "right" ? "add_on_device(a, b, c, n);" : "";
  const std::string text =
      "#include \"right.cuh\"\n#include \"vecadd.h\"\nvoid vecadd(const float* a, "
      "const float* b, float* c, int n) { " +
      call + " }\n";
  return {.name = "over-" + over, .file = file, .text = text, .head = {}};
}

/// Grades one quarter of the attacks, because of the time limit per test.
void grade_quarter(std::size_t quarter) {
  const std::vector<Sample> some = samples_in("", quarter, 4);
  const Sample over_right = without_attack("right");
  const Sample over_nothing = without_attack("nothing");
  std::vector<Sample> all = some;
  all.push_back(over_right);
  all.push_back(over_nothing);
  const GradedSamples graded(all);
  const double right = graded.grade_of(over_right).at("score");
  const double nothing = graded.grade_of(over_nothing).at("score");
  CHECK(right == 100);
  CHECK(nothing < 15);
  CHECK(graded.grade_of(over_right).at("integrity").empty());
  CHECK(graded.grade_of(over_nothing).at("integrity").empty());
  CHECK(graded.grade_of(over_right).at("environment").at("sandbox") == "bubblewrap");
  for (const Sample& attack : some) {
    const nlohmann::json grade = graded.grade_of(attack);
    INFO(attack.name << ": " << grade.at("summary") << "\n" << grade.at("integrity").dump(1));
    CHECK(grade.at("score") <= (attack.says("over") == "right" ? right : nothing));
    CHECK(grade.at("status") != "error");
    if (attack.says("ends") == "refused") CHECK(grade.at("score") == 0);
    for (const auto& flag : grade.at("integrity")) {
      CHECK_FALSE(flag.at("evidence").get<std::string>().empty());
    }
    if (attack.says("flag") != "none") CHECK(flags_of(grade).contains(attack.says("flag")));
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

/// The same program with HIP's names.
Sample in_hip(Sample sample) {
  static const std::regex kName("\\bcuda(?=[A-Z])");
  sample.text = "#include <hip/hip_runtime.h>\n" + std::regex_replace(sample.text, kName, "hip");
  sample.ending = ".hip";
  return sample;
}

TEST_CASE("an attack in a HIP file gains as little as in a CUDA file", "[program][attacks]") {
  const std::set<std::string> kNames = {"on_the_host",           "forged_record", "code_by_name",
                                        "answer_through_kernel", "stale_output",  "host_assembly",
                                        "include_accounts",      "exit_fast"};
  std::vector<Sample> some;
  for (const Sample& attack : samples_in("")) {
    if (kNames.contains(attack.name)) some.push_back(in_hip(attack));
  }
  REQUIRE(some.size() == kNames.size());
  std::vector<Sample> all = some;
  all.push_back(in_hip(without_attack("right")));
  const GradedSamples graded(all);
  CHECK(graded.grade_of(all.back()).at("score") == 100);
  for (const Sample& attack : some) {
    const nlohmann::json grade = graded.grade_of(attack);
    INFO(attack.name << ": " << grade.at("summary") << "\n" << grade.at("integrity").dump(1));
    if (attack.says("over") != "right") CHECK(grade.at("score") < 15);
    if (attack.says("flag") != "none") CHECK(flags_of(grade).contains(attack.says("flag")));
  }
}

TEST_CASE("the table of attacks repeats what every attack's file says, and has no other row",
          "[attacks][docs]") {
  const std::string page = read_file(testing::source_folder() / "docs" / "security.md");
  std::size_t rows = 0;
  for (const std::string_view line : split_lines(page)) rows += line.starts_with("| `") ? 1 : 0;
  const std::vector<Sample> all = samples_in("");
  for (const Sample& attack : all) {
    INFO(attack.name);
    CHECK(contains(page, row_of(attack, {"name", "family", "tries", "holds"})));
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
