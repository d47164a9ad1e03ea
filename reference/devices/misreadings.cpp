#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

struct Part {
  std::size_t first, end;
};

struct Reading {
  std::function<double(double sample)> size = [](double sample) { return std::abs(sample); };
  bool sums = false;  // in place of the largest
  /// Where the peak of sample i is searched.
  std::function<Part(std::size_t i, std::size_t n)> part = [](std::size_t, std::size_t n) {
    return Part{0, n};
  };
  std::function<std::size_t(std::size_t i, std::size_t n)> from = [](std::size_t i, std::size_t) {
    return i;
  };
  std::function<double(double sample, double peak)> result = [](double sample, double peak) {
    return peak == 0 ? 0 : sample / peak;
  };
  int bits = 0;  // 0: not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto samples = call.input<float>("samples");
    const auto result = call.floats("result");
    const std::size_t n = samples.size();
    Part known{1, 0};
    double peak = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Part part = how.part(i, n);
      if (part.first != known.first || part.end != known.end) {
        known = part;
        peak = 0;
        for (std::size_t k = part.first; k < std::min(part.end, n); ++k) {
          const double size = how.size(samples[k]);
          peak = how.sums ? peak + size : std::max(peak, size);
        }
      }
      const std::size_t from = how.from(i, n);
      double want = how.result(from < n ? samples[from] : 0.0, peak);
      if (how.bits > 0) want = rounded_to(want, how.bits);
      result.want[i] = want;
      result.condition[i] = std::isfinite(want) ? std::abs(want) : 0;
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("own-half", "if each half were divided by its own peak",
           reading({.part = [](std::size_t i, std::size_t n) {
             return i < n / 2 ? Part{0, n / 2} : Part{n / 2, n};
           }}));
  list.add("own-half-rounded-up",
           "if each half, the first one rounded up, were divided by its own peak",
           reading({.part = [](std::size_t i, std::size_t n) {
             const std::size_t half = (n + 1) / 2;
             return i < half ? Part{0, half} : Part{half, n};
           }}));
  list.add("peak-of-first-half", "for the peak of the first half",
           reading({.part = [](std::size_t, std::size_t n) {
             return Part{0, n / 2};
           }}));
  list.add("peak-of-second-half", "for the peak of the second half",
           reading({.part = [](std::size_t, std::size_t n) {
             return Part{n / 2, n};
           }}));
  list.add("no-magnitude", "for the largest sample, without its absolute value",
           reading({.size = [](double sample) { return sample; }}));
  list.add("largest-negative", "for the largest negative sample as the peak",
           reading({.size = [](double sample) { return -sample; }}));
  list.add("sum", "divided by the sum of the absolute values", reading({.sums = true}));
  list.add("not-divided", "if the samples were not divided",
           reading({.result = [](double sample, double) { return sample; }}));
  list.add("multiplied", "if the samples were multiplied by the peak",
           reading({.result = [](double sample, double peak) { return sample * peak; }}));
  list.add("magnitudes", "for absolute values of the results",
           reading({.result = [](double sample, double peak) {
             return peak == 0 ? 0 : std::abs(sample) / peak;
           }}));
  list.add("silence-divided", "if silence were divided, too: 0 / 0 is NaN",
           reading({.result = [](double sample, double peak) { return sample / peak; }}));
  list.add(
      "first-half-twice", "if the second half were the first half again",
      reading({.from = [](std::size_t i, std::size_t n) { return i < n / 2 ? i : i - n / 2; }}));
  list.add("halves-exchanged", "with the two halves exchanged",
           reading({.from = [](std::size_t i, std::size_t n) {
             return i < n / 2 ? i + n / 2 : i - n / 2;
           }}));
  list.add("no-last", "for the peak without the last sample",
           reading({.part = [](std::size_t, std::size_t n) {
             return Part{0, n == 0 ? 0 : n - 1};
           }}));
  list.add("first-sample", "divided by the first sample",
           reading({.part = [](std::size_t, std::size_t) {
             return Part{0, 1};
           }}));
  list.add("half-precision", "rounded to half precision", reading({.bits = 11}), "P56");
}
