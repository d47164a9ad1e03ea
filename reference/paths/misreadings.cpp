#include <cmath>
#include <cstddef>
#include <functional>
#include <string>

#include "harness/golden/misreading.h"

using warpgrade::GoldenCall;
using warpgrade::rounded_to;

namespace {

/// The curve of a channel: so many steps, from the value itself or from 0.
double curve(std::size_t channel, double v, int steps, int exchanged_start, int bits) {
  double r = channel % 2 == 1 ? v : 0;
  if (exchanged_start == 1) r = v;
  if (exchanged_start == 2) r = 0;
  for (int step = 0; step < steps; ++step) {
    switch (channel) {
      case 0:
        r += 0.125 * v * (1 - r);
        break;
      case 1:
        r -= 0.0625 * r * r;
        break;
      case 2:
        r = 0.75 * r + 0.25 * v * v;
        break;
      default:
        r += 0.125 * (v - r * r * r);
    }
    if (bits > 0) r = rounded_to(r, bits);
  }
  return r;
}

/// Which curve sample i of n gets, and which sample it is made from.
struct Reading {
  std::function<std::size_t(std::size_t i, std::size_t n)> channel =
      [](std::size_t i, std::size_t) { return i % 4; };
  std::function<std::size_t(std::size_t i, std::size_t n)> from = [](std::size_t i, std::size_t) {
    return i;
  };
  std::function<bool(std::size_t i, std::size_t n)> is_computed = [](std::size_t, std::size_t) {
    return true;
  };
  std::size_t chain =
      0;  // from this channel on, a curve is applied to the result of the one before
  std::size_t copied = 4;  // this channel is copied, without its curve; 4: none
  bool twice = false;  // the curve of the curve
  std::function<double(double value)> changed = [](double value) { return value; };
  int steps = 16;
  int start = 0;  // 1: all curves begin with the value, 2: with 0
  int bits = 0;  // of each step; 0: it is not rounded
};

auto reading(Reading how) {
  return [how](const GoldenCall& call) {
    const auto in = call.input<float>("in");
    const auto out = call.floats("out");
    const std::size_t n = in.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (how.chain > 0 && i % 4 >= how.chain) {
        double value = in[i - i % 4 + how.chain - 1];
        for (std::size_t channel = how.chain - 1; channel <= i % 4; ++channel) {
          value = curve(channel, value, how.steps, how.start, how.bits);
        }
        out.want[i] = value;
        out.condition[i] = 1;
        continue;
      }
      const std::size_t from = how.from(i, n);
      const auto applied = [&](double value) {
        return curve(how.channel(i, n), value, how.steps, how.start, how.bits);
      };
      double& want = out.want[i] = 0;
      if (how.is_computed(i, n) && from < n) {
        const double value = how.changed(in[from]);
        want = i % 4 == how.copied ? value : applied(value);
        if (how.twice) want = applied(want);
      }
      out.condition[i] = from < n ? 1 : warpgrade::kAnything;
    }
  };
}

}  // namespace

