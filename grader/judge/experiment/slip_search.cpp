#include "grader/judge/experiment/slip_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "grader/core/remove_tree.h"
#include "grader/judge/experiment/trials.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/record/evidence/failed_case.h"
#include "grader/run/device/device.h"
#include "grader/run/worker/decoy_run.h"
#include "grader/run/worker/worker_inputs.h"
#include "harness/case/case.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// How many lines slips begin in.
std::size_t count_lines(const std::vector<Slip>& slips) {
  std::set<std::pair<std::string, std::uint32_t>> lines;
  for (const Slip& slip : slips) lines.emplace(slip.file, slip.line);
  return lines.size();
}

constexpr double kLargestCase = 1 << 21;  // warp instructions
constexpr std::size_t kMostRuns = 12;
/// A slip may leave one case wrong if it has at most this share of the lost points, if it makes so
/// many right, and if few slips are left.
constexpr double kMostLeft = 0.25;
constexpr std::size_t kLeastRepaired = 3;
constexpr std::size_t kFewSlips = 8;
/// Per warp: more than these, and more times what the case's warps have on average, is a loop
/// without an end. A case that has such a warp without an edit says nothing.
constexpr std::uint64_t kLeastBudget = 4096;
constexpr std::uint64_t kTimesAverage = 16;
constexpr std::chrono::seconds kSlipWall{10};

std::uint64_t warps_of(const CaseOutcome& c) {
  const auto product = [](const std::vector<std::uint64_t>& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
  };
  std::uint64_t warps = 0;
  for (const KernelReport& kernel : c.emulator->kernels) {
    warps += kernel.launches * product(kernel.grid) * ((product(kernel.block) + 31) / 32);
  }
  return std::max<std::uint64_t>(warps, 1);
}

std::uint64_t budget_of(const CaseOutcome& c) {
  return kLeastBudget + kTimesAverage * static_cast<std::uint64_t>(work_of(c)) / warps_of(c);
}

/// Whether a mistake in one place of the code can lead to it: wrong indices and conditions do to
/// all of these.
bool may_follow_from_slip(const ReportedFinding& f) {
  using warpsim::FindingTopic;
  return f.is_about(FindingTopic::address) || f.is_about(FindingTopic::race) ||
         f.is_about(FindingTopic::unwritten) || f.is_tidiness();
}

/// Whether an edit of the code may explain a case.
bool has_wrong_values(const CaseOutcome& c) {
  return c.report.verdict == CaseVerdict::wrong && !c.fails_as_second_call && !c.ended_early &&
         c.emulator && std::ranges::all_of(c.emulator->findings, [](const ReportedFinding& f) {
           return !f.is_error() || may_follow_from_slip(f);
         });
}

/// "line 27", "lines 27 and 28", "lines 27, 28 and 30".
std::string place_of(const Slip& slip) {
  if (slip.also.empty()) return fmt::format("line {}", slip.line);
  std::string lines = fmt::format("lines {}", slip.line);
  for (const std::uint32_t& line : slip.also) {
    lines += fmt::format("{}{}", &line == &slip.also.back() ? " and " : ", ", line);
  }
  return lines;
}

bool are_in_one_line(const Slip& one, const Slip& other) {
  return one.file == other.file && one.line == other.line;
}

/// Slips that mend as much as each other: the first, and the first one in another line, as a sign
/// may be turned round where a term is computed or where it is added.
struct Best {
  const Slip* first = nullptr;
  const Slip* elsewhere = nullptr;
};

bool may_be_beside_another(const Slip& slip, double lost) {
  return !slip.spoils && slip.right + 1 >= slip.tried && slip.left <= kMostLeft * lost;
}

