#include "grader/judge/experiment/edits.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "grader/core/remove_tree.h"
#include "grader/judge/experiment/edit_words.h"
#include "grader/record/counters/emulator_report.h"
#include "grader/record/evidence/failed_case.h"
#include "grader/run/device/device.h"
#include "grader/run/worker/decoy_run.h"
#include "harness/case/case.h"
#include "harness/case/tried_edits.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Edits that recover a smaller fraction of the lost points are not reported.
constexpr double kLeastShare = 0.5;
constexpr double kLargestCase = 1 << 21;  // warp instructions
constexpr std::size_t kMostRuns = 12;
constexpr const char* kVariant = "edit=";  // as for `warpsim --change`
/// Per warp: more than these, and more times what the case's warps have on average, is a loop
/// without an end. A case that has such a warp without an edit says nothing.
constexpr std::uint64_t kLeastBudget = 4096;
constexpr std::uint64_t kTimesAverage = 16;
constexpr std::chrono::seconds kWall{10};

double work_of(const CaseOutcome& c) {
  return c.emulator ? c.emulator->total(kInstructionsMetric) : 0;
}

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

/// What an edit did in the cases that it was tried on.
struct Effect {
  TriedEdit edit;
  std::vector<std::string> repaired;
  double points = 0;  // of these
  std::size_t tried = 0, right = 0;  // cases
  bool spoils = false;  // a right case
};

class Search {
 public:
  Search(LabSession& session, const BuildResult& build, std::filesystem::path folder)
      : session_(session), build_(build), folder_(std::move(folder)) {}

  /// @returns nothing if nothing can be learned from this case
  std::optional<TriedEdits> run(const CaseOutcome& outcome, const std::string& edits) {
    ++runs_;
    Device device = session_.device();
    if (device.kind != DeviceKind::emulator) {
      device = session_.emulator();
      device.sandbox = session_.device().sandbox;
    }
    device.checks = "none";
    device.instruction_budget = budget_of(outcome);
    const PreparedCase prepared =
        prepare_case(session_.data(*outcome.spec, Secret{}), folder_ / "edits");
    EditedRun ran =
        run_with_edits(build_.program, prepared, edits, device, build_.source_folder, kWall);
    remove_tree(folder_);
    const bool ended = ran.run.process.end == ProcessEnd::exited && ran.run.device_fault.empty();
    if (!ended || !ran.tried || !ran.tried->problem.empty()) return std::nullopt;
    return std::move(ran.tried);
  }

  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  LabSession& session_;
  const BuildResult& build_;
  std::filesystem::path folder_;
  std::size_t runs_ = 0;
};

struct Cases {
  std::vector<const CaseOutcome*> tried;  // the smallest first
  std::vector<const CaseOutcome*> failing;  // of these, with wrong values
  std::size_t total = 0;
  double lost = 0;  // points of all that fail
};

