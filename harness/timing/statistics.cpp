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
  // Not std::uniform_int_distribution, whose results differ between libraries.
  for (double& value : drawn) value = samples[random() % samples.size()];
  return quantile(std::move(drawn), 0.5);
}

constexpr std::size_t kRatioDraws = 2000;
constexpr std::uint64_t kRatioSeed = 1;

/// The same as quantile(values, 0.5), without sorting them all. Reorders.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The median of the pairs' ratios in one bootstrap sample: rounds are resampled, and pairs within
/// them.
double drawn_ratio(const std::vector<std::vector<double>>& rounds, std::vector<double>& room,
                   std::mt19937_64& random) {
  room.clear();
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const std::vector<double>& round = rounds[random() % rounds.size()];
    for (std::size_t i = 0; i < round.size(); ++i) room.push_back(round[random() % round.size()]);
  }
  return median_of(room);
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
  std::map<std::size_t, std::vector<double>> numbered;
  std::vector<double> submission;
  std::vector<double> reference;
  std::vector<double> ratios;
  for (const TimedPair& pair : pairs) {
    submission.push_back(pair.submission_ms);
    reference.push_back(pair.reference_ms);
    ratios.push_back(pair.submission_ms / pair.reference_ms);
    numbered[pair.round].push_back(ratios.back());
  }
  std::vector<std::vector<double>> rounds;
  for (auto& [number, round] : numbered) rounds.push_back(std::move(round));

  RatioEstimate estimate{.submission_ms = median_of(submission),
                         .reference_ms = median_of(reference),
                         .ratio = median_of(ratios),
                         .interval = {}};
  std::mt19937_64 random(kRatioSeed);
  ratios.resize(kRatioDraws);
  std::vector<double> room;
  for (double& ratio : ratios) ratio = drawn_ratio(rounds, room, random);
  estimate.interval = {.low = std::min(quantile(ratios, 0.025), estimate.ratio),
                       .high = std::max(quantile(ratios, 0.975), estimate.ratio)};
  return estimate;
}

}  // namespace warpgrade