/// @returns no slip if the best ones are in more than two lines, or leave more than one case wrong,
///   or one and are in two lines: then each is as likely a second slip that hides the first
Best best_of(const std::vector<Slip>& slips, double lost) {
  const auto value = [](const Slip& slip) { return std::pair(slip.points, slip.right); };
  const auto first = std::ranges::max_element(slips, {}, value);
  if (first == slips.end() || first->points < kLeastShare * lost) return {};
  const bool leaves_one = first->right < first->tried;
  if (leaves_one && slips_beside_another(slips, lost).empty()) return {};
  Best best = {.first = &*first};
  for (const Slip& slip : slips) {
    if (value(slip) != value(*first) || are_in_one_line(slip, *first)) continue;
    if (leaves_one) return {};
    if (best.elsewhere == nullptr) best.elsewhere = &slip;
    if (!are_in_one_line(slip, *best.elsewhere)) return {};
  }
  return best;
}

std::string change_of(const Slip& slip, Hints hints) {
  return hints == Hints::place ? "one change" : hints == Hints::kind ? slip.kind : slip.fix;
}

/// "another comparison at line 27 of scan.cu", and "or another number at line 30" of the same file.
std::string changes_of(const Best& best, Hints hints) {
  const Slip& slip = *best.first;
  std::string text = fmt::format("{} at {}", change_of(slip, hints), place_of(slip));
  if (best.elsewhere != nullptr) {
    const std::string other = change_of(*best.elsewhere, hints);
    text += other == change_of(slip, hints) ? " or " : fmt::format(" or {} at ", other);
    text += place_of(*best.elsewhere);
  }
  return fmt::format("{} of {}", text, slip.file);
}

/// "With another comparison at line 27 of scan.cu, all 9 visible cases are correct; now 2 are."
std::string message_of(const Best& best, const SlipCases& cases, Hints hints) {
  const Slip& slip = *best.first;
  const bool leaves_one = slip.right < slip.tried;
  const std::string number = slip.tried == 1 ? "the 1"
                             : leaves_one    ? fmt::format("{} of {}", slip.right, slip.tried)
                                             : fmt::format("all {}", slip.tried);
  const std::size_t now = slip.right - slip.repaired.size();
  return fmt::format("With {}, {} visible {}{} {} correct; now {}.{}", changes_of(best, hints),
                     number, noun(slip.tried, "case"),
                     slip.tried == cases.total ? "" : " that were tried",
                     slip.tried == 1 ? "is" : "are",
                     now == 0   ? "none is"
                     : now == 1 ? "1 is"
                                : fmt::format("{} are", now),
                     leaves_one ? " In the other one something else is wrong, too." : "");
}

}  // namespace

SlipCases slip_cases(const std::vector<CaseOutcome>& ran) {
  SlipCases cases;
  for (const CaseOutcome& c : ran) {
    if (!c.report.visible) continue;
    ++cases.total;
    if (has_failed(c)) cases.lost += c.spec->points;
    const bool fits = c.emulator && work_of(c) <= kLargestCase;
    const bool passed = c.report.verdict == CaseVerdict::passed;
    if (!fits || (!passed && !has_wrong_values(c))) continue;
    cases.tried.push_back(&c);
  }
  std::ranges::stable_sort(cases.tried, {}, [](const CaseOutcome* c) { return work_of(*c); });
  for (const CaseOutcome* c : cases.tried) {
    if (has_failed(*c)) cases.failing.push_back(c);
  }
  return cases;
}

bool can_explain(const SlipCases& cases) {
  double possible = 0;
  for (const CaseOutcome* c : cases.failing) possible += c->spec->points;
  return !cases.failing.empty() && possible >= kLeastShare * cases.lost;
}

void Slip::note(const CaseOutcome& c, bool is_right) {
  ++tried;
  right += is_right ? 1 : 0;
  if (!is_right && has_failed(c)) left += c.spec->points;
  spoils = spoils || (!is_right && !has_failed(c));
  if (!is_right || !has_failed(c)) return;
  repaired.push_back(c.report.name);
  points += c.spec->points;
}

SlipSearch::SlipSearch(LabSession& session, const BuildResult& build, std::filesystem::path folder)
    : session_(session), build_(build), folder_(std::move(folder)) {}

