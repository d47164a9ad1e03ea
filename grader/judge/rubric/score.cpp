#include "grader/judge/rubric/score.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "grader/core/plural_points.h"
#include "grader/core/text.h"
#include "grader/judge/rubric/concept_check.h"
#include "grader/judge/rubric/proportion.h"
#include "grader/judge/speed/roofline.h"
#include "grader/record/counters/formula.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Below this share of the correctness points there are no points for safety: a program that does
/// nothing has no findings either.
constexpr double kSafetyNeeds = 0.5;

Item new_item(std::string id, Category category, std::string title, double points) {
  return {.id = std::move(id),
          .category = category,
          .title = std::move(title),
          .points = 0,
          .max_points = points,
          .status = ItemStatus::failed,
          .message = {},
          .hint = {},
          .pitfall = {}};
}

void pass(Item& item, std::string message) {
  item.status = ItemStatus::passed;
  item.points = item.max_points;
  item.message = std::move(message);
}

Item score_build(const Evidence& evidence) {
  Item item = new_item("build", Category::build, "Compiles and links", evidence.lab->rubric.build);
  if (evidence.build_problem.empty()) {
    pass(item, "It builds.");
  } else {
    item.message = evidence.build_problem;
  }
  return item;
}

Item score_case(const Evidence& evidence, const Case& spec) {
  Item item = new_item("correctness/" + spec.name, Category::correctness, spec.name, spec.points);
  const CaseOutcome* outcome = evidence.find_case(spec.name);
  if (outcome == nullptr) {
    item.message = "Not run: it does not build.";
    return item;
  }
  const CaseReport& report = outcome->report;
  if (report.verdict == CaseVerdict::passed) {
    pass(item, "Right.");
    return item;
  }
  if (report.verdict == CaseVerdict::error) {
    item.status = ItemStatus::error;
  }
  if (report.verdict == CaseVerdict::not_assessed) {
    item.status = ItemStatus::not_assessed;
  }
  item.message = report.message;
  item.hint = report.verdict == CaseVerdict::wrong ? spec.hint : "";
  item.pitfall = outcome->pitfall;
  return item;
}

/// A case that completed on the emulator without a report, which must not count as clean.
const CaseOutcome* unreported(const Evidence& evidence) {
  for (const CaseOutcome& c : evidence.cases) {
    const CaseVerdict v = c.report.verdict;
    const bool ran = v == CaseVerdict::passed || v == CaseVerdict::wrong ||
                     v == CaseVerdict::broke_contract || v == CaseVerdict::cuda_error;
    if (ran && !c.emulator) {
      return &c;
    }
  }
  return nullptr;
}

/// For an item that needs every case, and has found nothing in those that it has.
void lacks_a_case(const CaseOutcome& outcome, Item& item) {
  item.status = ItemStatus::not_assessed;
  item.message = fmt::format("Case \"{}\" could not be assessed.", outcome.report.name);
}