Cases cases_of(const std::vector<CaseOutcome>& ran) {
  Cases cases;
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

void note(const CaseOutcome& c, bool right, Effect& effect) {
  ++effect.tried;
  effect.right += right ? 1 : 0;
  const bool failed = has_failed(c);
  effect.spoils = effect.spoils || (!failed && !right);
  if (!failed || !right) return;
  effect.repaired.push_back(c.report.name);
  effect.points += c.spec->points;
}

/// Edits that make the smallest failing case right, in the files of the submission.
std::vector<Effect> first_effects(Search& search, const CaseOutcome& smallest,
                                  const std::vector<SourceFile>& sources) {
  std::set<std::string> files;
  for (const SourceFile& source : sources) {
    files.insert(std::filesystem::path(source.name).filename().string());
  }
  std::vector<Effect> effects;
  const std::optional<TriedEdits> tried = search.run(smallest, "");
  if (!tried || tried->unedited_is_right) return effects;
  for (std::size_t i = 0; i < tried->edits.size(); ++i) {
    if (!tried->right[i] || !files.contains(tried->edits[i].file)) continue;
    effects.emplace_back().edit = tried->edits[i];
    note(smallest, true, effects.back());
  }
  return effects;
}

/// Tries the edits on one more case; those that make a right case wrong are dropped.
void try_on(Search& search, const CaseOutcome& c, std::vector<Effect>& effects) {
  std::string list;
  for (const Effect& effect : effects) list += effect.edit.text + "\n";
  const std::optional<TriedEdits> tried = search.run(c, list);
  if (!tried || tried->unedited_is_right == has_failed(c)) return;
  std::map<std::string, bool> right;
  for (std::size_t i = 0; i < tried->edits.size(); ++i) {
    right[tried->edits[i].text] = tried->right[i];
  }
  for (Effect& effect : effects) {
    const auto it = right.find(effect.edit.text);
    if (it != right.end()) note(c, it->second, effect);
  }
  std::erase_if(effects, [](const Effect& effect) { return effect.spoils; });
}

/// The first of the edits that recover most; nothing if these are in different lines.
const Effect* best_of(const std::vector<Effect>& effects, double lost) {
  const auto best = std::ranges::max_element(
      effects, {}, [](const Effect& effect) { return std::pair(effect.points, effect.right); });
  if (best == effects.end() || best->points < kLeastShare * lost) return nullptr;
  // One that leaves a case wrong is as likely a second slip that hides the first.
  if (best->right < best->tried) return nullptr;
  const bool one_line = std::ranges::all_of(effects, [&](const Effect& effect) {
    const bool as_good = effect.points == best->points && effect.right == best->right;
    return !as_good || (effect.edit.file == best->edit.file && effect.edit.line == best->edit.line);
  });
  return one_line ? &*best : nullptr;
}

/// "With another comparison at line 27 of scan.cu, all 9 visible cases are correct; now 2 are."
std::string message_of(const Effect& effect, const Cases& cases, Hints hints,
                       const std::vector<SourceFile>& sources) {
  const EditWords words = words_of(effect.edit, sources);
  const std::string change = hints == Hints::place  ? "one change"
                             : hints == Hints::kind ? words.kind
                                                    : words.fix;
  const bool all = effect.right == effect.tried;
  const std::string number = all && effect.tried == 1 ? "the 1"
                             : all                    ? fmt::format("all {}", effect.tried)
                                   : fmt::format("{} of {}", effect.right, effect.tried);
  const std::size_t now = effect.right - effect.repaired.size();
  return fmt::format("With {} at line {} of {}, {} visible {}{} {} correct; now {}.", change,
                     effect.edit.line, effect.edit.file, number, noun(effect.tried, "case"),
                     effect.tried == cases.total ? "" : " that were tried",
                     effect.tried == 1 ? "is" : "are",
                     now == 0   ? "none is"
                     : now == 1 ? "1 is"
                                : fmt::format("{} are", now));
}

}  // namespace

bool is_slip(const Explanation& explanation) {
  return explanation.variant.starts_with(kVariant);
}

Explanation with_slip(std::optional<Explanation> explanation, Explanation slip) {
  if (!explanation || !(explanation->of_lab || explanation->of_inputs)) return slip;
  explanation->message += " " + slip.message;
  explanation->slip_cases = slip.slip_cases;
  if (explanation->pitfall.empty()) explanation->pitfall = slip.pitfall;
  return *std::move(explanation);
}

std::optional<Explanation> find_slip(LabSession& session, const BuildResult& build,
                                     const std::vector<CaseOutcome>& ran,
                                     const std::vector<SourceFile>& sources,
                                     const std::filesystem::path& scratch) {
  if (!has_emulator(session.installation()) || session.lab().program) return std::nullopt;
  const Cases cases = cases_of(ran);
  double possible = 0;
  for (const CaseOutcome* c : cases.failing) possible += c->spec->points;
  if (cases.failing.empty() || possible < kLeastShare * cases.lost) return std::nullopt;
  Search search(session, build, scratch / "edits");
  const CaseOutcome* const smallest = cases.failing.front();
  std::vector<Effect> effects = first_effects(search, *smallest, sources);
  for (const CaseOutcome* c : cases.tried) {
    if (effects.empty()) return std::nullopt;
    if (c != smallest && search.runs() < kMostRuns) try_on(search, *c, effects);
  }
  const Effect* const best = best_of(effects, cases.lost);
  if (best == nullptr) return std::nullopt;
  Explanation explanation;
  explanation.variant = kVariant + best->edit.text;
  explanation.message = message_of(*best, cases, session.lab().hints, sources);
  // 0 where another operation needs its own neutral element, or the other way round.
  if (best->edit.kind == "start value") explanation.pitfall = "P52";
  explanation.cases = best->repaired;
  explanation.slip_cases = explanation.cases.size();
  explanation.compared = cases.failing.size();
  explanation.failing = static_cast<std::size_t>(std::ranges::count_if(
      ran, [](const CaseOutcome& c) { return c.report.visible && has_failed(c); }));
  return explanation;
}

}  // namespace warpgrade
