#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

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
  /// Samples in a chunk, of which those of other chunks count as 0; 0: there are no chunks.
  std::function<Int(Int n)> chunk = [](Int) { return Int{0}; };
  bool first_chunk = false;  // all chunks read the samples of the first one
  Int halo = 0;  // -1: a chunk has one less than the taps - 1 samples before it; 0: none of them
  bool chunk_edge_repeated = false;  // samples before a chunk equal its first one
  bool chunk_wraps = false;  // they are those at the chunk's own end
  Int chunk_offset = 0;  // of samples in chunks after the first one
  bool edge_repeated = false;  // samples before the first one equal it
  bool mirrored = false;  // sample -j is sample j
  bool no_first_sample = false;
  bool ones = false;  // in place of the weights
  bool magnitudes = false;
  bool whole_samples = false, whole_sums = false;  // are converted to int
  std::function<double(double used, Int number)> divisor = [](double, Int) { return 1.0; };
  bool wraps = false;  // they are those at the end of the signal
  bool no_early_outputs = false;  // outputs with fewer samples are 0
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
    const Int chunk = n > 0 ? how.chunk(n) : 0;
    for (Int i = 0; i < n; ++i) {
      double sum = 0;
      double size = 0;
      double used = 0;
      Int number = 0;  // of terms
      for (Int t = how.first(taps); t < how.end(taps); ++t) {
        Int at = i + how.offset + how.direction * t + (how.centred ? taps / 2 : 0);
        if (how.edge_repeated) at = std::clamp<Int>(at, 0, n - 1);
        if (how.mirrored) at = std::abs(at);
        if (how.wraps) at = ((at % n) + n) % n;
        const Int begin = chunk > 0 ? i / chunk * chunk : 0;
        bool missing = false;
        if (how.chunk_edge_repeated) {
          at = begin > 0 ? std::max(at, begin) : at;
        } else if (how.chunk_wraps) {
          at += at < begin && begin > 0 ? chunk : 0;
        } else if (how.first_chunk) {
          at -= begin;
        } else if (how.chunk_offset != 0) {
          at += begin > 0 ? how.chunk_offset : 0;
        } else if (chunk > 0) {
          missing = at < begin - (how.halo < 0 ? taps - 1 + how.halo : 0);
        }
        double weight = weights[static_cast<std::size_t>(how.tap(t, taps))];
        used += weight;
        if (at < 0 || at >= n || missing || (how.no_first_sample && at == 0)) continue;
        double sample = in[static_cast<std::size_t>(at)];
        if (how.recursive && t > 0) sample = out.want[static_cast<std::size_t>(at)];
        if (how.ones) weight = 1;
        ++number;
        if (how.whole_samples) sample = std::trunc(sample);
        if (how.bits > 0) {
          weight = rounded_to(weight, how.bits);
          sample = rounded_to(sample, how.bits);
        }
        sum += how.magnitudes ? std::abs(weight * sample) : weight * sample;
        size += std::abs(weight * sample);
      }
      if (const double divisor = how.divisor(used, number); divisor != 0) {
        sum /= divisor;
        size /= std::abs(divisor);
      }
      if (how.whole_sums) sum = std::trunc(sum);
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
  list.add("averages", "divided by the sum of the weights",
           reading({.divisor = [](double used, Int) { return used; }}));
  list.add("number-of-samples", "divided by the number of samples that are added",
           reading({.divisor = [](double, Int number) { return static_cast<double>(number); }}));
  list.add("edge-mirrored", "if the samples before the first one were mirrored; they are 0",
           reading({.mirrored = true}), "P60");
  list.add("no-first-sample", "without in[0]: the test is i - t > 0, in place of i - t >= 0",
           reading({.no_first_sample = true}));
  list.add("no-weights", "for sums of samples without the weights", reading({.ones = true}));
  list.add("magnitudes", "for the absolute values of the products", reading({.magnitudes = true}));
  list.add("whole-samples", "for samples without their fractions: they are converted to int",
           reading({.whole_samples = true}), "P56");
  list.add("whole-sums", "without fractions: sums are converted to int",
           reading({.whole_sums = true}), "P56");
  list.add("weight-after", "for the weight after the right one: weights[t + 1] at in[i - t]",
           reading({.offset = 1, .first = [](Int taps) { return std::min<Int>(taps, 1); }}));
  list.add("no-first-and-last", "without the first and the last weight",
           reading({.first = [](Int taps) { return std::min<Int>(taps, 1); },
                    .end = [](Int taps) { return taps - 1; }}));
  list.add("first-half-of-weights", "for the first half of the weights",
           reading({.end = [](Int taps) { return taps / 2; }}));
  list.add("whole-fours", "for groups of four weights: the rest of the division is left out",
           reading({.end = [](Int taps) { return taps / 4 * 4; }}), "P13");
  for (const Int most : {4, 8, 16}) {
    list.add("first-" + std::to_string(most) + "-weights",
             "for at most " + std::to_string(most) + " weights",
             reading({.end = [most](Int taps) { return std::min(taps, most); }}));
  }
  struct Chunks {
    std::string id, name;  // "1024", "1024 samples"
    std::function<Int(Int n)> size;
  };
  std::vector<Chunks> all;
  // Few sizes: the time for cases that are larger than a chunk is limited.
  for (const Int size : {256, 1024, 4096, 16384, 65536, 262144}) {
    const std::string text = std::to_string(size);
    all.push_back({text, text + " samples", [size](Int) { return size; }});
  }
  for (const Int parts : {2, 4, 8}) {
    all.push_back(
        {"part-" + std::to_string(parts),
         parts == 2 ? "half of the signal" : "1/" + std::to_string(parts) + " of the signal",
         [parts](Int n) { return (n + parts - 1) / parts; }});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Chunks& chunks = all[i];
    list.add("chunks-of-" + chunks.id,
             "for chunks of " + chunks.name + " that begin without the samples before them",
             reading({.chunk = chunks.size}), "P10");
    if (i < 5) continue;
    list.add("same-chunk-" + chunks.id,
             "if all chunks of " + chunks.name + " read the samples of the first one",
             reading({.chunk = chunks.size, .first_chunk = true}));
    list.add(
        "halo-short-" + chunks.id,
        "for chunks of " + chunks.name + " that have taps - 2 samples before them, not taps - 1",
        reading({.chunk = chunks.size, .halo = -1}), "P10");
    list.add(
        "chunk-early-" + chunks.id,
        "for chunks of " + chunks.name + " that read one sample too early, but for the first chunk",
        reading({.chunk = chunks.size, .chunk_offset = -1}));
    list.add("chunk-edge-repeated-" + chunks.id,
             "if the samples before a chunk of " + chunks.name + " equalled its first one",
             reading({.chunk = chunks.size, .chunk_edge_repeated = true}), "P10");
    list.add("chunk-wraps-" + chunks.id,
             "if the samples before a chunk of " + chunks.name + " were those at its own end",
             reading({.chunk = chunks.size, .chunk_wraps = true}), "P10");
  }
  list.add("bfloat16", "for factors rounded to bfloat16, 8 significant bits", reading({.bits = 8}),
           "P56");
  list.add("halves", "for factors cut to 11 bits, as in half precision or TF32",
           reading({.bits = 11}), "P56");
}