Item score_safety(const Evidence& evidence, double correctness_share) {
  Item item = new_item("safety", Category::safety, "No memory errors, races or leaks",
                       evidence.lab->rubric.safety);
  if (!evidence.build_problem.empty()) {
    item.message = "Not checked: it does not build.";
    return item;
  }
  if (!evidence.emulated) {
    item.status = ItemStatus::not_assessed;
    item.message = "The emulator's checks did not run; use --device emulator.";
    return item;
  }
  if (const CaseOutcome* blind = unreported(evidence)) {
    item.status = ItemStatus::error;
    item.message = fmt::format("The emulator left no report on case \"{}\", although it completed.",
                               blind->report.name);
    return item;
  }
  std::vector<const ReportedFinding*> errors;
  for (const ReportedFinding& f : evidence.findings) {
    if (f.counts()) {
      errors.push_back(&f);
    }
  }
  // The most important finding is shown first.
  std::stable_partition(errors.begin(), errors.end(), [](const auto* f) { return f->is_error(); });
  const bool hidden_kinds = evidence.hidden && !evidence.hidden->kinds.empty();
  if (errors.empty() && hidden_kinds) {
    const auto& kinds = evidence.hidden->kinds;
    item.message = fmt::format("Hidden cases show: {}.", titles(kinds));
    item.pitfall = kinds.front()->pitfall;
    return item;
  }
  if (errors.empty()) {
    if (const CaseOutcome* unseen = not_assessed(evidence)) {
      lacks_a_case(*unseen, item);
    } else if (correctness_share < kSafetyNeeds) {
      item.message =
          "No findings, but safety points require at least half of the correctness points.";
    } else {
      pass(item, "The emulator's checks found nothing.");
    }
    return item;
  }
  if (correctness_share >= kSafetyNeeds) {
    item.points = points_of_share(item.max_points, safety_left(*evidence.lab, errors));
    item.status = item.points > 0 ? ItemStatus::partial : ItemStatus::failed;
  }
  item.message = errors.size() == 1
                     ? fmt::format("{}.", errors[0]->message)
                     : fmt::format("{}, and {} more {}.", errors[0]->message, errors.size() - 1,
                                   noun(errors.size() - 1, "finding"));
  if (hidden_kinds) {
    item.message += fmt::format(" Hidden cases also show: {}.", titles(evidence.hidden->kinds));
  }
  item.hint = errors[0]->next;
  item.pitfall = errors[0]->pitfall;
  return item;
}

/// The report with the modelled time; null if the emulator did not run that case.
const EmulatorReport* performance_run(const Evidence& evidence) {
  const CaseOutcome* outcome = evidence.find_case(evidence.lab->performance_case);
  return outcome != nullptr && outcome->emulator ? &*outcome->emulator : nullptr;
}

std::string timing_words(const Timing& timing) {
  if (timing.source == "measured") {
    std::string words =
        fmt::format("Measured time {:.4g} ms, the reference's {:.4g} ms: ratio {:.3f}",
                    timing.submission_ms, timing.reference_ms, timing.ratio);
    if (timing.runs && timing.runs->ratio_low && timing.runs->ratio_high) {
      words += fmt::format(" (95 % confidence interval {:.3f} to {:.3f})", *timing.runs->ratio_low,
                           *timing.runs->ratio_high);
    }
    const TimingTier* tier = timing.reached();
    if (tier != nullptr && timing.ratio > tier->ratio) {
      words += fmt::format("; counted as {:g}, within the measurement tolerance", tier->ratio);
    }
    return words + ".";
  }
  return fmt::format("Modelled time {:.4g} ms, the reference's {:.4g} ms: ratio {:.2f}.",
                     timing.submission_ms, timing.reference_ms, timing.ratio);
}

