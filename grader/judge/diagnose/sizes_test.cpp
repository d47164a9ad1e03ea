#include "grader/judge/diagnose/sizes.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

struct Sized {
  Dims dims;
  bool right = true;
};

/// The pitfall for these results.
std::string pitfall_of(const std::vector<Sized>& cases, const std::string& pattern = "scattered",
                       const std::vector<std::string>& shape = {"m", "k"}) {
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

}  // namespace
}  // namespace warpgrade
