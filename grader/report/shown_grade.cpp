#include "grader/report/shown_grade.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "grader/core/text.h"
#include "grader/grade/hidden.h"

namespace warpgrade {
namespace {

/// The text with hidden cases' names replaced: `Case "x": ...` is `A hidden case: ...`.
std::string unnamed(std::string text, const HiddenCases& hidden) {
  for (const std::string& name : hidden.names()) {
    const std::string quoted = "\"" + name + "\"";
    text = replace_all(text, "Case " + quoted, "A hidden case");
    text = replace_all(text, "case " + quoted, kSomeCase);
    text = replace_all(text, quoted, kSomeCase);
  }
  return text;
}

/// All hidden cases as one line of the rubric.
Item hidden_item(const std::vector<Item>& items, const HiddenCases& hidden, bool builds,
                 const std::string& release) {
  Item sum{.id = kHiddenItem,
           .category = Category::correctness,
           .title = hidden_text(hidden.count()),
           .status = ItemStatus::passed,
           .message = {},
           .hint = {},
           .pitfall = {}};
  bool any_error = false;
  for (const Item& item : items) {
    if (hidden.owns(item)) {
      sum.points += item.points;
      sum.max_points += item.max_points;
      any_error = any_error || item.status == ItemStatus::error;
    }
  }
  if (any_error) {
    sum.status = ItemStatus::error;
  } else if (sum.points < sum.max_points) {
    sum.status = sum.points > 0 ? ItemStatus::partial : ItemStatus::failed;
  }
  sum.message = builds ? release + "." : "Not run: it does not build.";
  sum.message[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sum.message[0])));
  return sum;
}

/// What to fix first, without what only a hidden case says.
std::string shown_summary(const Grade& grade, const HiddenCases& hidden) {
  if (!hidden.told_by(grade.summary)) {
    return grade.summary;
  }
  const auto wrong = [](const CaseReport& c) {
    return c.verdict != CaseVerdict::passed && c.verdict != CaseVerdict::not_run;
  };
  if (std::none_of(grade.cases.begin(), grade.cases.end(), wrong)) {
    return unnamed(grade.summary, hidden);
  }
  for (const CaseReport& c : grade.cases) {
    if (c.visible && wrong(c)) {
      return fmt::format("Case \"{}\": {}", c.name, c.message);
    }
  }
  return "All cases that are shown are right, and a hidden one is not. Try other sizes: 0 and 1, "
         "one "
         "less and one more than your block's, a prime, and more than your grid has threads.";
}

void take_out_findings(const HiddenCases& hidden, ShownGrade& shown) {
  std::vector<ReportedFinding>& findings = shown.grade.findings;
  shown.hidden_findings = static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const ReportedFinding& f) { return hidden.alone_have(f); }));
  std::erase_if(findings, [&](const ReportedFinding& f) { return hidden.alone_have(f); });
  for (ReportedFinding& f : findings) {
    // The words are those of the first case that it was seen in.
    if (!f.cases.empty() && hidden.contains(f.cases.front())) {
      for (std::string* text : {&f.message, &f.got, &f.want}) {
        *text = hidden.told_by(*text) ? kKeptBack : *text;
      }
    }
    const auto seen = f.cases.size();
    std::erase_if(f.cases, [&](const std::string& name) { return hidden.contains(name); });
    if (f.cases.size() < seen) {
      f.cases.emplace_back("hidden cases");
    }
  }
}

}  // namespace

ShownGrade shown_to_student(Grade grade, const Lab* lab, bool released, std::string release) {
  ShownGrade shown{.grade = std::move(grade), .release = std::move(release)};
  Grade& g = shown.grade;
  const HiddenCases hidden(g, lab);
  if (released || hidden.count() == 0) {
    return shown;
  }
  shown.hidden_cases = hidden.count();
  g.summary = shown_summary(g, hidden);

  const bool builds = g.points_in(Category::build) >= g.max_points_in(Category::build);
  const Item all_hidden = hidden_item(g.items, hidden, builds, shown.release);
  const bool told_of_safety =
      std::any_of(g.findings.begin(), g.findings.end(),
                  [&](const ReportedFinding& f) { return hidden.alone_have(f); });
  for (Item& item : g.items) {
    const bool counted =
        item.category == Category::concept_check || item.category == Category::performance;
    const bool tells =
        hidden.told_by(item.message) || (item.category == Category::safety && told_of_safety);
    if (counted) {
      item.message = unnamed(item.message, hidden);
    } else if (tells && item.status != ItemStatus::passed) {
      item.message = kKeptBack;
      item.hint.clear();
    }
  }
  // Where the first of them stood: behind the cases that are shown.
  const auto last = std::find_if(g.items.rbegin(), g.items.rend(), [&](const Item& item) {
    return item.category == Category::correctness;
  });
  g.items.insert(last.base(), all_hidden);
  std::erase_if(g.items, [&](const Item& item) { return hidden.owns(item); });

  std::erase_if(g.cases, [&](const CaseReport& c) { return hidden.contains(c.name); });
  take_out_findings(hidden, shown);
  if (hidden.contains(g.kernels_case)) {
    g.kernels_case = kSomeCase;
  }
  if (g.timing && hidden.contains(g.timing->name)) {
    g.timing->name = kSomeCase;
  }
  if (g.profile) {
    for (ToolRun& run : g.profile->runs) {
      run.name = hidden.contains(run.name) ? kSomeCase : run.name;
    }
    for (CardCounts& counts : g.profile->counts) {
      counts.name = hidden.contains(counts.name) ? kSomeCase : counts.name;
    }
  }
  return shown;
}

ShownGrade shown_in_check(Grade grade, const Lab& lab) {
  return shown_to_student(std::move(grade), &lab, false,
                          "their names and data are for the course's staff");
}

}  // namespace warpgrade
