#include "grader/judge/assess/assessment.h"

#include <algorithm>
#include <string>
#include <utility>

#include "grader/judge/diagnose/explained.h"
#include "grader/judge/rubric/score.h"
#include "grader/judge/speed/rung.h"
#include "grader/judge/speed/speed.h"
#include "grader/submit/questions/score_questions.h"

namespace warpgrade {
namespace {

/// Gives the diagnosed pitfall to wrong cases and slow kernels that have none.
void name_causes(const std::string& pitfall, std::vector<Item>& items) {
  const bool grade_is_right = std::ranges::all_of(items, [](const Item& item) {
    return item.category != Category::correctness || item.status == ItemStatus::passed;
  });
  for (Item& item : items) {
    const bool may_share = item.category == Category::correctness ||
                           (item.category == Category::performance && grade_is_right);
    const bool falls_short =
        item.status == ItemStatus::failed || item.status == ItemStatus::partial;
    if (may_share && falls_short && item.pitfall.empty()) item.pitfall = pitfall;
  }
}

/// Whether everything but the questions has its points, as far as it could be assessed.
bool only_questions_left(const std::vector<Item>& items) {
  return std::ranges::all_of(items, [](const Item& item) {
    return item.category == Category::questions || item.status == ItemStatus::passed ||
           item.status == ItemStatus::not_assessed;
  });
}

}  // namespace

Assessment assessment_of(const Evidence& evidence, std::vector<Item> items,
                         const std::vector<SourceFile>& sources,
                         const std::optional<Explanation>& explanation) {
  const Diagnosis diagnosis = diagnose(evidence, items, sources, explanation);
  name_causes(diagnosis.pitfall, items);
  Assessment said{.summary = diagnosis.summary,
                  .pitfall = diagnosis.pitfall,
                  .cause = evidence.cause,
                  .items = std::move(items),
                  .findings = evidence.findings,
                  .timing = timing_of(evidence),
                  .rung = find_rung(evidence),
                  .speed = speed_of(evidence)};
  const std::string question = only_questions_left(said.items) ? next_question(said.items) : "";
  if (!question.empty()) {
    said.summary = question;
    said.pitfall.clear();
  }
  const CaseOutcome* counted = evidence.find_case(evidence.lab->performance_case);
  if (counted != nullptr && counted->emulator) {
    said.kernels_case = counted->report.name;
    said.kernels = counted->emulator->kernels;
  }
  return said;
}

}  // namespace warpgrade
