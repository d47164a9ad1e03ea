#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "grader/class/table/class_record.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Why a grade has no score that may be exported, or empty.
std::string why_withheld(const GradeRow& row) {
  switch (row.status) {
    case GradeStatus::graded:
      return {};
    case GradeStatus::partial:
      return "some points could not be assessed on this machine; grade it again on one that can";
    case GradeStatus::error:
      break;
  }
  return "the grader failed, not the student; grade it again with --resume";
}

/// "by ann: the handout was unclear"
std::string by_whom(const Decision& decision) {
  return decision.reason.empty() ? "by " + decision.by
                                 : fmt::format("by {}: {}", decision.by, decision.reason);
}

/// A student's points for one lab, with what a person decided about items.
class Counted {
 public:
  Counted(const Course& course, const GradeRow& row) : row_(row), plan_(course.plan(row.lab)) {
    raw_ = row.score;
    max_ = row.max_score;
    const Decisions& decisions = course.decisions;
    for (const Decision* decision : decisions.item_points(row.student, row.lab)) take(*decision);
    for (const HandItem& item : plan_.by_hand) {
      max_ += item.points;
      if (!decisions.current(DecisionKind::points, row.student, row.lab, item.id)) {
        open_.push_back(item.title);
      }
    }
  }

  [[nodiscard]] double raw() const { return raw_; }
  [[nodiscard]] double max() const { return max_; }
  /// What is wrong with a decision; empty if nothing is.
  [[nodiscard]] const std::string& mistake() const { return problem_; }
  /// Why there is no score; empty if there is one.
  [[nodiscard]] std::string problem() const {
    if (!problem_.empty() || open_.empty()) return problem_;
    return fmt::format("{} {} not graded by hand yet", join_and(open_),
                       open_.size() == 1 ? "is" : "are");
  }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  void take(const Decision& decision) {
    const double points = decision.points.value_or(0);
    const auto& hand = plan_.by_hand;
    const auto by_hand = std::find_if(
        hand.begin(), hand.end(), [&](const HandItem& item) { return item.id == decision.item; });
    if (by_hand != hand.end()) {
      raw_ += points;
      note(by_hand->title, points, by_hand->points, decision);
      return;
    }
    const auto& items = row_.items;
    const auto own = std::find_if(items.begin(), items.end(),
                                  [&](const ItemRow& item) { return item.id == decision.item; });
    if (own == items.end()) {
      problem_ = fmt::format("{}: lab {} has no item '{}'; correct it, the items are in grade.json",
                             decision.where, row_.lab, decision.item);
      return;
    }
    raw_ += points - own->points;
    note(own->id, points, own->max_points, decision);
  }
  void note(const std::string& item, double points, double max, const Decision& decision) {
    notes_.push_back(fmt::format("{} {} of {} {}", item, human_points(points), human_points(max),
                                 by_whom(decision)));
  }

  const GradeRow& row_;
  const LabPlan plan_;
  double raw_ = 0;
  double max_ = 0;
  std::vector<std::string> open_;  // items that nobody has graded
  std::vector<std::string> notes_;
  std::string problem_;
};

Standing without_score(const std::string& why, double max) {
  Standing none;
  none.withheld = why;
  none.max = max;
  none.because = why;
  return none;
}

void bend(Standing& standing, const Curve& curve) {
  if (curve.empty() || standing.max <= 0) return;
  const double before = standing.adjusted;
  const double percent = on_curve(curve, 100 * before / standing.max);
  standing.adjusted = std::round(percent * standing.max) / 100;
  standing.because += fmt::format("; {} count as {} on the lab's curve", human_points(before),
                                  human_points(standing.adjusted));
}

}  // namespace