WARPGRADE_MISREADINGS(list) {
  list.unchanged(reading({}));
  list.add("red-for-all", "for the red curve of all samples",
           reading({.channel = [](std::size_t, std::size_t) { return std::size_t{0}; }}));
  list.add("green-for-all", "for the green curve of all samples",
           reading({.channel = [](std::size_t, std::size_t) { return std::size_t{1}; }}));
  list.add("blue-for-all", "for the blue curve of all samples",
           reading({.channel = [](std::size_t, std::size_t) { return std::size_t{2}; }}));
  list.add("alpha-for-all", "for the alpha curve of all samples",
           reading({.channel = [](std::size_t, std::size_t) { return std::size_t{3}; }}));
  for (const std::size_t chain : {1U, 2U, 3U}) {
    constexpr const char* kCurves[] = {"red", "green", "blue", "alpha"};
    list.add("chain-" + std::to_string(chain),
             std::string("if the curves from ") + kCurves[chain] +
                 " on were applied to the result of the curve before, not to their own sample",
             reading({.chain = chain}));
  }
  list.add("next-channel", "for the curve of the channel after the right one",
           reading({.channel = [](std::size_t i, std::size_t) { return (i + 1) % 4; }}));
  list.add("previous-channel", "for the curve of the channel before the right one",
           reading({.channel = [](std::size_t i, std::size_t) { return (i + 3) % 4; }}));
  list.add("channels-reversed", "for channels in the order alpha, blue, green, red",
           reading({.channel = [](std::size_t i, std::size_t) { return 3 - i % 4; }}));
  list.add("red-and-blue", "with the curves of red and blue exchanged",
           reading({.channel = [](std::size_t i, std::size_t) {
             return i % 4 == 0 ? std::size_t{2} : i % 4 == 2 ? std::size_t{0} : i % 4;
           }}));
  list.add("planes", "for all red samples first, then all green, blue and alpha ones",
           reading({.channel = [](std::size_t i, std::size_t n) { return i / (n / 4); }}));
  list.add("channel-of-pixel", "for one curve per pixel, by the pixel's number",
           reading({.channel = [](std::size_t i, std::size_t) { return i / 4 % 4; }}));
  list.add("channel-of-warp", "for one curve per warp of 32 samples, by the warp's number",
           reading({.channel = [](std::size_t i, std::size_t) { return i / 32 % 4; }}));
  list.add("first-channel-only", "in the red samples only; the others are 0",
           reading({.is_computed = [](std::size_t i, std::size_t) { return i % 4 == 0; }}));
  list.add("first-of-pixel", "for the red sample of each pixel in all its channels",
           reading({.from = [](std::size_t i, std::size_t) { return i / 4 * 4; }}));
  list.add("next-sample", "for the sample after the right one",
           reading({.from = [](std::size_t i, std::size_t) { return i + 1; }}));
  list.add("one-step-less", "for 15 steps of each curve; they have 16", reading({.steps = 15}));
  list.add("one-step-more", "for 17 steps of each curve; they have 16", reading({.steps = 17}));
  list.add("from-value", "if every curve began with the value itself", reading({.start = 1}));
  list.add("from-zero", "if every curve began with 0", reading({.start = 2}));
  constexpr const char* kColors[] = {"red", "green", "blue", "alpha"};
  for (const std::size_t channel : {0U, 1U, 2U, 3U}) {
    const std::string color = kColors[channel];
    list.add(color + "-copied", "if " + color + " samples were copied, without their curve",
             reading({.copied = channel}));
    if (channel > 0) {
      list.add(
          color + "-of-pixel", "for the " + color + " sample of each pixel in all its channels",
          reading({.from = [channel](std::size_t i, std::size_t) { return i / 4 * 4 + channel; }}));
    }
    for (std::size_t other = 0; other < 4; ++other) {
      if (other == channel) continue;
      list.add(color + "-by-" + kColors[other],
               "if " + color + " samples had the " + kColors[other] + " curve",
               reading({.channel = [=](std::size_t i, std::size_t) {
                 return i % 4 == channel ? other : i % 4;
               }}));
    }
  }
  for (const std::size_t block : {64U, 128U, 256U, 512U, 1024U}) {
    const std::string size = std::to_string(block);
    // Samples of a block sorted by channel: place c * block / 4 + p has sample 4 * p + c.
    const auto sorted = [block](std::size_t i) {
      const std::size_t t = i % block;
      return i - t + t % (block / 4) * 4 + t / (block / 4);
    };
    const auto spread = [block](std::size_t i) {
      const std::size_t t = i % block;
      return i - t + t % 4 * (block / 4) + t / 4;
    };
    const auto part = [block](std::size_t i, std::size_t) { return i % block / (block / 4); };
    list.add("left-sorted-" + size,
             "for results in the order of channels in each block of " + size +
                 " samples: they are not put back",
             reading({.channel = part,
                      .from = [sorted](std::size_t i, std::size_t) { return sorted(i); }}));
    list.add("read-as-sorted-" + size,
             "for samples read as if they were sorted by channel in each block of " + size,
             reading({.from = [spread](std::size_t i, std::size_t) { return spread(i); }}));
    if (block != 128) {
      list.add("channel-of-part-" + size,
               "for one curve per quarter of each block of " + size + " samples",
               reading({.channel = part}));
    }
    if (block > 256)
      list.add("channel-of-block-" + size,
               "for one curve per block of " + size + " samples, by the block's number",
               reading({.channel = [block](std::size_t i, std::size_t) { return i / block % 4; }}));
    list.add("first-block-" + size,
             "if all blocks of " + size + " threads read the samples of the first one",
             reading({.from = [block](std::size_t i, std::size_t) { return i % block; }}));
  }
  list.add("next-pixel", "for the samples of the pixel after the right one",
           reading({.from = [](std::size_t i, std::size_t) { return i + 4; }}));
  list.add("previous-pixel", "for the samples of the pixel before the right one",
           reading({.from = [](std::size_t i, std::size_t n) { return i < 4 ? n : i - 4; }}));
  list.add("previous-sample", "for the sample before the right one",
           reading({.from = [](std::size_t i, std::size_t n) { return i < 1 ? n : i - 1; }}));
  list.add("samples-reversed", "for the samples of each pixel in reverse order",
           reading({.from = [](std::size_t i, std::size_t) { return i + 3 - 2 * (i % 4); }}));
  list.add("red-and-blue-samples", "with the samples of red and blue exchanged",
           reading({.from = [](std::size_t i, std::size_t) {
             return i % 4 == 0 ? i + 2 : i % 4 == 2 ? i - 2 : i;
           }}));
  list.add("red-and-blue-results", "with the results of red and blue exchanged",
           reading({.channel =
                        [](std::size_t i, std::size_t) {
                          return i % 4 == 0 ? std::size_t{2} : i % 4 == 2 ? std::size_t{0} : i % 4;
                        },
                    .from =
                        [](std::size_t i, std::size_t) {
                          return i % 4 == 0 ? i + 2 : i % 4 == 2 ? i - 2 : i;
                        }}));
  list.add("twice", "if each curve were applied twice", reading({.twice = true}));
  list.add("whole-numbers", "for samples without their fractions: they are converted to int",
           reading({.changed = [](double value) { return std::trunc(value); }}), "P56");
  list.add("bytes", "for samples rounded down to 1/255, as in bytes",
           reading({.changed = [](double value) { return std::trunc(255 * value) / 255; }}), "P56");
  list.add("inverted", "for 1 - in in place of in",
           reading({.changed = [](double value) { return 1 - value; }}));
  list.add("bfloat16", "for steps rounded to bfloat16", reading({.bits = 8}), "P56");
  list.add("halves", "for steps rounded to half precision", reading({.bits = 11}), "P56");
}
