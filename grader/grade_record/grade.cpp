#include "grader/grade_record/grade.h"

#include <algorithm>

namespace warpgrade {
namespace {

template <class Keep, class Value>
double sum(const std::vector<Item>& items, Keep keep, Value value) {
  double total = 0;
  for (const Item& item : items) {
    total += keep(item) ? value(item) : 0;
  }
  return total;
}

constexpr auto kAll = [](const Item&) { return true; };
constexpr auto kPoints = [](const Item& item) { return item.points; };
constexpr auto kMaxPoints = [](const Item& item) { return item.max_points; };

bool assessed(const Item& item) {
  return item.status != ItemStatus::not_assessed && item.status != ItemStatus::error;
}

}  // namespace

bool ReportedFinding::is_about(warpsim::FindingTopic topic) const {
  const warpsim::FindingInfo* row = warpsim::find_finding_kind(kind);
  return row != nullptr && row->topic == topic;
}

bool ReportedFinding::has_many_causes() const {
  const warpsim::FindingInfo* row = warpsim::find_finding_kind(kind);
  return row != nullptr && row->many_causes;
}

bool ReportedFinding::is_tidiness() const {
  return is_about(warpsim::FindingTopic::tidiness);
}

bool ReportedFinding::relies_on_luck() const {
  return severity == "warning" && is_about(warpsim::FindingTopic::luck);
}

bool ReportedFinding::is_lack_of_emulator() const {
  return is_about(warpsim::FindingTopic::emulator) &&
         kind != warpsim::info_of(warpsim::FindingKind::internal_error).slug;
}

void add_hidden_case(const Item& item, Item& sum) {
  const bool error = item.status == ItemStatus::error || sum.status == ItemStatus::error;
  sum.points += item.points;
  sum.max_points += item.max_points;
  sum.status = error                          ? ItemStatus::error
               : sum.points >= sum.max_points ? ItemStatus::passed
               : sum.points > 0               ? ItemStatus::partial
                                              : ItemStatus::failed;
}

std::string_view slug(ItemStatus status) {
  switch (status) {
    case ItemStatus::passed:
      return "passed";
    case ItemStatus::partial:
      return "partial";
    case ItemStatus::failed:
      return "failed";
    case ItemStatus::not_assessed:
      return "not_assessed";
    case ItemStatus::error:
      break;
  }
  return "error";
}

std::string_view slug(Category category) {
  switch (category) {
    case Category::build:
      return "build";
    case Category::correctness:
      return "correctness";
    case Category::safety:
      return "safety";
    case Category::concept_check:
      return "concept";
    case Category::performance:
      break;
  }
  return "performance";
}

std::string_view slug(CountSource source) {
  switch (source) {
    case CountSource::emulator:
      return "emulator";
    case CountSource::ncu:
      return "ncu";
    case CountSource::task:
      break;
  }
  return "task";
}

std::string_view slug(ToolEnd end) {
  switch (end) {
    case ToolEnd::done:
      return "done";
    case ToolEnd::missing:
      return "missing";
    case ToolEnd::not_permitted:
      return "not_permitted";
    case ToolEnd::out_of_time:
      return "out_of_time";
    case ToolEnd::failed:
      return "failed";
    case ToolEnd::not_run:
      break;
  }
  return "not_run";
}

const CardCounts* CardProfile::find(std::string_view program, bool timed) const {
  const auto it = std::find_if(counts.begin(), counts.end(), [&](const CardCounts& c) {
    return c.program == program && c.timed == timed;
  });
  return it == counts.end() ? nullptr : &*it;
}

std::string_view slug(CauseKind kind) {
  switch (kind) {
    case CauseKind::direction:
      return "direction";
    case CauseKind::launch:
      return "launch";
    case CauseKind::outside:
      return "outside";
    case CauseKind::barrier:
      return "barrier";
    case CauseKind::indivisible:
      return "indivisible";
    case CauseKind::uninitialized:
      return "uninitialized";
    case CauseKind::outputs:
      return "outputs";
    case CauseKind::blocks:
      return "blocks";
    case CauseKind::axes:
      return "axes";
    case CauseKind::block_size:
      break;
  }
  return "block_size";
}

std::string_view slug(CaseVerdict verdict) {
  switch (verdict) {
    case CaseVerdict::passed:
      return "passed";
    case CaseVerdict::wrong:
      return "wrong";
    case CaseVerdict::broke_contract:
      return "broke_contract";
    case CaseVerdict::cuda_error:
      return "cuda_error";
    case CaseVerdict::crashed:
      return "crashed";
    case CaseVerdict::never_ends:
      return "never_ends";
    case CaseVerdict::not_run:
      return "not_run";
    case CaseVerdict::not_assessed:
      return "not_assessed";
    case CaseVerdict::error:
      break;
  }
  return "error";
}

std::string_view slug(GradeStatus status) {
  switch (status) {
    case GradeStatus::graded:
      return "graded";
    case GradeStatus::partial:
      return "partial";
    case GradeStatus::error:
      break;
  }
  return "error";
}

double Grade::score() const {
  return sum(items, kAll, kPoints);
}

double Grade::max_score() const {
  return sum(items, kAll, kMaxPoints);
}

double Grade::assessed_points() const {
  return sum(items, assessed, kMaxPoints);
}

double Timing::deciding_ratio() const {
  if (source != "measured") return ratio;
  const double tolerated = ratio / (1 + kTierTolerance);
  return runs && runs->ratio_low ? std::min(*runs->ratio_low, tolerated) : tolerated;
}

const TimingTier* Timing::reached() const {
  const auto it = std::find_if(tiers.begin(), tiers.end(), [this](const TimingTier& tier) {
    return deciding_ratio() <= tier.ratio;  // ascending in ratio: the first is the best
  });
  return it == tiers.end() ? nullptr : &*it;
}

double Grade::points_in(Category category) const {
  return sum(
      items, [&](const Item& item) { return item.category == category; }, kPoints);
}

double Grade::max_points_in(Category category) const {
  return sum(
      items, [&](const Item& item) { return item.category == category; }, kMaxPoints);
}

bool Grade::passed() const {
  return std::all_of(items.begin(), items.end(), [](const Item& item) {
    // A case that was not assessed may be a wrong one.
    return item.status == ItemStatus::passed ||
           (item.status == ItemStatus::not_assessed && item.category != Category::correctness);
  });
}

}  // namespace warpgrade