int ClassRecord::free_days_left(const GradeRow& row) const {
  int left = course.late.free_days;
  const std::optional<Instant> due = course.due(row.lab, row.student);
  if (left == 0 || !due) return 0;
  for (const auto& [lab, plan] : course.labs) {
    const std::optional<Instant> other = course.due(lab, row.student);
    const bool earlier = other && std::pair(*other, lab) < std::pair(*due, row.lab);
    if (!earlier || course.decisions.current(DecisionKind::excuse, row.student, lab)) continue;
    left -= started_days_late(course, log.counting(row.student, lab));
  }
  return std::max(0, left);
}

Standing ClassRecord::standing(const GradeRow& row) const {
  const Counted counted(course, row);
  const Decisions& decisions = course.decisions;
  if (const Decision* excuse = decisions.current(DecisionKind::excuse, row.student, row.lab)) {
    Standing none = without_score("excused " + by_whom(*excuse), counted.max());
    none.excused = true;
    return none;
  }
  if (const Decision* points = decisions.current(DecisionKind::points, row.student, row.lab)) {
    Standing s;
    s.raw = points->points.value_or(0);
    s.adjusted = s.raw;
    s.max = counted.max();
    const std::string before = row.status == GradeStatus::error || row.by_hand
                                   ? ""
                                   : fmt::format(" instead of {}", human_points(row.score));
    s.because = fmt::format("set to {} of {}{} {}", human_points(s.adjusted), human_points(s.max),
                            before, by_whom(*points));
    return s;
  }
  for (const std::string& why : {why_withheld(row), counted.problem()}) {
    if (!why.empty()) return without_score(why, counted.max());
  }
  Standing s = apply_late_policy(course, log.find(row.student, row.lab, row.attempt), counted.raw(),
                                 counted.max(), free_days_left(row));
  for (const std::string& note : counted.notes()) s.because += "; " + note;
  bend(s, course.plan(row.lab).curve);
  return s;
}

std::string ClassRecord::without_effect(const Gradebook& book) const {
  std::set<std::string> graded;
  std::vector<std::string> lines;
  for (const GradeRow& row : book.rows) {
    graded.insert(row.lab);
    if (const std::string mistake = Counted(course, row).mistake(); !mistake.empty()) {
      lines.push_back(mistake);
    }
  }
  for (const Decision& decision : course.decisions.all()) {
    // Those of other kinds may come before the first grades of a lab that the course lists.
    const bool is_early =
        decision.kind != DecisionKind::points && course.labs.contains(decision.lab);
    if (graded.contains(decision.lab) || is_early) continue;
    lines.push_back(fmt::format("{}: there are no grades for lab '{}'", decision.where,
                                printable(decision.lab)));
  }
  if (lines.empty()) return {};
  std::string text = fmt::format("Decisions without effect ({}):\n", lines.size());
  for (const std::string& line : lines) text += fmt::format("  {}\n", one_line(line));
  return text;
}

Gradebook ClassRecord::with_hand_grades(Gradebook book) const {
  std::map<std::string, GradeRow> of_lab;
  std::map<std::pair<std::string, std::string>, bool> graded;
  for (const GradeRow& row : book.rows) {
    of_lab.emplace(row.lab, row);
    graded[{row.student, row.lab}] = true;
  }
  for (const Decision& decision : course.decisions.all()) {
    const auto known = of_lab.find(decision.lab);
    if (decision.kind != DecisionKind::points || known == of_lab.end() ||
        graded[{decision.student, decision.lab}]) {
      continue;
    }
    graded[{decision.student, decision.lab}] = true;
    GradeRow row;
    row.student = decision.student;
    row.lab = decision.lab;
    row.lab_title = known->second.lab_title;
    row.pass_mark = known->second.pass_mark;
    row.failure = Failure::no_submission;
    row.max_score = known->second.max_score;
    for (const auto& [category, points] : known->second.points) row.points[category] = 0;
    row.summary = "Nothing was submitted; graded by hand.";
    row.by_hand = true;
    book.rows.push_back(std::move(row));
  }
  book.sort();
  return book;
}

}  // namespace warpgrade
