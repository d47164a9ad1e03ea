#include "grader/record/grade/failure.h"

#include <algorithm>
#include <array>

namespace warpgrade {
namespace {

/// Shown to users.
constexpr auto kWords = names_up_to<Failure::question_missed>(
    "none", "machine error", "grader error", "lab error", "no usable submission", "compile error",
    "link error", "not allowed", "never ends", "illegal address", "launch error", "crash", "race",
    "wrong result", "unsafe", "concept missed", "too slow", "question missed");

/// Findings of accesses outside allocated memory; on a GPU most of them end the program.
bool is_illegal_address(const ReportedFinding& finding) {
  return finding.is_about(warpsim::FindingTopic::address);
}

bool is_race(const ReportedFinding& finding) {
  return finding.is_about(warpsim::FindingTopic::race);
}

bool falls_short(const Item& item) {
  return item.status == ItemStatus::failed || item.status == ItemStatus::partial;
}

class Reading {
 public:
  explicit Reading(const Grade& grade) : grade_(grade) {}

  [[nodiscard]] bool any(CaseVerdict verdict) const {
    return std::any_of(grade_.cases.begin(), grade_.cases.end(),
                       [&](const CaseReport& c) { return c.verdict == verdict; });
  }
  template <class Predicate>
  [[nodiscard]] bool any_finding(Predicate predicate) const {
    return std::any_of(grade_.findings.begin(), grade_.findings.end(),
                       [&](const ReportedFinding& f) { return f.is_error() && predicate(f); });
  }
  [[nodiscard]] bool short_in(Category category) const {
    return std::any_of(grade_.items.begin(), grade_.items.end(), [&](const Item& item) {
      return item.category == category && falls_short(item);
    });
  }
  [[nodiscard]] bool any_item(ItemStatus status) const {
    return std::any_of(grade_.items.begin(), grade_.items.end(),
                       [&](const Item& item) { return item.status == status; });
  }

 private:
  const Grade& grade_;
};

}  // namespace

Failure failure_of(const Grade& grade, BuildStep build) {
  const Reading seen(grade);
  if (seen.any(CaseVerdict::error) || seen.any_item(ItemStatus::error)) {
    return Failure::harness_fault;
  }
  switch (build) {
    case BuildStep::not_handed_in:
      return Failure::no_submission;
    case BuildStep::does_not_compile:
      return Failure::compile_error;
    case BuildStep::does_not_link:
      return Failure::link_error;
    case BuildStep::not_allowed:
      return Failure::not_allowed;
    case BuildStep::built:
      break;
  }
  if (seen.any(CaseVerdict::never_ends)) {
    return Failure::hang;
  }
  if (seen.any_finding(is_illegal_address) || seen.any(CaseVerdict::broke_contract)) {
    return Failure::illegal_address;
  }
  if (seen.any(CaseVerdict::cuda_error)) {
    return Failure::launch_error;
  }
  if (seen.any(CaseVerdict::crashed)) {
    return Failure::crash;
  }
  if (seen.any_finding(is_race)) {
    return Failure::race;
  }
  if (seen.any(CaseVerdict::wrong) || seen.short_in(Category::correctness)) {
    return Failure::wrong;
  }
  if (seen.short_in(Category::safety)) {
    return Failure::unsafe;
  }
  if (seen.short_in(Category::concept_check)) {
    return Failure::concept_missed;
  }
  if (seen.short_in(Category::performance)) {
    return Failure::too_slow;
  }
  return seen.short_in(Category::questions) ? Failure::question_missed : Failure::none;
}

bool is_ours(Failure failure) {
  return failure == Failure::environment || failure == Failure::harness_fault ||
         failure == Failure::lab_fault;
}

std::string_view words(Failure failure) {
  return kWords.at(static_cast<std::size_t>(failure));
}

}  // namespace warpgrade
