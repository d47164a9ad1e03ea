#include "grader/run/cases/second_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/record/counters/emulator_report.h"
#include "harness/case/program_run.h"
#include "harness/case/request.h"
#include "harness/case/untrusted_file.h"
#include "harness/core/plural.h"
#include "harness/lab/arguments.h"
#include "harness/tolerance/pattern.h"

namespace warpgrade {
namespace {

/// Limit for a run that is repeated: well below a second on any machine.
constexpr double kMostWarpInstructions = 1 << 20;

constexpr std::uint64_t kMostReadBytes = std::uint64_t{1} << 30;  // of an output

/// All bytes of an output; none if it is missing.
std::string output_of(const PreparedCase& run, const CallArgument& argument) {
  if (run.data->lab->program) return program_output(*run.data, argument.first(), run.folder);
  if (!run.delivers()) {
    return read_untrusted_file(run.folder / output_file(argument.name), kMostReadBytes)
        .value_or("");
  }
  const std::vector<std::byte>* const bytes = run.delivered_bytes(argument.name);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

/// The number of elements that differ in any byte; 0 if one of the runs left no complete output.
std::uint64_t differing(const std::string& a, const std::string& b, std::size_t element_size) {
  if (a.size() != b.size()) {
    return 0;
  }
  std::uint64_t count = 0;
  for (std::size_t at = 0; at + element_size <= a.size(); at += element_size) {
    count += a.compare(at, element_size, b, at, element_size) == 0 ? 0 : 1;
  }
  return count;
}

}  // namespace

bool may_depend_on_schedule(const CaseOutcome& outcome) {
  const CaseReport& report = outcome.report;
  const bool vague = report.pattern == slug(PatternKind::scattered) ||
                     report.pattern == slug(PatternKind::everything);
  if (report.verdict != CaseVerdict::wrong || !vague || !outcome.emulator ||
      outcome.emulator->total(kInstructionsMetric) > kMostWarpInstructions) {
    return false;
  }
  const auto& findings = outcome.emulator->findings;
  const auto is_race = [](const ReportedFinding& f) {
    return f.is_about(warpsim::FindingTopic::race) || f.is(warpsim::FindingKind::warp_synchronous);
  };
  if (std::any_of(findings.begin(), findings.end(), is_race)) {
    return true;
  }
  return outcome.emulator->total("global_atomic_threads") > 0 &&
         std::none_of(findings.begin(), findings.end(),
                      [](const ReportedFinding& f) { return f.is_error(); });
}

void compare_runs(const PreparedCase& first, const PreparedCase& second, CaseOutcome& outcome) {
  for (const CallArgument& argument : arguments_of(*first.data->lab)) {
    const OutputComparison& comparison = argument.first().comparison;
    if (!argument.first().is_written() || comparison.order != OutputOrder::fixed ||
        comparison.by_predicate) {
      continue;  // in right programs, too, such an output may depend on the order of execution
    }
    const std::size_t size = argument.element_bytes();
    const std::string output = output_of(first, argument);
    const std::uint64_t count = differing(output, output_of(second, argument), size);
    if (count == 0) {
      continue;
    }
    CaseReport& report = outcome.report;
    report.pattern = slug(PatternKind::nondeterministic);
    report.pattern_detail = fmt::format(
        "With the same threads scheduled in a different order, {} of {} of `{}` differ: "
        "the result depends on the order of execution.",
        count, plural(output.size() / size, "element"), argument.name);
    report.message += " " + report.pattern_detail;
    return;
  }
}

}  // namespace warpgrade
