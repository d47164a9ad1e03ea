#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

using Int = std::int64_t;

struct Reading {
  std::function<Int(Int t, Int taps)> tap = [](Int t, Int) { return t; };  // of the weight
  Int direction = -1;  // of the samples, from the output on
  Int offset = 0;  // of the first sample
  std::function<Int(Int taps)> first = [](Int) { return 0; };
  std::function<Int(Int taps)> end = [](Int taps) { return taps; };
  Int chunk = 0;  // samples of other chunks count as 0; 0: there are no chunks
  bool edge_repeated = false;  // samples before the first one equal it
  bool wraps = false;  // they are those at the end of the signal
  bool no_early_outputs = false;  // outputs with fewer samples are 0
  bool averages = false;
  bool centred = false;  // the window is half a length further on
  bool recursive = false;  // earlier outputs in place of earlier samples
  int bits = 0;  // of factors; 0: they are not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto weights = call.input<float>("weights");
    const auto out = call.floats("out");
    const auto n = static_cast<Int>(in.size());
    const auto taps = static_cast<Int>(weights.size());
    for (Int i = 0; i < n; ++i) {
      double sum = 0;
      double size = 0;
      double used = 0;
      for (Int t = how.first(taps); t < how.end(taps); ++t) {
        Int at = i + how.offset + how.direction * t + (how.centred ? taps / 2 : 0);
        if (how.edge_repeated) at = std::clamp<Int>(at, 0, n - 1);
        if (how.wraps) at = ((at % n) + n) % n;
        const bool other_chunk = how.chunk > 0 && at / how.chunk != i / how.chunk;
        double weight = weights[static_cast<std::size_t>(how.tap(t, taps))];
        used += weight;
        if (at < 0 || at >= n || other_chunk) continue;
        double sample = in[static_cast<std::size_t>(at)];
        if (how.recursive && t > 0) sample = out.want[static_cast<std::size_t>(at)];
        if (how.bits > 0) {
          weight = rounded_to(weight, how.bits);
          sample = rounded_to(sample, how.bits);
        }
        sum += weight * sample;
        size += std::abs(weight * sample);
      }
      if (how.averages && used != 0) {
        sum /= used;
        size /= std::abs(used);
      }
      if (how.no_early_outputs && i + 1 < taps) sum = size = 0;
      out.want[static_cast<std::size_t>(i)] = sum;
      out.condition[static_cast<std::size_t>(i)] = std::isfinite(sum) ? size : 0;
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("weights-reversed", "for the weights in reverse order",
           reading({.tap = [](Int t, Int taps) { return taps - 1 - t; }}));
  list.add("later-samples", "for in[i + t] in place of in[i - t]: the samples after the output",
           reading({.direction = 1}));
  list.add("centred", "for a window that has the output in its middle; it should end there",
           reading({.centred = true}));
  list.add("one-too-early", "for the samples one place before the right ones",
           reading({.offset = -1}));
  list.add("one-too-late", "for the samples one place after the right ones",
           reading({.offset = 1}));
  list.add("no-last-weight", "without the last weight: the loop ends at taps - 1",
           reading({.end = [](Int taps) { return taps - 1; }}));
  list.add("no-first-weight", "without the first weight: the loop begins at 1",
           reading({.first = [](Int taps) { return std::min<Int>(taps, 1); }}));
  list.add("first-weight-only", "for the first weight alone",
           reading({.end = [](Int taps) { return std::min<Int>(taps, 1); }}));
  list.add("last-weight-only", "for the last weight alone: each product replaces the sum",
           reading({.first = [](Int taps) { return taps - 1; }}));
  list.add("same-weight", "for the first weight at all samples",
           reading({.tap = [](Int, Int) { return Int{0}; }}));
  list.add("edge-repeated", "if the samples before the first one equalled it; they are 0",
           reading({.edge_repeated = true}), "P60");
  list.add("edge-wrapped", "if the samples before the first one were those at the end; they are 0",
           reading({.wraps = true}), "P60");
  list.add("early-outputs-zero", "if outputs with fewer than `taps` samples before them were 0",
           reading({.no_early_outputs = true}), "P60");
  list.add("recursive", "for earlier outputs in the place of earlier samples",
           reading({.recursive = true}));
  list.add("averages", "divided by the sum of the weights", reading({.averages = true}));
  for (const Int chunk : {256, 1024, 4096, 16384, 65536}) {
    list.add("chunks-of-" + std::to_string(chunk),
             "for chunks of " + std::to_string(chunk) +
                 " samples that begin without the samples before them",
             reading({.chunk = chunk}), "P10");
  }
  list.add("halves", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
}
