#include "grader/record/grade/student_view.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "grader/core/text.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::string_view kCorrectness = "correctness/";

/// Names of cases known to be visible.
std::set<std::string> visible_cases(const Grade& grade) {
  std::set<std::string> names;
  for (const CaseReport& c : grade.cases) {
    if (c.visible) {
      names.insert(c.name);
    }
  }
  return names;
}

/// For a grade that does not record the origin of its texts: only what must come from visible
/// cases.
BeforeRelease for_unknown_origin(const Grade& grade) {
  const std::set<std::string> visible = visible_cases(grade);
  BeforeRelease before;
  Assessment& said = before.assessment;
  Item sum;
  sum.id = kHiddenItem;
  sum.category = Category::correctness;
  sum.status = ItemStatus::passed;
  std::size_t at = 0;
  for (const Item& item : grade.items) {
    const bool is_case =
        item.category == Category::correctness && item.id.starts_with(kCorrectness);
    const bool shown = item.category == Category::build || item.category == Category::questions ||
                       (is_case && visible.contains(item.id.substr(kCorrectness.size())));
    if (is_case && !shown) {
      add_hidden_case(item, sum);
      ++before.hidden_cases;
      continue;
    }
    said.items.push_back(item);
    said.items.back().pitfall.clear();
    at = is_case || item.category == Category::build ? said.items.size() : at;
    if (!shown) {
      said.items.back().message = kShownAtRelease;
      said.items.back().hint.clear();
      said.items.back().numbers.reset();
    }
  }
  if (before.hidden_cases == 0) {
    return {};
  }
  sum.title = hidden_text(before.hidden_cases);
  said.items.insert(said.items.begin() + static_cast<std::ptrdiff_t>(at), std::move(sum));
  said.summary = kShownAtRelease;
  for (const ReportedFinding& f : grade.findings) {
    const bool all_visible =
        !f.cases.empty() && std::all_of(f.cases.begin(), f.cases.end(),
                                        [&](const auto& name) { return visible.contains(name); });
    if (all_visible) {
      said.findings.push_back(f);
    }
  }
  if (visible.contains(grade.kernels_case)) {
    said.kernels_case = grade.kernels_case;
    said.kernels = grade.kernels;
    said.rung = grade.rung;
    said.speed = grade.speed;
  }
  if (grade.timing && visible.contains(grade.timing->name)) {
    said.timing = grade.timing;
  }
  return before;
}

/// Results of NVIDIA's tools for these cases; their findings come from visible cases only.
void select_profile(const std::set<std::string>& open, std::optional<CardProfile>& profile) {
  if (!profile) {
    return;
  }
  std::erase_if(profile->runs,
                [&](const ToolRun& run) { return !run.name.empty() && !open.contains(run.name); });
  std::erase_if(profile->counts, [&](const CardCounts& c) { return !open.contains(c.name); });
}

}  // namespace

std::string hidden_text(std::size_t count) {
  return plural(count, "hidden case");
}

const Item* StudentView::hidden_item() const {
  const auto it = std::find_if(grade.items.begin(), grade.items.end(),
                               [](const Item& item) { return item.id == kHiddenItem; });
  return it == grade.items.end() ? nullptr : &*it;
}

void remove_answers(Grade& grade) {
  const auto remove = [](std::vector<Item>& items) {
    for (Item& item : items) {
      if (item.question) {
        item.question->expected.clear();
        item.question->solution.clear();
      }
    }
  };
  remove(grade.items);
  if (grade.before_release) {
    remove(grade.before_release->assessment.items);
  }
}

StudentView student_view(Grade grade, bool released, std::string release, bool answers) {
  if (!answers) {
    remove_answers(grade);
  }
  StudentView view{.grade = std::move(grade), .release = std::move(release)};
  Grade& g = view.grade;
  const std::optional<BeforeRelease> recorded =
      std::exchange(g.before_release, std::nullopt);  // distributed below
  if (released) {
    return view;
  }
  BeforeRelease said = recorded ? *recorded : for_unknown_origin(g);
  if (said.hidden_cases == 0) {
    return view;
  }
  view.released = false;
  view.hidden_cases = said.hidden_cases;
  for (const std::string& kind : said.hidden_kinds) {
    if (const warpsim::FindingInfo* row = warpsim::find_finding_kind(kind)) {
      view.hidden_kinds.push_back(row);
    }
  }
  std::set<std::string> open = visible_cases(g);
  open.insert(said.public_cases.begin(), said.public_cases.end());
  const bool builds = g.points_in(Category::build) >= g.max_points_in(Category::build);
  std::erase_if(g.cases, [](const CaseReport& c) { return !c.visible; });
  record::base<Assessment>(g) = std::move(said.assessment);
  for (Item& item : g.items) {
    if (item.id == kHiddenItem) {
      item.message = builds ? as_sentence(view.release) : "Not run: it does not build.";
    }
  }
  select_profile(open, g.profile);
  g.integrity.clear();  // for staff
  g.failure = Failure::none;  // depends on all cases: for staff
  g.seconds = 0;  // of all cases
  return view;
}

StudentView view_in_check(Grade grade) {
  return student_view(std::move(grade), false,
                      "which of them failed, and with which data, is visible to course staff only");
}

}  // namespace warpgrade
