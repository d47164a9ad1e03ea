#include "harness/timing/statistics.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace warpgrade {
namespace {

double drawn_median(const std::vector<double>& samples, std::mt19937_64& random) {
  std::vector<double> drawn(samples.size());
  // Not std::uniform_int_distribution: what it makes of the same bits differs between libraries.
  for (double& value : drawn) value = samples[random() % samples.size()];
  return quantile(std::move(drawn), 0.5);
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

}  // namespace warpgrade
