#include "grader/run/cases/second_call.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "grader/core/remove_tree.h"
#include "grader/run/cases/case_run.h"
#include "grader/run/worker/run_folder.h"
#include "grader/run/worker/undisturbed.h"
#include "grader/run/worker/worker.h"
#include "harness/data/array.h"
#include "harness/data/element_type.h"
#include "harness/lab/shapes.h"

namespace warpgrade {
namespace {

constexpr std::uint64_t kCheapBytes = std::uint64_t{1} << 20;  // of a cheap case's arrays

std::uint64_t array_bytes(const Lab& lab, const Case& spec) {
  std::uint64_t bytes = 0;
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.is_array()) {
      bytes += Array::count_of(shape_of(lab, parameter, spec.data.dims)) * size_of(parameter.type);
    }
  }
  return bytes;
}

}  // namespace

CallPair pick_call_pair(const Lab& lab, const std::vector<CaseOutcome>& outcomes) {
  const auto passes = [&](const Case& spec) {
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const CaseOutcome& c) {
      return c.report.name == spec.name && c.report.verdict == CaseVerdict::passed;
    });
  };
  std::vector<std::pair<std::uint64_t, const Case*>> cheap;
  for (const Case& spec : lab.cases) {
    const std::uint64_t bytes = array_bytes(lab, spec);
    if (spec.visible && bytes > 0 && bytes <= kCheapBytes && passes(spec)) {
      cheap.emplace_back(bytes, &spec);
    }
  }
  std::stable_sort(cheap.begin(), cheap.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  CallPair pair;
  if (lab.program) return pair;  // a process runs main() once
  for (std::size_t i = cheap.size(); i > 0 && pair.first == nullptr; --i) {
    if (cheap[i - 1].first < cheap.back().first) {
      pair = {.first = cheap[i - 1].second, .second = cheap.back().second};
    }
  }
  return pair;
}

void check_second_call(LabSession& session, const BuildResult& build,
                       const std::filesystem::path& scratch, std::vector<CaseOutcome>& outcomes) {
  const CallPair pair = pick_call_pair(session.lab(), outcomes);
  if (pair.first == nullptr) {
    return;
  }
  const auto of_case = std::find_if(outcomes.begin(), outcomes.end(),
                                    [&](const CaseOutcome& c) { return c.spec == pair.second; });
  if (of_case == outcomes.end()) {
    return;
  }
  const std::filesystem::path folder = new_run_folder(scratch);
  const auto [prepared, run] = run_undisturbed(
      [&] {
        return prepare_second_call(session.data(*pair.first, {}), session.data(*pair.second, {}),
                                   folder);
      },
      [&](const PreparedCase& c) {
        // Two calls: both get the limits that each has alone.
        return run_worker(build.program, c, session.device(), build.source_folder, {},
                          2 * kWallLimit);
      });
  CaseOutcome second = judge_run(*pair.second, run, judge_case(prepared), session.lab());
  remove_tree(folder.parent_path());
  if (second.report.verdict == CaseVerdict::passed || second.report.verdict == CaseVerdict::error ||
      second.report.verdict == CaseVerdict::not_assessed) {
    return;
  }
  second.report.message = fmt::format(
      "Correct when called once, but not as the second call in one process, after case \"{}\": "
      "which state is left from the first? {}",
      pair.first->name, second.report.message);
  of_case->report = std::move(second.report);
  of_case->fails_as_second_call = true;
}

}  // namespace warpgrade
