#include "grader/speed/rung.h"

#include <algorithm>

#include "grader/cost_model/rung_change.h"
#include "grader/counters/formula.h"

namespace warpgrade {
namespace {

/// A condition that divides by a count of zero concerns something that is not done here.
bool stands_on(const Rung& rung, const Dims& dims, const std::vector<KernelReport>& kernels) {
  try {
    return evaluate_formula(rung.when, dims, [&](const CounterName& counter) {
             return counter_value(counter, kernels);
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
    if (stands_on(rung, dims, own.kernels)) {
      return RungReport{.index = i,
                        .count = rungs.size(),
                        .stage = rung.stage,
                        .title = rung.title,
                        .next_title = i < rungs.size() ? rungs[i].title : "",
                        .next = rung.next,
                        .next_times_faster =
                            gain_of_change(rung, dims, own, outcome->emulator->total(kTimeMetric))};
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade
