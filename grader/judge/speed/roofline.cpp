#include "grader/judge/speed/roofline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <string_view>

#include "emulator/device/card.h"
#include "grader/record/counters/card_counts.h"
#include "grader/record/counters/formula.h"
#include "harness/data/element_type.h"
#include "harness/lab/counter_names.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

using warpsim::Card;

constexpr double kSectorBytes = 32;

/// A type of operation with its own peak.
struct FloatType {
  const char* name;
  const char* counter;
  double (*a_cycle)(const Card& card);  // operations per cycle and multiprocessor
};
/// A lane does one fused multiply-add, two operations, per cycle. The tensor peak is that of 16-bit
/// types; tf32 has half of it.
constexpr std::array kTypes = {
    FloatType{"f64", "flops_f64", [](const Card& c) { return 2.0 * c.fp64_lanes_per_sm; }},
    FloatType{"f32", "flops_f32", [](const Card& c) { return 2.0 * c.fp32_lanes_per_sm; }},
    FloatType{"f16", "flops_half", [](const Card& c) { return 2.0 * c.fp16_per_clock; }},
    FloatType{"tensor", "flops_tensor",
              [](const Card& c) { return 1.0 * c.tensor_flops_per_clock; }},
};

/// The limits of a card; 0 if unknown.
struct Limits {
  double bytes_per_second = 0;
  std::array<double, kTypes.size()> peaks = {};  // operations per second, in the order of kTypes
  bool measured = false;
};

Limits limits_of(const Card& card) {
  Limits limits{.bytes_per_second = card.memory_bandwidth};
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    limits.peaks[i] = kTypes[i].a_cycle(card) * card.multiprocessors * 1000.0 * card.clock_khz;
  }
  return limits;
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

/// Memory and each type of arithmetic can overlap, so the longest of them is the minimum time.
double floor_ms(const Counter& counter, double bytes, const Limits& limits) {
  double seconds = limits.bytes_per_second > 0 ? bytes / limits.bytes_per_second : 0;
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (limits.peaks[i] > 0) {
      seconds = std::max(seconds, counter(kTypes[i].counter) / limits.peaks[i]);
    }
  }
  return 1000 * seconds;
}

RoofOperation operation_of(bool counts_flops) {
  return counts_flops ? RoofOperation::flop : RoofOperation::instruction;
}

RooflinePoint point(const Counter& counter, bool counts_flops, double ms, const Limits& limits) {
  const double bytes =
      kSectorBytes * (counter("dram_read_sectors") + counter("dram_write_sectors"));
  return {.operations = counts_flops ? flops(counter) : counter("warp_instructions"),
          .bytes = bytes,
          .ms = ms,
          .floor_ms = floor_ms(counter, bytes, limits)};
}

/// The peaks of the types that are used, the highest last.
void add_roofs(const std::vector<Counter>& all, const Limits& limits, Roofline& roofline) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    const bool occurs = std::any_of(all.begin(), all.end(),
                                    [&](const Counter& c) { return c(kTypes[i].counter) > 0; });
    if (occurs && limits.peaks[i] > 0) {
      roofline.roofs.push_back({.type = kTypes[i].name, .operations_per_second = limits.peaks[i]});
    }
  }
  std::stable_sort(roofline.roofs.begin(), roofline.roofs.end(), [](const Roof& a, const Roof& b) {
    return a.operations_per_second < b.operations_per_second;
  });
  if (roofline.counts_flops() && !roofline.roofs.empty()) {
    roofline.operations_per_second = roofline.roofs.back().operations_per_second;
  }
}

Counter counter_of(const EmulatorReport& report) {
  return [&report](std::string_view name) {
    const CounterName* counter = find_counter(name);
    return counter == nullptr ? 0 : counter_value(*counter, report.kernels);
  };
}

const Card* card_named(std::string_view name) {
  const auto cards = warpsim::all_cards();
  const auto it =
      std::find_if(cards.begin(), cards.end(), [&](const Card& c) { return c.name == name; });
  return it == cards.end() ? nullptr : &*it;
}

/// The card with a GPU's name: "NVIDIA A100-SXM4-80GB" contains the word A100.
const Card* card_of_gpu(const std::string& gpu) {
  if (const Card* card = card_named(gpu)) {
    return card;
  }
  std::string word;
  for (const char c : gpu + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += c;
    } else if (const Card* card = word.empty() ? nullptr : warpsim::find_card(word)) {
      return card;
    } else {
      word.clear();
    }
  }
  return nullptr;
}

Limits limits_of(const CardRecord& gpu) {
  const Card* card = card_of_gpu(gpu.name);
  Limits limits = card == nullptr ? Limits{} : limits_of(*card);
  if (gpu.peaks) {
    limits.measured = true;
    limits.bytes_per_second = gpu.peaks->copy_bytes_per_second;
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
      if (std::string_view(kTypes[i].name) == "f32") {
        limits.peaks[i] = 2 * gpu.peaks->fma_per_second;
      }
    }
  }
  return limits;
}

/// The work of the submission and the reference in the timed call.
struct Work {
  CountSource source = CountSource::task;
  Counter submission;
  Counter reference;
  double submission_ms = 0;  // of the kernels; 0 if unknown
  double reference_ms = 0;
};

