#include "grader/judge/diagnose/sizes.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "grader/judge/diagnose/rules.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

struct Sized {
  Dims dims;
  bool right = true;
};

/// A lab with an array of this shape, and these cases.
Lab lab_of(const std::vector<Sized>& cases, const std::vector<std::string>& shape = {"m", "k"}) {
  Lab lab = testing::test_lab();
  Parameter array;
  array.name = "a";
  for (const std::string& extent : shape) array.shape.emplace_back(extent);
  lab.parameters.push_back(array);
  lab.cases.clear();
  for (const Sized& sized : cases) {
    Case c;
    c.name = std::to_string(lab.cases.size());
    c.data.dims = sized.dims;
    c.data.settings = {"op"};
    lab.cases.push_back(c);
  }
  return lab;
}

Evidence evidence_of(const Lab& lab, const std::vector<Sized>& cases, const std::string& pattern) {
  Evidence evidence;
  evidence.lab = &lab;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CaseOutcome outcome;
    outcome.spec = &lab.cases[i];
    outcome.report.name = lab.cases[i].name;
    outcome.report.elements = 100;
    outcome.report.verdict = cases[i].right ? CaseVerdict::passed : CaseVerdict::wrong;
    outcome.report.pattern = cases[i].right ? "" : pattern;
    evidence.cases.push_back(outcome);
  }
  return evidence;
}

/// The pitfall for these results.
std::string pitfall_of(const std::vector<Sized>& cases, const std::string& pattern = "scattered",
                       const std::vector<std::string>& shape = {"m", "k"}) {
  const Lab lab = lab_of(cases, shape);
  const Evidence evidence = evidence_of(lab, cases, pattern);
  const std::vector<Item> items;
  const Clues clues(evidence, items, {});
  const auto diagnosis = sizes_that_fail(clues);
  return diagnosis ? diagnosis->pitfall : "";
}

Sized n(std::int64_t extent, bool right) {
  return {.dims = {{"n", extent}, {"op", 3}}, .right = right};
}

Sized mk(std::int64_t m, std::int64_t k, bool right) {
  return {.dims = {{"k", k}, {"m", m}}, .right = right};
}

TEST_CASE("if only multiples of a block are right, it is P13", "[diagnose][sizes]") {
  CHECK(pitfall_of({n(1, false), n(255, false), n(768, true), n(1000, false)}) == "P13");
  CHECK(pitfall_of({n(1, false), n(255, false), n(256, true), n(1 << 20, true)}) == "P13");
  CHECK(pitfall_of({mk(32, 64, true), mk(33, 64, false), mk(64, 33, false)}) == "P13");
}

TEST_CASE("a size of 0 says nothing about multiples", "[diagnose][sizes]") {
  CHECK(pitfall_of({n(0, true), n(255, false), n(1000, false)}).empty());
  CHECK(pitfall_of({mk(32, 0, true), mk(33, 64, false), mk(64, 33, false)}).empty());
}

/// What is said of cases of this many elements, of which all from an index on are wrong.
std::string partial_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& cases) {
  std::vector<Sized> sized;
  for (const auto& [size, first] : cases) {
    sized.push_back(n(static_cast<std::int64_t>(size), first == size));
  }
  const Lab lab = lab_of(sized);
  Evidence evidence = evidence_of(lab, sized, "tail");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CaseReport& report = evidence.cases[i].report;
    report.elements = cases[i].first;
    report.wrong_elements = cases[i].first - cases[i].second;
    if (report.wrong_elements > 0) {
      report.first_mismatches = {{.parameter = "c", .index = cases[i].second}};
    }
  }
  const std::vector<Item> items;
  const auto found = sizes_that_fail(Clues(evidence, items, {}));
  return found ? found->summary : "";
}

TEST_CASE("a block that is left out if it is not full is recognized by where it begins",
          "[diagnose][sizes]") {
  CHECK(
      partial_of({{100, 0}, {256, 0}, {1000003, 999936}, {1 << 20, 1 << 20}}) ==
      "In each case, whole blocks of 512 elements are right and all elements after them wrong, as "
      "if a block that is not full were left out.");
  CHECK(partial_of({{100, 96}, {1000, 992}})
            .starts_with("In each case, whole blocks of 16 elements"));
  // No block is whole; one begins elsewhere; one that is full is wrong.
  CHECK_FALSE(partial_of({{100, 0}, {200, 0}}).starts_with("In each case, whole"));
  CHECK_FALSE(
      partial_of({{100, 0}, {1000, 500}, {1 << 20, 1 << 20}}).starts_with("In each case, whole"));
  CHECK_FALSE(partial_of({{1000, 512}, {1024, 512}}).starts_with("In each case, whole"));
}

TEST_CASE("right cases that all have one element along an axis say nothing about multiples",
          "[diagnose][sizes]") {
  CHECK(pitfall_of({mk(1, 64, true), mk(1, 96, true), mk(9, 30, false), mk(7, 33, false)}).empty());
  CHECK(pitfall_of({mk(1, 64, true), mk(2, 96, true), mk(9, 30, false), mk(7, 33, false)}) ==
        "P13");
}