Item score_performance(const Evidence& evidence, double correctness_share) {
  const Lab& lab = *evidence.lab;
  Item item = new_item("performance", Category::performance, "Cost relative to the reference",
                       lab.rubric.performance);
  if (!evidence.build_problem.empty()) {
    item.message = "Not measured: it does not build.";
    return item;
  }
  const double share = share_left(1 - correctness_share);
  if (share <= 0) {
    item.message = "Counted only with more than half of the correctness points.";
    return item;
  }
  if (const CaseOutcome* unseen = not_assessed(evidence)) {
    lacks_a_case(*unseen, item);
    return item;
  }
  if (fails_as_second_call(evidence)) {
    item.message = "Counted only if the second call in one process is correct, too.";
    return item;
  }
  if (!is_right(evidence, lab.performance_case)) {
    item.message = fmt::format("Counted only if case \"{}\" passes.", lab.performance_case);
    return item;
  }
  const EmulatorReport* run = performance_run(evidence);
  if (run != nullptr && run->kernels.empty()) {
    item.message = "No kernel ran on the device, where the work must be done.";
    return item;
  }
  if (evidence.measured && !evidence.measured->problem.empty()) {
    item.message = evidence.measured->problem;
    return item;
  }
  const std::optional<Timing> timing = timing_of(evidence);
  if (!timing) {
    item.status = ItemStatus::not_assessed;
    item.message = evidence.references.contains(lab.performance_case)
                       ? "The emulator did not run; use --device emulator."
                       : "The reference solution is not available on this machine; the course's "
                         "grader has it.";
    return item;
  }
  item.message = timing_words(*timing);
  if (evidence.measured && !evidence.measured->fault.empty()) {
    item.message += fmt::format(" It could not be measured: {}", evidence.measured->fault);
  }
  item.message += share_words(share);
  const double reached = performance_points(*timing);
  item.points = points_of_share(reached, share);
  const Tier* next = nullptr;  // the next better tier
  for (const Tier& tier : lab.tiers) {  // ascending in ratio, descending in points
    if (tier.points > reached) {
      next = &tier;
    }
  }
  if (item.points >= item.max_points) {
    item.status = ItemStatus::passed;
    return item;
  }
  item.status = item.points > 0 ? ItemStatus::partial : ItemStatus::failed;
  if (next != nullptr) {
    item.hint =
        fmt::format("{} from {:g} times the reference's time on{}.", plural_points(next->points),
                    next->ratio, share < 1 ? ", once every case passes" : "");
  }
  return item;
}

}  // namespace

double performance_points(const Timing& timing) {
  const TimingTier* tier = timing.reached();
  return tier == nullptr ? 0 : tier->points;
}

namespace {

/// The time of copies and memsets within the device, which the sum over kernels lacks.
double device_moves_ms(const std::map<std::string, double>& counters) {
  constexpr double kNanosecond = 1e-6;  // of a millisecond
  const auto found = counters.find(kDeviceMoves);
  return found == counters.end() ? 0 : kNanosecond * found->second;
}

}  // namespace

std::optional<Timing> timing_of(const Evidence& evidence) {
  if (evidence.measured && evidence.measured->timing) {
    return evidence.measured->timing;
  }
  const EmulatorReport* run = performance_run(evidence);
  const auto reference = evidence.references.find(evidence.lab->performance_case);
  if (run == nullptr || reference == evidence.references.end()) {
    return std::nullopt;
  }
  const bool on_timeline = evidence.lab->times_timeline;
  double own = modelled_time(*run, on_timeline);
  double other = reference->second.modelled_ms;
  if (!(own > 0) || !(other > 0)) {
    return std::nullopt;
  }
  if (!on_timeline) {
    own += device_moves_ms(run->transfers);
    other += device_moves_ms(reference->second.counters);
  }
  Timing timing{.name = evidence.lab->performance_case,
                .source = "modelled",
                .submission_ms = own,
                .reference_ms = other,
                .ratio = own / other,
                .tiers = {},
                .roofline = std::nullopt};
  if (!on_timeline) {  // a roofline is about kernels
    timing.roofline = roofline_of(*run, reference->second, evidence.ladder);
  }
  for (const Tier& tier : evidence.lab->tiers) {
    timing.tiers.push_back({.ratio = tier.ratio, .points = tier.points});
  }
  return timing;
}

std::vector<Item> score_items(const Evidence& evidence) {
  const Lab& lab = *evidence.lab;
  if (!lab.has_code()) {
    return {};
  }
  std::vector<Item> items = {score_build(evidence)};
  for (const Case& spec : lab.cases) {
    if (!evidence.hidden || spec.visible) {
      items.push_back(score_case(evidence, spec));
    }
  }
  const double share = correctness_share(evidence);
  items.push_back(score_safety(evidence, share));
  for (const ConceptCheck& check : lab.concepts) {
    items.push_back(score_concept(evidence, check));
  }
  items.push_back(score_performance(evidence, share));
  std::erase_if(items, [](const Item& item) { return item.max_points <= 0; });
  return items;
}

}  // namespace warpgrade
