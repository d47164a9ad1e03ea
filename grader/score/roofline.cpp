#include "grader/score/roofline.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "emulator/device/card.h"
#include "grader/score/formula.h"
#include "harness/lab/counter_names.h"

namespace warpgrade {
namespace {

using warpsim::Card;

constexpr double kSectorBytes = 32;

/// A kind of operation with a peak of its own.
struct FloatType {
  const char* name;
  const char* counter;
  double (*a_cycle)(const Card& card);  // operations of a multiprocessor
};
/// A lane does a fused multiply-add in a cycle, which is two operations. The tensor peak is that of
/// 16-bit types; tf32 has half of it.
constexpr std::array kTypes = {
    FloatType{"f64", "flops_f64", [](const Card& c) { return 2.0 * c.fp64_lanes_per_sm; }},
    FloatType{"f32", "flops_f32", [](const Card& c) { return 2.0 * c.fp32_lanes_per_sm; }},
    FloatType{"f16", "flops_half", [](const Card& c) { return 2.0 * c.fp16_per_clock; }},
    FloatType{"tensor", "flops_tensor",
              [](const Card& c) { return 1.0 * c.tensor_flops_per_clock; }},
};

double peak(const FloatType& type, const Card& card) {
  return type.a_cycle(card) * card.multiprocessors * 1000.0 * card.clock_khz;
}

using Counter = std::function<double(std::string_view name)>;

Counter counter_of(const std::map<std::string, double>& counters) {
  return [&counters](std::string_view name) {
    const auto it = counters.find(std::string(name));
    return it == counters.end() ? 0.0 : it->second;
  };
}

double flops(const Counter& counter) {
  double sum = 0;
  for (const FloatType& type : kTypes) {
    sum += counter(type.counter);
  }
  return sum;
}

/// Memory and each kind of arithmetic may work at the same time: the longest of them is the least
/// time.
double floor_ms(const Counter& counter, double bytes, const Card& card) {
  double seconds = card.memory_bandwidth > 0 ? bytes / card.memory_bandwidth : 0;
  for (const FloatType& type : kTypes) {
    if (const double most = peak(type, card); most > 0) {
      seconds = std::max(seconds, counter(type.counter) / most);
    }
  }
  return 1000 * seconds;
}

RooflinePoint point(const Counter& counter, bool counts_flops, double ms, const Card& card) {
  const double bytes =
      kSectorBytes * (counter("dram_read_sectors") + counter("dram_write_sectors"));
  return {.operations = counts_flops ? flops(counter) : counter("warp_instructions"),
          .bytes = bytes,
          .ms = ms,
          .floor_ms = floor_ms(counter, bytes, card)};
}

}  // namespace

std::optional<Roofline> roofline_of(const EmulatorReport& submission,
                                    const ReferenceCost& reference,
                                    const std::vector<RungCost>& ladder) {
  const auto cards = warpsim::all_cards();
  const auto card = std::find_if(cards.begin(), cards.end(),
                                 [&](const Card& c) { return c.name == submission.device; });
  if (card == cards.end() || !reference.counters.contains("warp_instructions")) {
    return std::nullopt;
  }
  const Counter own = [&](std::string_view name) {
    const CounterName* counter = find_counter(name);
    return counter == nullptr ? 0 : counter_value(*counter, submission.kernels);
  };
  std::vector<Counter> all = {own, counter_of(reference.counters)};
  const bool counts_flops = flops(all[1]) > 0;
  Roofline roofline{.counts_flops = counts_flops,
                    .bytes_per_second = card->memory_bandwidth,
                    .submission = point(own, counts_flops, submission.total(kTimeMetric), *card),
                    .reference = point(all[1], counts_flops, reference.modelled_ms, *card)};
  for (const RungCost& rung : ladder) {
    if (rung.card == submission.device) {
      all.push_back(counter_of(rung.cost.counters));
      roofline.rungs.push_back(
          {.rung = rung.rung,
           .title = rung.title,
           .point = point(all.back(), counts_flops, rung.cost.modelled_ms, *card)});
    }
  }
  for (const FloatType& type : kTypes) {
    const bool occurs =
        std::any_of(all.begin(), all.end(), [&](const Counter& c) { return c(type.counter) > 0; });
    if (occurs) {
      roofline.roofs.push_back({.type = type.name, .operations_per_second = peak(type, *card)});
    }
  }
  std::stable_sort(roofline.roofs.begin(), roofline.roofs.end(), [](const Roof& a, const Roof& b) {
    return a.operations_per_second < b.operations_per_second;
  });
  if (counts_flops) {
    roofline.operations_per_second = roofline.roofs.back().operations_per_second;
  }
  return roofline;
}

}  // namespace warpgrade