TEST_CASE("one exception, or a single wrong case, is not a rule", "[diagnose][sizes]") {
  CHECK(pitfall_of({n(1, false), n(255, true), n(768, true), n(1000, false)}).empty());
  CHECK(pitfall_of({n(768, true), n(1000, false)}).empty());
  CHECK(pitfall_of({n(1, false), n(255, false)}).empty());
}

TEST_CASE("if only powers of two are right, it is P14", "[diagnose][sizes]") {
  CHECK(pitfall_of({n(1, true), n(64, true), n(96, false), n(1000, false)}) == "P14");
  CHECK(pitfall_of({n(1, true), n(17, false), n(1000, false)}).empty());
  CHECK(pitfall_of({n(1, true), n(64, true), n(96, true), n(1000, false), n(7, false)}).empty());
}

TEST_CASE("if only square shapes are right, it is P5, or P4 if an end is missing",
          "[diagnose][sizes]") {
  const std::vector<Sized> cases = {mk(1, 1, true), mk(17, 17, true), mk(64, 32, false),
                                    mk(5, 30, false)};
  CHECK(pitfall_of(cases) == "P5");
  CHECK(pitfall_of(cases, "last-column") == "P4");
  CHECK(pitfall_of({mk(1, 1, true), mk(64, 32, false), mk(5, 30, false)}).empty());
  CHECK(
      pitfall_of({mk(17, 17, true), mk(64, 32, true), mk(5, 30, false), mk(6, 9, false)}).empty());
}

TEST_CASE("equal extents of different arrays say nothing", "[diagnose][sizes]") {
  const std::vector<Sized> cases = {mk(1, 1, true), mk(17, 17, true), mk(64, 32, false),
                                    mk(5, 30, false)};
  CHECK(pitfall_of(cases, "scattered", {"m"}).empty());
  CHECK(pitfall_of(cases, "scattered", {"m", "k + 1"}).empty());
}

TEST_CASE("cases that cannot tell a square from a multiple name neither", "[diagnose][sizes]") {
  CHECK(pitfall_of({mk(64, 64, true), mk(17, 30, false), mk(30, 64, false)}).empty());
}

struct Operated {
  std::int64_t n = 0;
  std::int64_t op = 0;
  bool right = true;
};

std::string setting_of(const std::vector<Operated>& cases) {
  Lab lab = testing::test_lab();
  lab.settings = {{.name = "op", .values = {"sum", "max", "last"}}};
  lab.cases.clear();
  for (const Operated& one : cases) {
    Case& c = lab.cases.emplace_back();
    c.data.dims = {{"n", one.n}, {"op", one.op}};
    c.data.settings = {"op"};
  }
  Evidence evidence;
  evidence.lab = &lab;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CaseOutcome& outcome = evidence.cases.emplace_back();
    outcome.spec = &lab.cases[i];
    outcome.report.elements = 1;
    outcome.report.verdict = cases[i].right ? CaseVerdict::passed : CaseVerdict::wrong;
  }
  const std::vector<Item> items;
  return setting_that_fails(Clues(evidence, items, {}));
}

TEST_CASE("a setting that all failing cases have, and cases of their size without it, are named",
          "[diagnose][sizes]") {
  CHECK(setting_of({{10, 0, true}, {99, 1, true}, {300, 1, true}, {200, 2, false}}) ==
        "All 3 cases with another `op` than `last` are right.");
  // It may be the size.
  CHECK(setting_of({{10, 0, true}, {99, 1, true}, {150, 1, true}, {200, 2, false}}).empty());
  // Another value fails, too; or too few are right.
  CHECK(setting_of({{10, 0, true}, {99, 1, false}, {300, 1, true}, {200, 2, false}}).empty());
  CHECK(setting_of({{10, 0, true}, {300, 1, true}, {200, 2, false}}).empty());
}

TEST_CASE("a clue that rests on the cases alone gives way to shapes that explain them as well",
          "[diagnose][sizes]") {
  const std::vector<Sized> cases = {mk(1, 1, true), mk(28, 28, true), mk(4, 5, false),
                                    mk(9, 7, false)};
  const auto says = [](const std::vector<Sized>& results, const Clue& clue) {
    Lab lab = lab_of(results);
    lab.clues = {clue};
    const Evidence evidence = evidence_of(lab, results, "scattered");
    const std::vector<Item> items;
    const std::vector<SourceFile> sources = {{.name = "a.cu", .text = "bias"}};
    const auto said = rules::clue_on_failure(Clues(evidence, items, sources));
    return said ? said->summary : std::string();
  };
  Clue clue;
  clue.pitfall = "none";
  clue.says = "Right with one channel.";
  clue.fails = {"2"};
  clue.passes = {"0", "1"};
  CHECK(says(cases, clue).empty());
  std::vector<Sized> others = cases;
  others.push_back(mk(3, 4, true));
  CHECK(says(others, clue) == clue.says);
  clue.source = "bias";
  CHECK(says(cases, clue) == clue.says);
  clue.source.clear();
  clue.pitfall = "P5";
  CHECK(says(cases, clue) == clue.says);
}

}  // namespace
}  // namespace warpgrade