/// The minimum work of any program for these extents.
std::map<std::string, double> task_of(const Lab& lab, const Dims& dims) {
  const auto bytes = static_cast<double>(bytes_of_arrays(lab, dims));
  const bool doubles =
      std::any_of(lab.parameters.begin(), lab.parameters.end(), [](const Parameter& parameter) {
        return parameter.is_array() && parameter.type == ElementType::f64;
      });
  std::map<std::string, double> work = {{"dram_read_sectors", bytes / kSectorBytes}};
  if (lab.flops) {
    work[doubles ? "flops_f64" : "flops_f32"] = evaluate(lab, *lab.flops, dims);
  }
  return work;
}

Counter owned(std::map<std::string, double> counters) {
  return [counters = std::move(counters)](std::string_view name) {
    const auto it = counters.find(std::string(name));
    return it == counters.end() ? 0.0 : it->second;
  };
}

Work work_in(const Timing& timing, const Evidence& evidence,
             const std::optional<CardProfile>& profile) {
  const CardCounts* own = profile ? profile->find("submission", true) : nullptr;
  const CardCounts* other = profile ? profile->find("reference", true) : nullptr;
  // A card may lack counters for memory traffic.
  const auto has_traffic = [](const CardCounts* counts) {
    return counts != nullptr && work_of(counts->kernels).at("dram_read_sectors") > 0;
  };
  if (has_traffic(own) && has_traffic(other)) {
    return {.source = CountSource::ncu,
            .submission = owned(work_of(own->kernels)),
            .reference = owned(work_of(other->kernels)),
            .submission_ms = milliseconds_of(own->kernels),
            .reference_ms = milliseconds_of(other->kernels)};
  }
  const CaseOutcome* run = evidence.find_case(evidence.lab->performance_case);
  const auto cost = evidence.references.find(evidence.lab->performance_case);
  if (run != nullptr && run->emulator && run->spec->data.dims == timing.shape &&
      cost != evidence.references.end() && cost->second.counters.contains("warp_instructions")) {
    return {.source = CountSource::emulator,
            .submission = counter_of(*run->emulator),
            .reference = counter_of(cost->second.counters)};
  }
  const Counter task = owned(task_of(*evidence.lab, timing.shape));
  return {.source = CountSource::task, .submission = task, .reference = task};
}

}  // namespace

std::optional<Roofline> roofline_of(const EmulatorReport& submission,
                                    const ReferenceCost& reference,
                                    const std::vector<RungCost>& ladder) {
  const Card* card = card_named(submission.device);
  if (card == nullptr || !reference.counters.contains("warp_instructions")) {
    return std::nullopt;
  }
  const Limits limits = limits_of(*card);
  const Counter own = counter_of(submission);
  std::vector<Counter> all = {own, counter_of(reference.counters)};
  const bool counts_flops = flops(all[1]) > 0;
  Roofline roofline{.operation = operation_of(counts_flops),
                    .bytes_per_second = limits.bytes_per_second,
                    .submission = point(own, counts_flops, submission.total(kTimeMetric), limits),
                    .reference = point(all[1], counts_flops, reference.modelled_ms, limits)};
  for (const RungCost& rung : ladder) {
    if (rung.card == submission.device) {
      all.push_back(counter_of(rung.cost.counters));
      roofline.rungs.push_back(
          {.rung = rung.rung,
           .title = rung.title,
           .point = point(all.back(), counts_flops, rung.cost.modelled_ms, limits)});
    }
  }
  add_roofs(all, limits, roofline);
  return roofline;
}

std::optional<Roofline> measured_roofline(const Timing& timing, const Evidence& evidence,
                                          const std::optional<CardProfile>& profile) {
  const CaseOutcome* run = evidence.find_case(evidence.lab->performance_case);
  Limits limits;
  if (timing.card) {
    limits = limits_of(*timing.card);
  } else if (run != nullptr && run->emulator) {
    if (const Card* card = card_named(run->emulator->device)) {
      limits = limits_of(*card);
    }
  }
  if (!(limits.bytes_per_second > 0)) {
    return std::nullopt;
  }
  const Work work = work_in(timing, evidence, profile);
  const bool counts_flops = flops(work.reference) > 0;
  const auto& parameters = evidence.lab->parameters;
  const bool kernels_only =
      work.submission_ms > 0 && work.reference_ms > 0 &&
      std::any_of(parameters.begin(), parameters.end(),
                  [](const Parameter& p) { return p.is_array() && p.memory != Memory::device; });
  Roofline roofline{
      .operation = operation_of(counts_flops),
      .bytes_per_second = limits.bytes_per_second,
      .submission = point(work.submission, counts_flops,
                          kernels_only ? work.submission_ms : timing.submission_ms, limits),
      .reference = point(work.reference, counts_flops,
                         kernels_only ? work.reference_ms : timing.reference_ms, limits),
      .counted_by = work.source,
      .limits = limits.measured ? LimitSource::measured : LimitSource::data_sheet,
      .kernels_only = kernels_only};
  add_roofs({work.submission, work.reference}, limits, roofline);
  if (counts_flops && roofline.roofs.empty()) {
    return std::nullopt;
  }
  return roofline;
}

}  // namespace warpgrade
