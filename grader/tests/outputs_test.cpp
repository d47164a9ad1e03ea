// Attacks on who delivers the outputs, and on what the harness reports of itself, in
// grader/tests/attacks/outputs, graded as a class: none gains a point, and none is called an
// internal error; honest programs beside them keep all.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/tests/program.h"
#include "grader/tests/sample.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::flags_of;
using testing::GradedSamples;
using testing::need_sandbox;
using testing::passed_part;
using testing::row_of;
using testing::Sample;
using testing::samples_in;
using testing::shell;
namespace {

void check_attack(const Sample& sample, const nlohmann::json& grade) {
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
  if (sample.says("flag") != "none") CHECK(flags_of(grade).contains(sample.says("flag")));
}

/// Divided because of the time; of clang's a commit runs one of the parts.
void grade_third(std::size_t third) {
  if (testing::compiler() == "clang") testing::need_part("attacks on outputs", third, 3);
  const std::vector<Sample> some = samples_in("outputs", third, 3);
  REQUIRE(some.size() >= 8);
  const GradedSamples graded(some);
  for (const Sample& sample : some) {
    const nlohmann::json grade = graded.grade_of(sample);
    INFO(sample.name << ": " << grade.at("summary") << "\n"
                     << grade.at("integrity").dump(1) << grade.at("cases").dump(1));
    CHECK(grade.at("status") == "graded");
    CHECK(grade.at("items").at(0).at("status") == "passed");  // it was built
    if (sample.says("becomes") == "nothing") {
      check_attack(sample, grade);
    } else {
      CHECK(passed_part(grade) == 1);
      CHECK(grade.at("integrity").empty());
    }
  }
}

TEST_CASE("no attack on the delivery of outputs gains a point or a harness's excuse: first third",
          "[program][attacks][outputs]") {
  grade_third(0);
}

TEST_CASE("no attack on the delivery of outputs gains a point or a harness's excuse: second third",
          "[program][attacks][outputs]") {
  grade_third(1);
}

TEST_CASE("no attack on the delivery of outputs gains a point or a harness's excuse: last third",
          "[program][attacks][outputs]") {
  grade_third(2);
}

TEST_CASE("`check` names what such a program did, and is not an internal error either",
          "[program][attacks][outputs]") {
  need_sandbox();
  const auto checked = [](const std::string& name) {
    const ScratchFolder folder;
    const std::vector<Sample> all = samples_in("outputs");
    const auto sample =
        std::find_if(all.begin(), all.end(), [&](const Sample& each) { return each.name == name; });
    REQUIRE(sample != all.end());
    sample->hand_in(folder.path());
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
  const std::vector<Sample> all = samples_in("outputs");
  for (const Sample& sample : all) {
    INFO(sample.name);
    CHECK(contains(page, row_of(sample, {"root", "lab", "name", "tries", "holds"})));
  }
  CHECK(rows == all.size());
}

}  // namespace
}  // namespace warpgrade