std::optional<TriedEdits> SlipSearch::run(const CaseOutcome& outcome, const std::string& trials) {
  ++runs_;
  Device device = session_.device();
  if (device.kind != DeviceKind::emulator) {
    device = session_.emulator();
    device.sandbox = session_.device().sandbox;
  }
  device.checks = "none";
  device.instruction_budget = budget_of(outcome);
  const PreparedCase prepared =
      prepare_case(session_.data(*outcome.spec, Secret{}), folder_ / "edits", OutputStart::poison,
                   inputs_by(device, build_.program));
  EditedRun ran =
      run_with_edits(build_.program, prepared, trials, device, build_.source_folder, kSlipWall);
  remove_tree(folder_);
  const bool ended = ran.run.process.end == ProcessEnd::exited && ran.run.device_fault.empty();
  if (!ended || !ran.tried || !ran.tried->problem.empty()) return std::nullopt;
  return std::move(ran.tried);
}

/// Tries the slips on one more case; those that leave it wrong, or make it so, are dropped.
void SlipSearch::try_on(const CaseOutcome& c, std::vector<Slip>& slips, double lost,
                        const Request& request) {
  const std::optional<TriedEdits> tried = run(c, request(slips));
  if (!tried || tried->unedited_is_right == has_failed(c)) return;
  std::map<std::string, bool> right;
  for (std::size_t i = 0; i < tried->edits.size(); ++i) {
    right[tried->edits[i].text] = tried->right[i];
  }
  for (Slip& slip : slips) {
    const auto it = right.find(slip.trial);
    if (it != right.end()) slip.note(c, it->second);
  }
  // One that mends only some cases is as likely a second slip that hides the first: it is not said.
  // All but one of little weight is another matter, but costs runs.
  const bool few = slips.size() <= kFewSlips;
  std::erase_if(slips, [&](const Slip& slip) {
    return slip.right < slip.tried && !(few && may_be_beside_another(slip, lost));
  });
}

void SlipSearch::try_on_others(const SlipCases& cases, std::vector<Slip>& slips,
                               const Request& request) {
  for (const CaseOutcome* c : cases.tried) {
    if (slips.empty()) return;
    if (c != cases.failing.front() && runs_ < kMostRuns) try_on(*c, slips, cases.lost, request);
  }
}

std::vector<Slip> slips_beside_another(const std::vector<Slip>& slips, double lost) {
  std::vector<Slip> some;
  for (const Slip& slip : slips) {
    const bool most = slip.repaired.size() >= kLeastRepaired && may_be_beside_another(slip, lost);
    if (most && !slip.of_call) some.push_back(slip);
  }
  return some;
}

std::vector<Slip> whole_slips(const std::vector<Slip>& slips) {
  std::vector<Slip> code;
  std::vector<Slip> calls;
  for (const Slip& slip : slips) {
    if (slip.right == slip.tried) (slip.of_call ? calls : code).push_back(slip);
  }
  const bool all_weak = std::ranges::all_of(calls, &Slip::is_weak);
  if (code.empty() && all_weak) return calls;
  std::erase_if(calls, &Slip::is_weak);
  if (code.empty()) return calls;
  const std::size_t lines = count_lines(code);
  if (calls.empty() || lines == 2) return code;
  if (lines > 2) return calls;
  if (count_lines(calls) == 1) code.insert(code.end(), calls.begin(), calls.end());
  return code;
}

std::optional<Explanation> explanation_by(const std::vector<Slip>& slips, const SlipCases& cases,
                                          Hints hints, const std::vector<CaseOutcome>& ran,
                                          bool only_line) {
  const Best best = best_of(slips, cases.lost);
  if (best.first == nullptr || (only_line && best.elsewhere != nullptr)) return std::nullopt;
  Explanation explanation;
  explanation.variant = kSlipVariant + best.first->text;
  explanation.message = message_of(best, cases, hints);
  explanation.pitfall = best.first->pitfall;
  explanation.cases = best.first->repaired;
  explanation.slip_cases = explanation.cases.size();
  explanation.compared = cases.failing.size();
  explanation.failing = static_cast<std::size_t>(std::ranges::count_if(
      ran, [](const CaseOutcome& c) { return c.report.visible && has_failed(c); }));
  return explanation;
}

}  // namespace warpgrade
