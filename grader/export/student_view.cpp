#include "grader/export/student_view.h"

#include <algorithm>
#include <map>

namespace warpgrade {
namespace {

/// Which case an item of the rubric is counted on; empty if that is not known.
std::string counted_on(const Lab* lab, const Item& item) {
  if (lab == nullptr) {
    return {};
  }
  if (item.category == Category::performance) {
    return lab->performance_case;
  }
  for (const ConceptCheck& check : lab->concepts) {
    if (item.id == "concept/" + check.id) {
      return check.on;
    }
  }
  return {};
}

/// Whether an item's message comes from hidden cases, or may.
bool tells_hidden(const Item& item, const Grade& grade, const HiddenCases& hidden, const Lab* lab) {
  if (item.message.empty()) {
    return false;
  }
  if (item.category == Category::safety) {
    // One sentence for all findings: what a hidden case alone shows may be in it.
    return std::any_of(grade.findings.begin(), grade.findings.end(),
                       [&](const ReportedFinding& f) { return hidden.alone_have(f); }) ||
           hidden.told_by(item.message);
  }
  if (item.category == Category::concept_check || item.category == Category::performance) {
    const std::string on = counted_on(lab, item);
    return on.empty() || hidden.contains(on) || hidden.told_by(item.message);
  }
  return hidden.told_by(item.message);
}

}  // namespace

StudentView view_of(const Grade& grade, const GradeRow& row, const ExportInput& input) {
  const Lab* lab = input.lab(grade.lab);
  const HiddenCases hidden(grade, lab);
  std::map<std::string, const CaseReport*> case_of;
  for (const CaseReport& c : grade.cases) {
    case_of.emplace("correctness/" + c.name, &c);
  }
  StudentView view;
  view.hidden_cases = hidden.count();
  view.released = hidden.count() == 0 || input.shows_hidden(row);
  for (const Item& item : grade.items) {
    const auto found = case_of.find(item.id);
    const CaseReport* report = found == case_of.end() ? nullptr : found->second;
    ViewItem shown{.item = &item, .hidden = false, .message = item.message, .seconds = 0};
    shown.hidden = hidden.owns(item);
    if (report != nullptr) {
      shown.seconds = report->seconds;
    }
    if (!view.released && !shown.hidden && tells_hidden(item, grade, hidden, lab)) {
      shown.message = kKeptBack;
    }
    view.items.push_back(std::move(shown));
  }
  return view;
}

std::string release_text(const ExportInput& input, const GradeRow& row) {
  return input.record.course.release_text(row.lab, row.student);
}

}  // namespace warpgrade
