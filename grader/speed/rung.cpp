#include "grader/speed/rung.h"

#include <algorithm>

#include "grader/cost_model/rung_change.h"
#include "grader/counters/formula.h"

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

/// Where the ladder leads from here: corrects the predicted gain by the times of the lab's own
/// stages, and finds the next rung that pays, if the one above does not.
void look_ahead(RungReport& report, const Evidence& evidence, const std::string& card, double ms) {
  const auto stage = [&](std::size_t rung) -> const RungCost* {
    const auto it =
        std::find_if(evidence.ladder.begin(), evidence.ladder.end(),
                     [&](const RungCost& c) { return c.rung == rung && c.card == card; });
    return it == evidence.ladder.end() || !(it->cost.modelled_ms > 0) ? nullptr : &*it;
  };
  const RungCost* here = stage(report.index);
  const RungCost* next = stage(report.index + 1);
  if (here == nullptr || next == nullptr) {
    return;
  }
  const double ratio = here->cost.modelled_ms / next->cost.modelled_ms;
  if (ratio * kSameTime < 1) {
    report.next_times_faster = ratio;
  }
  const double times = report.next_times_faster > 0 ? report.next_times_faster : ratio;
  if (times >= kSameTime) {
    return;
  }
  const double best = std::min(here->cost.modelled_ms, ms) / kSameTime;
  for (std::size_t rung = report.index + 2; rung <= report.count; ++rung) {
    if (const RungCost* above = stage(rung); above != nullptr && above->cost.modelled_ms <= best) {
      report.faster_index = rung;
      report.faster_title = above->title;
      return;
    }
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
  for (std::size_t i = rungs.size(); i > 0; --i) {
    const Rung& rung = rungs[i - 1];
    if (stands_on(rung, dims, *outcome->emulator, own.kernels)) {
      const double ms = outcome->emulator->total(kTimeMetric);
      RungReport report{.index = i,
                        .count = rungs.size(),
                        .stage = rung.stage,
                        .title = rung.title,
                        .next_title = i < rungs.size() ? rungs[i].title : "",
                        .next = rung.next,
                        .next_times_faster = gain_of_change(rung, dims, own, ms)};
      look_ahead(report, evidence, own.device, ms);
      return report;
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade
