#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

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
  bool averages = false;  // the sum
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
  /// Whether a sample of a half counts for its peak: `k` of `count`.
  std::function<bool(std::size_t k, std::size_t count)> counts = {};
  /// The peak of everything, from those of the halves.
  std::function<double(double first, double second)> both = {};
  /// Whether sample i is stored as it is.
  std::function<bool(std::size_t i, std::size_t n)> untouched = {};
};

/// Which of them is first: halves may be rounded up.
std::size_t half_of(std::size_t n) {
  return (n + 1) / 2;
}

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto samples = call.input<float>("samples");
    const auto result = call.floats("result");
    const std::size_t n = samples.size();
    Part known{1, 0};
    double peak = 0;
    const auto largest = [&](Part part) {
      double found = 0;
      for (std::size_t k = part.first; k < std::min(part.end, n); ++k) {
        const std::size_t half = half_of(n);
        const bool counts =
            !how.counts || (k < half ? how.counts(k, half) : how.counts(k - half, n - half));
        if (!counts) continue;
        const double size = how.size(samples[k]);
        found = how.sums ? found + size : std::max(found, size);
      }
      return how.averages && n > 0 ? found / static_cast<double>(n) : found;
    };
    if (how.both) {
      const std::size_t half = half_of(n);
      peak = how.both(largest(Part{0, half}), largest(Part{half, n}));
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Part part = how.part(i, n);
      if (!how.both && (part.first != known.first || part.end != known.end)) {
        known = part;
        peak = largest(part);
      }
      const std::size_t from = how.from(i, n);
      double want = how.result(from < n ? samples[from] : 0.0, peak);
      if (how.untouched && how.untouched(i, n)) want = samples[i];
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
  list.add("sum-of-peaks", "for the sum of the halves' peaks in place of the larger one",
           reading({.both = [](double first, double second) { return first + second; }}));
  list.add("smaller-peak", "for the smaller one of the halves' peaks",
           reading({.both = [](double first, double second) { return std::min(first, second); }}));
  list.add("mean-of-peaks", "for the mean of the halves' peaks in place of the larger one",
           reading({.both = [](double first, double second) { return (first + second) / 2; }}));
  list.add("second-untouched", "if the second half were not divided",
           reading({.untouched = [](std::size_t i, std::size_t n) { return i >= half_of(n); }}));
  list.add("first-untouched", "if the first half were not divided",
           reading({.untouched = [](std::size_t i, std::size_t n) { return i < half_of(n); }}));
  list.add("divided-twice", "if the samples were divided by the peak twice",
           reading({.result = [](double sample, double peak) {
             return peak == 0 ? 0 : sample / peak / peak;
           }}));
  list.add("whole-numbers", "for a peak without its fraction: it is an int",
           reading({.result = [](double sample, double peak) {
             return std::trunc(peak) == 0 ? 0 : sample / std::trunc(peak);
           }}));
  list.add(
      "squares", "divided by the square root of the sum of squares",
      reading({.size = [](double sample) { return sample * sample; },
               .sums = true,
               .result = [](double sample,
                            double peak) { return peak == 0 ? 0 : sample / std::sqrt(peak); }}));
  list.add("mean", "divided by the mean of the absolute values",
           reading({.sums = true, .averages = true}));
  list.add("first-lanes", "for a peak of lane 0 of each warp only",
           reading({.counts = [](std::size_t k, std::size_t) { return k % 32 == 0; }}));
  // No halves of blocks: whether the largest sample is in one of them is chance.
  for (const std::size_t block : {256U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add("thread-0-of-" + size,
             "for a peak of the first sample of each block of " + size + " only",
             reading({.counts = [block](std::size_t k, std::size_t) { return k % block == 0; }}));
    list.add("first-warp-of-" + size, "for a peak of the first warp of each block of " + size,
             reading({.counts = [block](std::size_t k, std::size_t) { return k % block < 32; }}));
    list.add("first-block-" + size, "for a peak of the first " + size + " samples of each half",
             reading({.counts = [block](std::size_t k, std::size_t) { return k < block; }}));
    list.add("last-block-" + size, "for a peak of the last block of " + size + " in each half",
             reading({.counts = [block](std::size_t k, std::size_t count) {
               return k >= (count - 1) / block * block;
             }}));
  }
  for (const std::size_t block : {128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    list.add(
        "half-of-blocks-" + size,
        "for a peak of the first half of each block of " + size + ": a step of the tree is missing",
        reading({.counts = [block](std::size_t k, std::size_t) { return k % block < block / 2; }}));
    if (block != 512) {
      list.add("last-warp-of-" + size,
               "for a peak of the last warp of each block of " + size +
                   ": each warp replaces the others",
               reading({.counts = [block](std::size_t k, std::size_t) {
                 return k % block >= block - 32;
               }}));
    }
    if (block > 256) continue;  // the visible cases tell no larger ones apart
    list.add("whole-blocks-" + size,
             "for a peak of whole blocks of " + size + " in each half: the rest is left out",
             reading({.counts = [block](std::size_t k,
                                        std::size_t count) { return k < count / block * block; }}),
             "P2");
  }
}
