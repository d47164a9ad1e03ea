#include "grader/score/roofline.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "emulator/device/card.h"
#include "grader/score/formula.h"
#include "harness/lab/counter_names.h"

namespace warpgrade {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kSchedulers = 4;  // warp instructions a multiprocessor issues in a cycle

using Counter = std::function<double(std::string_view name)>;

double flops(const Counter& counter) {
  return counter("flops_fadd") + counter("flops_fmul") + 2 * counter("flops_ffma");
}

RooflinePoint point(const Counter& counter, bool counts_flops, double ms) {
  return {.operations = counts_flops ? flops(counter) : counter("warp_instructions"),
          .bytes = kSectorBytes * (counter("dram_read_sectors") + counter("dram_write_sectors")),
          .ms = ms};
}

}  // namespace

std::optional<Roofline> roofline_of(const EmulatorReport& submission,
                                    const ReferenceCost& reference) {
  const auto cards = warpsim::all_cards();
  const auto card = std::find_if(cards.begin(), cards.end(), [&](const warpsim::Card& c) {
    return c.name == submission.device;
  });
  if (card == cards.end() || !reference.counters.contains("warp_instructions")) {
    return std::nullopt;
  }
  const Counter own = [&](std::string_view name) {
    const CounterName* counter = find_counter(name);
    return counter == nullptr ? 0 : counter_value(*counter, submission.kernels);
  };
  const Counter theirs = [&](std::string_view name) {
    const auto it = reference.counters.find(std::string(name));
    return it == reference.counters.end() ? 0 : it->second;
  };
  const bool counts_flops = flops(own) > 0 && flops(theirs) > 0;
  const double clock_hz = 1000.0 * card->clock_khz;
  const double a_cycle = counts_flops ? 2.0 * card->fp32_lanes_per_sm : kSchedulers;
  return Roofline{.counts_flops = counts_flops,
                  .operations_per_second = a_cycle * card->multiprocessors * clock_hz,
                  .bytes_per_second = card->memory_bandwidth,
                  .submission = point(own, counts_flops, submission.total(kTimeMetric)),
                  .reference = point(theirs, counts_flops, reference.modelled_ms)};
}

}  // namespace warpgrade
