#include "grader/judge/speed/rung.h"

#include <algorithm>
#include <array>

#include "grader/record/counters/formula.h"
#include "grader/run/cost_model/rung_change.h"

namespace warpgrade {
namespace {

/// A condition that divides by a count of zero concerns something that is not done here.
bool stands_on(const Rung& rung, const Dims& dims, const EmulatorReport& report,
               const std::vector<KernelReport>& kernels) {
  try {
    return evaluate_formula(rung.when, dims, [&](const CounterName& counter) {
             return counter_value(counter, report, kernels);
           }) != 0;
  } catch (const ExpressionError&) {
    return false;
  }
}

/// Whether any result is wrong, or right by chance only, such as after an access outside an array:
/// the rung of such a program is meaningless.
bool is_wrong(const Evidence& evidence) {
  if (evidence.hidden && evidence.hidden->fails) {
    return true;
  }
  return std::any_of(evidence.cases.begin(), evidence.cases.end(), [](const CaseOutcome& c) {
    const CaseVerdict v = c.report.verdict;
    const bool has_error =
        c.emulator && std::any_of(c.emulator->findings.begin(), c.emulator->findings.end(),
                                  [](const ReportedFinding& f) { return f.is_error(); });
    return has_error ||
           (v != CaseVerdict::passed && v != CaseVerdict::not_assessed && v != CaseVerdict::error);
  });
}

/// The submission's kernels without those of a library; empty if the library's kernels take most of
/// the time, because then the rung would be the library's.
EmulatorReport own_part(const EmulatorReport& report) {
  EmulatorReport own{.device = report.device, .kernels = {}, .findings = {}};
  for (const KernelReport& kernel : report.kernels) {
    if (kernel.file.empty() || is_own(kernel.file)) {
      own.kernels.push_back(kernel);
    }
  }
  if (own.total(kTimeMetric) < report.total(kTimeMetric) / 2) {
    own.kernels.clear();
  }
  return own;
}

/// Kinds of instruction by which stages of a ladder differ.
constexpr std::array kMeans = {"shared_load_requests", "shared_atomic_lanes", "shuffles",
                               "global_atomic_lanes", "flops_tensor"};

/// What the algorithm of a stage determines, up to a factor.
constexpr std::array kTraffic = {"global_load_requests", "global_store_requests"};

/// A lab's own stages on one card, as far as their costs are known.
class Stages {
 public:
  Stages(const Evidence& evidence, const std::string& card) : evidence_(evidence), card_(card) {}

  /// @return null if it is not known
  [[nodiscard]] const ReferenceCost* find(std::size_t rung) const {
    const auto it =
        std::find_if(evidence_.ladder.begin(), evidence_.ladder.end(),
                     [&](const RungCost& c) { return c.rung == rung && c.card == card_; });
    return it == evidence_.ladder.end() || !(it->cost.modelled_ms > 0) ? nullptr : &it->cost;
  }

  /// The lowest rung from `first` on whose stage takes at most this time; 0 if there is none.
  [[nodiscard]] std::size_t faster(std::size_t first, double ms) const {
    for (std::size_t rung = first; rung <= evidence_.lab->rungs.size(); ++rung) {
      if (const ReferenceCost* stage = find(rung); stage != nullptr && stage->modelled_ms <= ms) {
        return rung;
      }
    }
    return 0;
  }

