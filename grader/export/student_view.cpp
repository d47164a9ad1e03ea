#include "grader/export/student_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Whether a text has this number as a word of its own: 1025, but not in 10257 or 4.1025.
bool names_number(std::string_view text, const std::string& number) {
  const auto inside = [&](std::size_t i) {
    return i < text.size() && (std::string_view("0123456789.").find(text[i]) != std::string::npos);
  };
  for (std::size_t at = text.find(number); at != std::string_view::npos;
       at = text.find(number, at + 1)) {
    const bool before = at > 0 && inside(at - 1);
    const std::size_t end = at + number.size();
    // A full stop ends a sentence; a point has a digit behind it.
    const bool after = inside(end) && (text[end] != '.' || inside(end + 1));
    if (!before && !after) {
      return true;
    }
  }
  return false;
}

constexpr std::string_view kCorrectness = "correctness/";

/// Names of the hidden cases. A submission that does not build has no reports of cases: the lab
/// says then which are hidden, and without it all are taken to be.
std::set<std::string> hidden_cases(const Grade& grade, const Lab* lab) {
  std::map<std::string, bool> visible;
  for (const CaseReport& c : grade.cases) {
    visible[c.name] = c.visible;
  }
  std::set<std::string> hidden;
  for (const Item& item : grade.items) {
    if (item.category != Category::correctness || !item.id.starts_with(kCorrectness)) {
      continue;
    }
    const std::string name = item.id.substr(kCorrectness.size());
    const auto known = visible.find(name);
    const Case* spec = lab == nullptr ? nullptr : lab->find_case(name);
    const bool shown = known != visible.end() ? known->second : spec != nullptr && spec->visible;
    if (!shown) {
      hidden.insert(name);
    }
  }
  return hidden;
}

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

/// What must not be read out of a message before the release.
class Secrets {
 public:
  Secrets(const Grade& grade, const Lab* lab) : cases_(hidden_cases(grade, lab)) {
    std::set<std::int64_t> public_sizes;
    for (const CaseReport& c : grade.cases) {
      for (const auto& [name, value] : c.shape) {
        if (c.visible) public_sizes.insert(value);
      }
    }
    for (const CaseReport& c : grade.cases) {
      if (c.visible) {
        continue;
      }
      for (const auto& [name, value] : c.shape) {
        // Small numbers are everywhere, and sizes of visible cases are no secret.
        if (value >= 100 && !public_sizes.contains(value)) {
          numbers_.push_back(std::to_string(value));
        }
      }
    }
    for (const ReportedFinding& f : grade.findings) {
      only_hidden_finding_ =
          only_hidden_finding_ ||
          (!f.cases.empty() && std::all_of(f.cases.begin(), f.cases.end(),
                                           [&](const std::string& c) { return is_case(c); }));
    }
  }

  [[nodiscard]] bool is_case(const std::string& name) const { return cases_.contains(name); }
  [[nodiscard]] std::size_t count() const { return cases_.size(); }
  [[nodiscard]] bool only_hidden_finding() const { return only_hidden_finding_; }
  [[nodiscard]] bool in(std::string_view text) const {
    return std::any_of(cases_.begin(), cases_.end(),
                       [&](const std::string& c) {
                         return text.find("\"" + c + "\"") != std::string_view::npos;
                       }) ||
           std::any_of(numbers_.begin(), numbers_.end(),
                       [&](const std::string& n) { return names_number(text, n); });
  }

 private:
  std::set<std::string> cases_;
  std::vector<std::string> numbers_;
  bool only_hidden_finding_ = false;
};

constexpr const char* kKeptBack = "More is said when hidden cases are released.";

/// Whether an item's message comes from hidden cases, or may.
bool tells_hidden(const Item& item, const Secrets& secrets, const Lab* lab) {
  if (item.message.empty()) {
    return false;
  }
  if (item.category == Category::safety) {
    // One sentence for all findings: what a hidden case alone shows may be in it.
    return secrets.only_hidden_finding() || secrets.in(item.message);
  }
  if (item.category == Category::concept_check || item.category == Category::performance) {
    const std::string on = counted_on(lab, item);
    return on.empty() || secrets.is_case(on) || secrets.in(item.message);
  }
  return secrets.in(item.message);
}

}  // namespace

StudentView view_of(const Grade& grade, const GradeRow& row, const ExportInput& input) {
  const Lab* lab = input.lab(grade.lab);
  const Secrets secrets(grade, lab);
  std::map<std::string, const CaseReport*> case_of;
  for (const CaseReport& c : grade.cases) {
    case_of.emplace("correctness/" + c.name, &c);
  }
  StudentView view;
  view.hidden_cases = secrets.count();
  view.released = secrets.count() == 0 || input.shows_hidden(row);
  for (const Item& item : grade.items) {
    const auto found = case_of.find(item.id);
    const CaseReport* report = found == case_of.end() ? nullptr : found->second;
    ViewItem shown{.item = &item, .hidden = false, .message = item.message, .seconds = 0};
    shown.hidden = item.category == Category::correctness && item.id.starts_with(kCorrectness) &&
                   secrets.is_case(item.id.substr(kCorrectness.size()));
    if (report != nullptr) {
      shown.seconds = report->seconds;
    }
    if (!view.released && !shown.hidden && tells_hidden(item, secrets, lab)) {
      shown.message = kKeptBack;
    }
    view.items.push_back(std::move(shown));
  }
  return view;
}

std::string hidden_text(std::size_t count) {
  return fmt::format("{} hidden case{}", count, count == 1 ? "" : "s");
}

std::string release_text(const ExportInput& input, const GradeRow& row) {
  const Course& course = input.record.course;
  const auto at = course.release.at_due ? course.due(row.lab, row.student) : course.release.at;
  return at ? fmt::format("their results are shown from {}", instant_text(*at))
            : "no date is set for showing their results";
}

}  // namespace warpgrade
