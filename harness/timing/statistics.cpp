#include "harness/timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>

namespace warpgrade {
namespace {

double drawn_median(const std::vector<double>& samples, std::mt19937_64& random) {
  std::vector<double> drawn(samples.size());
  // Not std::uniform_int_distribution: what it makes of the same bits differs between libraries.
  for (double& value : drawn) value = samples[random() % samples.size()];
  return quantile(std::move(drawn), 0.5);
}

constexpr std::size_t kRatioDraws = 2000;
constexpr std::uint64_t kRatioSeed = 1;

/// The two programs' times in one round.
struct Round {
  std::vector<double> submission;
  std::vector<double> reference;
};

constexpr double kDecile = 0.1;

/// The same as quantile(), to within a neighbour. Reorders.
double lower_decile(std::vector<double>& values) {
  const double place = kDecile * static_cast<double>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::lround(place));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double drawn_ratio(const std::vector<Round>& rounds, Round& room, std::mt19937_64& random) {
  room.submission.clear();
  room.reference.clear();
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const Round& round = rounds[random() % rounds.size()];
    for (std::size_t i = 0; i < round.submission.size(); ++i) {
      const std::size_t drawn = random() % round.submission.size();
      room.submission.push_back(round.submission[drawn]);
      room.reference.push_back(round.reference[drawn]);
    }
  }
  return lower_decile(room.submission) / lower_decile(room.reference);
}

}  // namespace

double quantile(std::vector<double> samples, double q) {
  if (samples.empty()) throw std::invalid_argument("a quantile of no samples");
  std::sort(samples.begin(), samples.end());
  const double place = q * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  const double part = place - static_cast<double>(below);
  return samples[below] + part * (samples[above] - samples[below]);
}

Summary summarise(const std::vector<double>& samples) {
  const double median = quantile(samples, 0.5);
  return {.samples = samples.size(),
          .median = median,
          .smallest = quantile(samples, 0),
          .spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / median};
}

Interval bootstrap_ratio(const std::vector<double>& over, const std::vector<double>& under,
                         std::size_t draws, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> ratios(draws);
  for (double& ratio : ratios) {
    const double top = drawn_median(over, random);
    ratio = top / drawn_median(under, random);
  }
  return {.low = quantile(ratios, 0.025), .high = quantile(ratios, 0.975)};
}

RatioEstimate estimate_ratio(std::span<const TimedPair> pairs) {
  if (pairs.empty()) throw std::invalid_argument("a ratio of no pairs");
  std::map<std::size_t, Round> numbered;
  for (const TimedPair& pair : pairs) {
    Round& round = numbered[pair.round];
    round.submission.push_back(pair.submission_ms);
    round.reference.push_back(pair.reference_ms);
  }
  std::vector<Round> rounds;
  for (auto& [number, round] : numbered) rounds.push_back(std::move(round));

  RatioEstimate estimate;
  Round all;
  for (const Round& round : rounds) {
    all.submission.insert(all.submission.end(), round.submission.begin(), round.submission.end());
    all.reference.insert(all.reference.end(), round.reference.begin(), round.reference.end());
  }
  estimate.submission_ms = quantile(std::move(all.submission), kDecile);
  estimate.reference_ms = quantile(std::move(all.reference), kDecile);
  estimate.ratio = estimate.submission_ms / estimate.reference_ms;

  std::mt19937_64 random(kRatioSeed);
  std::vector<double> ratios(kRatioDraws);
  Round room;
  for (double& ratio : ratios) ratio = drawn_ratio(rounds, room, random);
  estimate.interval = {.low = std::min(quantile(ratios, 0.025), estimate.ratio),
                       .high = std::max(quantile(ratios, 0.975), estimate.ratio)};
  return estimate;
}

}  // namespace warpgrade
