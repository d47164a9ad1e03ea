#include "grader/judge/assess/observed.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "grader/run/session/identity.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
using testing::right_evidence;
using testing::test_lab;
namespace {

/// Evidence with a value in every kind of field.
Observed some_observed(const Lab& lab) {
  Observed seen;
  seen.step = BuildStep::built;
  seen.build_log = "vecadd.cu(3): warning";
  seen.flags = {{.kind = "ended-early", .message = "It left early.", .evidence = ""}};
  seen.evidence = right_evidence(lab);
  testing::make_wrong(seen.evidence, 0, "tail", 96, std::nan(""), -0.0);
  seen.evidence.cases[0].report.max_error = std::numeric_limits<double>::infinity();
  seen.evidence.cases[0].report.bound = 5e-324;
  seen.evidence.cases[0].report.wrong_elements = std::numeric_limits<std::uint64_t>::max();
  testing::add_finding(seen.evidence, "race-shared", "error");
  seen.evidence.findings.clear();
  seen.evidence.measured =
      Measurement{.timing = Timing{.name = "large", .source = "measured", .ratio = 1.25},
                  .problem = {},
                  .fault = {},
                  .flags = {}};
  seen.evidence.measured->timing->runs =
      MeasuredRuns{.submission_ms = {0.1, 0.2}, .reference_ms = {0.3}, .ratio_low = 1.0 / 3};
  seen.open.cases = {seen.evidence.cases[1]};
  seen.profile = CardProfile{.runs = {{.tool = "ncu",
                                       .name = "large",
                                       .end = ToolEnd::done,
                                       .message = "1 launch.",
                                       .seconds = 2}},
                             .counts = {},
                             .findings = {}};
  seen.cases = {{"small", identity_of_case(lab.cases[0])},
                {"large", identity_of_case(lab.cases[1])}};
  seen.called_twice = {"small", "large"};
  seen.counted = {"large"};
  seen.started = "2026-11-21T09:30:00Z";
  seen.seconds = 1.5;
  return seen;
}

TEST_CASE("evidence is deserialized exactly", "[grade_submission][observed]") {
  const Lab lab = test_lab();
  const Observed seen = some_observed(lab);
  const std::string bytes = to_bytes(seen);
  const std::optional<Observed> read = observed_from_bytes(bytes);
  REQUIRE(read.has_value());
  CHECK(to_bytes(*read) == bytes);
  const CaseReport& report = read->evidence.cases.at(0).report;
  CHECK(report.verdict == CaseVerdict::wrong);
  CHECK(std::isinf(report.max_error));
  CHECK(report.bound == 5e-324);
  CHECK(report.wrong_elements == std::numeric_limits<std::uint64_t>::max());
  CHECK(std::isnan(report.first_mismatches.at(0).got));
  CHECK(std::signbit(report.first_mismatches.at(0).want));
  CHECK(read->evidence.cases.at(1).emulator->kernels.at(0).counters ==
        seen.evidence.cases[1].emulator->kernels[0].counters);
  CHECK(read->evidence.measured->timing->runs->ratio_low == 1.0 / 3);
  CHECK_FALSE(read->evidence.measured->timing->runs->ratio_high.has_value());
  CHECK(read->profile->runs.at(0).end == ToolEnd::done);
  CHECK(read->cases == seen.cases);
  CHECK(read->called_twice == seen.called_twice);
}

TEST_CASE("truncated or modified bytes are rejected without a crash",
          "[grade_submission][observed]") {
  const Lab lab = test_lab();
  const std::string bytes = to_bytes(some_observed(lab));
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    CHECK_FALSE(observed_from_bytes(std::string_view(bytes).substr(0, length)).has_value());
  }
  CHECK_FALSE(observed_from_bytes(bytes + "x").has_value());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0xFF);
    static_cast<void>(observed_from_bytes(changed));  // the result does not matter
  }
}

TEST_CASE("points, hints and titles do not change a run's identity; data, visibility and limits do",
          "[grade_submission][observed]") {
  const Lab lab = test_lab();
  const std::string program = identity_of_program(lab);
  const std::string spec = identity_of_case(lab.cases[0]);
  Lab other = lab;
  other.title = "Another";
  other.cases[0].points += 5;
  other.cases[0].hint = "Another";
  other.cases[0].data.name = "another";
  other.tiers.clear();
  other.concepts.clear();
  CHECK(identity_of_program(other) == program);
  CHECK(identity_of_case(other.cases[0]) == spec);

  other.tolerance.factor *= 2;
  CHECK(identity_of_program(other) != program);
  other = lab;
  other.architecture += 5;
  CHECK(identity_of_program(other) != program);
  for (const auto& change : std::vector<void (*)(Case&)>{
           [](Case& c) { c.visible = !c.visible; }, [](Case& c) { c.exact = !c.exact; },
           [](Case& c) { c.data.dims["n"] += 1; }, [](Case& c) { c.data.output_offset += 1; },
           [](Case& c) { c.data.fills["a"].high += 1; }}) {
    Case changed = lab.cases[0];
    change(changed);
    CHECK(identity_of_case(changed) != spec);
  }
}

TEST_CASE("evidence is adapted to the lab: its order, its tiers, without removed cases",
          "[grade_submission][observed]") {
  Lab lab = test_lab();
  Observed seen = some_observed(lab);
  std::swap(lab.cases[0], lab.cases[1]);
  lab.tiers = {{.ratio = 9, .points = 3}};
  fit_to_lab(lab, seen);
  REQUIRE(seen.evidence.cases.size() == 2);
  CHECK(seen.evidence.cases[0].report.name == "large");
  CHECK(seen.evidence.cases[0].spec == &lab.cases[0]);
  CHECK(seen.evidence.measured->timing->tiers.at(0).ratio == 9);
  lab.cases.pop_back();
  fit_to_lab(lab, seen);
  REQUIRE(seen.evidence.cases.size() == 1);
  CHECK(seen.evidence.cases[0].report.name == "large");
}

TEST_CASE("costs depend on the solution, and on the cases whose costs are needed",
          "[grade_submission][observed]") {
  Lab lab = test_lab();
  const std::string yardstick = identity_of_yardstick(lab, false);
  lab.tiers.clear();
  lab.cases[0].points += 1;
  CHECK(identity_of_yardstick(lab, false) == yardstick);
  CHECK(identity_of_yardstick(lab, true) != yardstick);
  for (Case& spec : lab.cases) {
    if (spec.name == lab.performance_case) spec.data.dims["n"] += 1;
  }
  CHECK(identity_of_yardstick(lab, false) != yardstick);
}

}  // namespace
}  // namespace warpgrade
