// Real wrong submissions: the cause that experiments show, with its proof, and those that no single
// change repairs, of which less is said.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "scripts/tests/command.h"

namespace warpgrade::test {
namespace {

using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

/// The grade of a wrong program of reference/<lab>/wrong, and what the terminal says of it.
struct Checked {
  json grade;
  std::string output;
};

Checked check(const std::string& lab, const std::string& mutant) {
  const ScratchFolder scratch;
  const auto file = scratch.path() / "grade.json";
  const std::string warpgrade = build_folder() / "bin/warpgrade";
  REQUIRE(run({warpgrade, "lab", "show", lab, mutant, "--into", scratch.path()}).exit_code == 0);
  const Outcome outcome =
      run({warpgrade, "check", lab, scratch.path() / (mutant + ".cu"), "--json", file});
  INFO(outcome.output);
  REQUIRE(outcome.exit_code == 1);
  return {json::parse(std::ifstream(file)), outcome.output};
}

struct Wanted {
  std::string lab, mutant, kind, pitfall, proof;
};

TEST_CASE("the change that makes all visible cases right is said behind the mistake", "[user]") {
  for (const Wanted& wanted : {
           Wanted{"reduction", "no_barrier_after_load", "barrier", "P22",
                  "With a block barrier after line 32 of no_barrier_after_load.cu, all 8 "
                  "visible cases are correct; now none is."},
           Wanted{"histogram", "plain_increment_in_shared", "indivisible", "P30",
                  "With the update at line 15 of plain_increment_in_shared.cu done as one atomic "
                  "step, all 11 visible cases are correct; now 4 are."},
           Wanted{
               "histogram", "private_not_zeroed", "uninitialized", "P35",
               "If uninitialized memory, such as line 13 of private_not_zeroed.cu reads, held 0, "
               "all 11 visible cases would be correct; now 2 are."},
           Wanted{
               "histogram", "bins_not_zeroed", "outputs", "P34",
               "If the output held 0 before the call, all 11 visible cases would be correct; now "
               "none is."},
           Wanted{"gemm", "truncated_grid", "blocks", "P2",
                  "With one more block along x and y, all 12 visible cases are correct; now 4 "
                  "are."},
           Wanted{"gemm", "grid_axes_exchanged", "axes", "P5",
                  "With x and y of the launch's grid swapped, all 12 visible cases are correct; "
                  "now 7 are."},
           Wanted{"gemm", "b_transposed", "axes", "P5", ""},
       }) {
    const Checked checked = check(wanted.lab, wanted.mutant);
    CAPTURE(wanted.lab, wanted.mutant, checked.output);
    REQUIRE(checked.grade.at("cause").is_object());
    CHECK(checked.grade.at("cause").at("kind") == wanted.kind);
    const std::string proof = checked.grade.at("cause").at("message");
    if (!wanted.proof.empty()) CHECK(proof == wanted.proof);
    CHECK(checked.grade.at("cause").at("runs") <= 40);
    CHECK(checked.grade.at("pitfall") == wanted.pitfall);
    const json& students = checked.grade.at("before_release");
    CHECK_THAT(students.at("summary").get<std::string>(), ContainsSubstring(proof));
    CHECK(students.at("cause") == checked.grade.at("cause"));
  }
}

TEST_CASE("where no single change helps, nothing is claimed", "[user]") {
  for (const auto& [lab, mutant] :
       {std::pair{"gemm", "first_element_only"}, std::pair{"histogram", "short_index"}}) {
    const Checked checked = check(lab, mutant);
    CAPTURE(lab, mutant, checked.output);
    CHECK(checked.grade.at("cause").is_null());
    CHECK_FALSE(checked.grade.at("summary").get<std::string>().empty());
  }
}

}  // namespace
}  // namespace warpgrade::test