 private:
  const Evidence& evidence_;
  const std::string& card_;
};

/// Whether every program that launches a kernel is on this rung, as on the lowest one of many
/// ladders.
bool takes_any(const Rung& rung) {
  const std::vector<std::string>& names = rung.when.names();
  return std::all_of(names.begin(), names.end(),
                     [](const std::string& name) { return name == "launches"; });
}

/// Whether a program can be a variant of the stage of a rung that takes any: it has no kind of
/// instruction that the stage lacks, and is not as fast already as a rung above.
bool resembles(const std::vector<KernelReport>& kernels, double ms, std::size_t rung,
               const Stages& stages) {
  const ReferenceCost* here = stages.find(rung);
  if (here == nullptr || here->kernels.empty()) {
    return true;
  }
  const bool has_other_means = std::any_of(kMeans.begin(), kMeans.end(), [&](const char* name) {
    const CounterName& counter = *find_counter(name);
    return counter_value(counter, kernels) > 0 && !(counter_value(counter, here->kernels) > 0);
  });
  // Another number of accesses is another algorithm, such as running sums in place of windows.
  constexpr double kMostTimes = 4;
  const bool has_other_traffic =
      std::any_of(kTraffic.begin(), kTraffic.end(), [&](const char* name) {
        const CounterName& counter = *find_counter(name);
        const double own = counter_value(counter, kernels);
        const double its = counter_value(counter, here->kernels);
        return std::max(own, its) > kMostTimes * std::max(1.0, std::min(own, its));
      });
  const ReferenceCost* next = stages.find(rung + 1);
  const bool is_beyond =
      next != nullptr && ms <= next->modelled_ms && ms * kSameTime < here->modelled_ms;
  return !has_other_means && !has_other_traffic && !is_beyond;
}

/// Where the ladder leads from here: corrects the predicted gain by the times of the lab's own
/// stages, names no next rung that is slower than the program, and finds the next one that pays.
void look_ahead(RungReport& report, const Lab& lab, const Stages& stages, double ms) {
  const ReferenceCost* here = stages.find(report.index);
  const ReferenceCost* next = stages.find(report.index + 1);
  if (here == nullptr || next == nullptr) {
    return;
  }
  const double ratio = here->modelled_ms / next->modelled_ms;
  if (ratio * kSameTime < 1) {
    report.next_times_faster = ratio;
  }
  if (report.next_times_faster >= kSameTime) {
    return;  // predicted for this program
  }
  const bool is_slower = next->modelled_ms > ms * kSameTime;
  const bool is_predicted = report.next_times_faster > 0;
  if (!is_slower && !is_predicted && ratio >= kSameTime) {
    return;
  }
  if (const std::size_t rung =
          stages.faster(report.index + 2, std::min(here->modelled_ms, ms) / kSameTime)) {
    report.faster_index = rung;
    report.faster_title = lab.rungs[rung - 1].title;
  }
  if (is_slower) {
    report.next_title.clear();
    report.next.clear();
    report.next_times_faster = 0;
  } else if (!is_predicted) {
    report.next_times_faster = ratio;
  }
}

}  // namespace

std::optional<RungReport> find_rung(const Evidence& evidence) {
  const std::vector<Rung>& rungs = evidence.lab->rungs;
  const CaseOutcome* outcome = evidence.find_case(evidence.lab->performance_case);
  if (outcome == nullptr || outcome->report.verdict != CaseVerdict::passed || !outcome->emulator ||
      outcome->emulator->kernels.empty() || is_wrong(evidence)) {
    return std::nullopt;
  }
  const EmulatorReport own = own_part(*outcome->emulator);
  if (own.kernels.empty()) {
    return std::nullopt;
  }
  const Dims& dims = outcome->spec->data.dims;
  // What is compared with the stages, whose times may be those of the timeline.
  const double ms = modelled_time(*outcome->emulator, evidence.lab->times_timeline);
  const Stages stages(evidence, own.device);
  for (std::size_t i = rungs.size(); i > 0; --i) {
    const Rung& rung = rungs[i - 1];
    if (stands_on(rung, dims, *outcome->emulator, own.kernels)) {
      if (takes_any(rung) && !resembles(own.kernels, ms, i, stages)) {
        continue;
      }
      RungReport report{.index = i,
                        .count = rungs.size(),
                        .stage = rung.stage,
                        .title = rung.title,
                        .next_title = i < rungs.size() ? rungs[i].title : "",
                        .next = rung.next,
                        .next_times_faster =
                            gain_of_change(rung, dims, own, outcome->emulator->total(kTimeMetric))};
      look_ahead(report, *evidence.lab, stages, ms);
      return report;
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade
