#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"
#include "grader/show/report/sections.h"

namespace warpgrade {

Attempt attempt_of(const StudentView& shown) {
  const Grade& grade = shown.grade;
  const bool error = grade.status == GradeStatus::error;
  Attempt attempt{.number = grade.attempt,
                  .when = grade.started,
                  .has_score = !error,
                  .score = grade.score(),
                  .max_score = grade.max_score(),
                  .note = grade.passed() ? "Everything passes." : grade.summary};
  attempt.cases = grade.cases.size();
  for (const CaseReport& c : grade.cases) {
    attempt.cases_right += c.verdict == CaseVerdict::passed ? 1 : 0;
  }
  return attempt;
}

namespace {

/// "2026-11-21 09:30 UTC" for "2026-11-21T09:30:00Z"; other texts are unchanged.
std::string minute_of(const std::string& instant) {
  constexpr std::size_t kLength = std::string_view("2026-11-21T09:30:00Z").size();
  return instant.size() == kLength && instant[10] == 'T' && instant.back() == 'Z'
             ? instant.substr(0, 10) + " " + instant.substr(11, 5) + " UTC"
             : instant;
}

}  // namespace

PageData history_rows(const std::vector<Attempt>& attempts) {
  PageData rows(PageData::type::list);
  if (attempts.size() < 2) {
    return rows;
  }
  const bool late =
      std::any_of(attempts.begin(), attempts.end(), [](const Attempt& a) { return a.penalty > 0; });
  const Attempt* before = nullptr;
  for (const Attempt& a : attempts) {
    PageData row = texts({{"number", std::to_string(a.number)},
                          {"when", minute_of(a.when)},
                          {"score", a.has_score ? human_points(a.score) : "none"},
                          {"max_score", human_points(a.max_score)},
                          {"note", a.note}});
    const double percent = a.has_score && a.max_score > 0 ? 100 * a.score / a.max_score : 0;
    row.set("percent", fmt::format("{:.0f}", percent));
    std::string change;
    if (before != nullptr && before->has_score && a.has_score) {
      const double more = a.score - before->score;
      change = more > 0 ? "+" + human_points(more) : more < 0 ? human_points(more) : "same";
    }
    set_text(row, "change", change);
    set_text(row, "cases", a.cases > 0 ? fmt::format("{} of {}", a.cases_right, a.cases) : "");
    set_text(row, "penalty", late && a.penalty > 0 ? "-" + human_points(a.penalty) : "");
    row.set("late", late);
    row.set("scored", a.has_score);
    row.set("counts", a.counts);
    rows.push_back(std::move(row));
    before = &a;
  }
  return rows;
}

}  // namespace warpgrade
