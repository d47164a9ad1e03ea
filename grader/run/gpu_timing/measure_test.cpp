#include "grader/run/gpu_timing/measure.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "grader/judge/rubric/score.h"
#include "grader/run/device/card.h"
#include "grader/testing/evidence.h"

namespace warpgrade {
namespace {

using testing::right_evidence;
using testing::test_lab;

using Calls = std::vector<Record::TimedCall>;

Calls calls(double event_ms, double host_ms) {
  return Calls(7, {.number = 0, .event_ms = event_ms, .host_ms = host_ms});
}

std::vector<std::string> kinds(const std::vector<IntegrityFlag>& flags) {
  std::vector<std::string> found;
  for (const IntegrityFlag& flag : flags) found.push_back(flag.kind);
  return found;
}

/// A measured ratio with an interval, on test_lab()'s tiers: 15 points to 1.25, 5 to 2.
Evidence measured_evidence(const Lab& lab, double low, double ratio, double high) {
  Evidence evidence = right_evidence(lab);
  Timing timing{.name = lab.performance_case,
                .source = "measured",
                .submission_ms = ratio,
                .reference_ms = 1,
                .ratio = ratio};
  for (const Tier& tier : lab.tiers) {
    timing.tiers.push_back({.ratio = tier.ratio, .points = tier.points});
  }
  timing.runs =
      MeasuredRuns{.submission_ms = {}, .reference_ms = {}, .ratio_low = low, .ratio_high = high};
  evidence.measured = Measurement{.timing = timing, .problem = {}, .fault = {}, .flags = {}};
  return evidence;
}

Item performance(const Evidence& evidence) {
  return score_items(evidence).back();
}

TEST_CASE("the events' time counts unless the host's is much longer", "[timing]") {
  CHECK(counted_ms({.event_ms = 1, .host_ms = 1.02}, true) == 1);
  CHECK(counted_ms({.event_ms = 0.01, .host_ms = 0.03}, true) == 0.01);
  CHECK(counted_ms({.event_ms = 1, .host_ms = 1.5}, true) == 1.5);
  CHECK(counted_ms({.event_ms = 1, .host_ms = 900}, false) == 1);
}

TEST_CASE("two clocks that disagree are flagged for review", "[timing][integrity]") {
  CHECK(timing_flags(calls(1, 1.05), true, 0, std::nullopt).empty());
  CHECK(timing_flags(calls(1, 900), false, 0, std::nullopt).empty());
  const auto flags = timing_flags(calls(0.02, 3), true, 0, std::nullopt);
  REQUIRE(kinds(flags) == std::vector<std::string>{"clocks-disagree"});
  CHECK(flags[0].evidence ==
        "medians of 7 calls: 0.02 ms between the events, 3 ms until the device was idle");
}

TEST_CASE("a time below the card's bandwidth limit is flagged for review", "[timing][integrity]") {
  const CardPeaks peaks{.copy_bytes_per_second = 1e12, .fma_per_second = 0};
  constexpr std::uint64_t kBytes = 1'000'000'000;  // 1 ms
  CHECK(timing_flags(calls(0.9, 0.9), true, kBytes, peaks).empty());
  CHECK(kinds(timing_flags(calls(0.7, 0.7), true, kBytes, peaks)) ==
        std::vector<std::string>{"faster-than-possible"});
  CHECK(timing_flags(calls(0.7, 0.7), true, kBytes, std::nullopt).empty());
}

TEST_CASE("a reference that is slower only beside the submission was disturbed",
          "[timing][integrity]") {
  CHECK(is_disturbed({1.2, 1.21, 1.2}, {1, 1.01, 1}));
  CHECK_FALSE(is_disturbed({1.02, 1.03, 1.02}, {1, 1.01, 1}));
  CHECK_FALSE(is_disturbed({1, 1.4, 1.2}, {1, 1.2, 1.1}));
  CHECK_FALSE(is_disturbed({1.2}, {}));
}

TEST_CASE("a disturbed reference is flagged if a third of the rounds were", "[timing][integrity]") {
  constexpr ReferenceRound kQuiet{.beside_ms = 1, .alone_ms = 1, .disturbed = false};
  constexpr ReferenceRound kSlow{.beside_ms = 1.25, .alone_ms = 1, .disturbed = true};
  CHECK_FALSE(disturbance_flag({}));
  CHECK_FALSE(disturbance_flag({kQuiet, kQuiet}));
  CHECK_FALSE(disturbance_flag({kQuiet, kSlow, kQuiet, kQuiet}));
  const auto flag = disturbance_flag({kQuiet, kSlow, kQuiet});
  REQUIRE(flag);
  CHECK(flag->evidence ==
        "in 1 of 3 rounds; in the first of them a median of 1.25 ms beside it, 1 ms alone; only "
        "runs of the reference alone count");
}

TEST_CASE("a tier is reached up to 2 % above its border", "[timing][score]") {
  const Lab lab = test_lab();
  CHECK(performance(measured_evidence(lab, 1.21, 1.22, 1.23)).points == 15);
  const Item near = performance(measured_evidence(lab, 1.265, 1.27, 1.275));
  CHECK(near.points == 15);
  CHECK(near.message ==
        "Measured time 1.27 ms, the reference's 1 ms: ratio 1.270 (95 % confidence interval "
        "1.265 to "
        "1.275); counted as 1.25, within the measurement tolerance.");
  CHECK(performance(measured_evidence(lab, 1.275, 1.28, 1.285)).points == 5);
  const Item slow = performance(measured_evidence(lab, 2.045, 2.05, 2.06));
  CHECK(slow.points == 0);
  CHECK(slow.hint == "5 points from 2 times the reference's time on.");
  CHECK(slow.message ==
        "Measured time 2.05 ms, the reference's 1 ms: ratio 2.050 (95 % confidence interval "
        "2.045 to "
        "2.060).");
}

TEST_CASE("with a wide interval the student gets the benefit of the doubt", "[timing][score]") {
  const Lab lab = test_lab();
  CHECK(performance(measured_evidence(lab, 1.24, 1.4, 1.5)).points == 15);
  CHECK(performance(measured_evidence(lab, 1.26, 1.4, 1.5)).points == 5);
}

TEST_CASE("a modelled ratio is exact, and so are its tiers", "[timing][score]") {
  const Lab lab = test_lab();
  Timing timing = *measured_evidence(lab, 1, 1.2501, 1.3).measured->timing;
  timing.source = "modelled";
  CHECK(timing.deciding_ratio() == 1.2501);
  CHECK(performance_points(timing) == 5);
}

TEST_CASE("a ratio is undecided while its interval contains a ratio where points change",
          "[timing]") {
  const std::array tiers = {Tier{.ratio = 1.3, .points = 15}, Tier{.ratio = 2, .points = 10}};
  const auto undecided = [&](double low, double high) {
    return is_undecided({.ratio = low, .interval = {.low = low, .high = high}}, tiers);
  };
  CHECK_FALSE(undecided(1.28, 1.32));
  CHECK(undecided(1.32, 1.33));
  CHECK_FALSE(undecided(1.33, 1.4));
  CHECK(undecided(2.0, 2.1));
}

TEST_CASE("a submission that is wrong when it is timed has no performance points",
          "[timing][score]") {
  const Lab lab = test_lab();
  Evidence evidence = measured_evidence(lab, 1, 1, 1);
  evidence.measured->timing.reset();
  evidence.measured->problem = "Wrong during timing, for n = 9: `c` is wrong.";
  const Item item = performance(evidence);
  CHECK(item.points == 0);
  CHECK(item.status == ItemStatus::failed);
  CHECK(item.message == evidence.measured->problem);
}

TEST_CASE("a time that could not be measured because of an internal error is modelled, and says so",
          "[timing][score]") {
  const Lab lab = test_lab();
  Evidence evidence = measured_evidence(lab, 1, 1, 1);
  evidence.measured->timing.reset();
  evidence.measured->fault = "The reference is gone.";
  const Item item = performance(evidence);
  CHECK(item.points == 15);
  CHECK(item.message.ends_with(" It could not be measured: The reference is gone."));
  CHECK(timing_of(evidence)->source == "modelled");
}

TEST_CASE("throttle reasons are reported in words", "[timing][card]") {
  CHECK(throttle_words(0).empty());
  CHECK(throttle_words(0x4 | 0x40) == "sw-power-cap, hw-thermal");
}

TEST_CASE("without the management library a card's state is unknown", "[timing][card]") {
  CHECK_FALSE(read_card_state("GPU-none").has_value());
}

}  // namespace
}  // namespace warpgrade
