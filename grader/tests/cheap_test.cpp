// The labs of this repository against cheap answers, as `warpgrade lab check` tries them.

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <map>

#include "grader/author/check/cheap_answers.h"
#include "grader/core/installation.h"
#include "grader/core/parallel.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

void try_lab(const Lab& lab) {
  const GoldenLibrary golden(golden_file(find_installation().library, lab));
  std::vector<std::vector<CheapTry>> tries(lab.cases.size());
  parallel_for(lab.cases.size(), available_processors(), [&](std::size_t i) {
    tries[i] = try_cheap_answers(*make_case_data(lab, lab.cases[i], Secret{}, golden), golden);
  });
  std::map<std::string, std::vector<CheapTry>> by_case;
  for (std::size_t i = 0; i < tries.size(); ++i) by_case[lab.cases[i].name] = tries[i];
  const CheapCount count = count_cheap_answers(lab, by_case);
  std::printf("%s: %zu fail, %zu are right, %zu are waived\n", lab.id.c_str(), count.fail,
              count.right, count.waived);
  std::string all;
  for (const std::string& problem : count.problems) all += problem + "\n";
  INFO(lab.id << "\n" << all);
  CHECK(count.problems.empty());
  // Enough are tried that differ from the right answer. Of results of one value, as those of
  // bitwise and logical operators, many equal it.
  CHECK(count.fail > 3 * lab.cases.size());
}

/// Divided because of the time limit per test.
void try_third(std::size_t third) {
  const std::vector<std::string> ids = find_labs(testing::source_folder());
  for (std::size_t i = third; i < ids.size(); i += 3) {
    const Lab lab = load_lab(testing::source_folder() / "labs" / ids[i]);
    if (lab.has_code()) try_lab(lab);
  }
}

TEST_CASE("cheap answers fail in every case: first third of the labs", "[program][cheap]") {
  try_third(0);
}

TEST_CASE("cheap answers fail in every case: second third of the labs", "[program][cheap]") {
  try_third(1);
}

TEST_CASE("cheap answers fail in every case: last third of the labs", "[program][cheap]") {
  try_third(2);
}

}  // namespace
}  // namespace warpgrade
