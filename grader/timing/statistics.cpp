#include "grader/timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "harness/data/random.h"

namespace warpgrade {
namespace {

constexpr std::size_t kResamples = 2000;
constexpr std::uint64_t kSeed = 0x77617270;  // any: fixed, so that the interval is reproducible
constexpr double kTail = 0.025;  // on each side of the interval

std::vector<double> times(std::span<const TimedPair> pairs, double TimedPair::*which) {
  std::vector<double> values;
  for (const TimedPair& pair : pairs) values.push_back(pair.*which);
  return values;
}

std::vector<std::vector<TimedPair>> by_round(std::span<const TimedPair> pairs) {
  std::map<std::size_t, std::vector<TimedPair>> rounds;
  for (const TimedPair& pair : pairs) rounds[pair.round].push_back(pair);
  std::vector<std::vector<TimedPair>> all;
  for (auto& [number, round] : rounds) all.push_back(std::move(round));
  return all;
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double spread(std::span<const double> values) {
  const double centre = median({values.begin(), values.end()});
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - centre));
  return median(std::move(deviations));
}

RatioEstimate estimate_ratio(std::span<const TimedPair> pairs) {
  const std::vector<double> submission = times(pairs, &TimedPair::submission_ms);
  const std::vector<double> reference = times(pairs, &TimedPair::reference_ms);
  RatioEstimate estimate{.submission_ms = median(submission),
                         .reference_ms = median(reference),
                         .submission_spread_ms = spread(submission),
                         .reference_spread_ms = spread(reference)};
  estimate.ratio = estimate.submission_ms / estimate.reference_ms;

  const Random random(kSeed);
  std::uint64_t drawn = 0;
  std::vector<double> ratios;
  const auto draw = [&](const auto& from) -> const auto& {
    return from[random.below(drawn++, static_cast<std::uint32_t>(from.size()))];
  };
  const std::vector<std::vector<TimedPair>> rounds = by_round(pairs);
  std::vector<double> own;
  std::vector<double> other;
  for (std::size_t sample = 0; sample < kResamples; ++sample) {
    own.clear();
    other.clear();
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      const std::vector<TimedPair>& round = draw(rounds);
      for (std::size_t i = 0; i < round.size(); ++i) {
        const TimedPair& pair = draw(round);
        own.push_back(pair.submission_ms);
        other.push_back(pair.reference_ms);
      }
    }
    ratios.push_back(median(own) / median(other));
  }
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](double share) {
    return ratios[static_cast<std::size_t>(share * static_cast<double>(ratios.size() - 1))];
  };
  estimate.low = std::min(at(kTail), estimate.ratio);
  estimate.high = std::max(at(1 - kTail), estimate.ratio);
  return estimate;
}

bool straddles(const RatioEstimate& estimate, std::span<const Tier> tiers) {
  return std::any_of(tiers.begin(), tiers.end(), [&](const Tier& tier) {
    return estimate.low <= tier.ratio && tier.ratio < estimate.high;
  });
}

}  // namespace warpgrade
