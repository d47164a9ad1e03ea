#include "grader/serve/pages/class_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grader/class/export/export.h"
#include "grader/core/text.h"
#include "grader/serve/classroom/rules.h"
#include "grader/serve/http/url.h"
#include "grader/serve/pages/pages.h"
#include "grader/show/report/page.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Of the hours in which pitfalls were named at a lab, the latest.
constexpr std::size_t kShownHours = 5;

const GradeRow* row_of(const Gradebook& book, const std::string& student, const std::string& lab) {
  const auto it = std::find_if(book.rows.begin(), book.rows.end(), [&](const GradeRow& row) {
    return row.student == student && row.lab == lab;
  });
  return it == book.rows.end() ? nullptr : &*it;
}

std::vector<const KeptAttempt*> submissions_of(const ClassView& view, const std::string& student,
                                               const std::string& lab) {
  std::vector<const KeptAttempt*> found;
  for (const KeptAttempt& attempt : view.submissions) {
    if (attempt.person == student && attempt.lab == lab) found.push_back(&attempt);
  }
  return found;
}

/// "80 of 100", as it was graded.
std::string points_of(const GradeRow& row) {
  if (row.status == GradeStatus::error) return "not graded: an internal error";
  return fmt::format("{} of {}", human_points(row.score), human_points(row.max_score));
}

/// The points that count, with their reason.
std::string counted(const Standing& standing) {
  if (!standing.counts()) return "no points count: " + standing.withheld;
  return fmt::format("{} of {} count{}{}", human_points(standing.adjusted),
                     human_points(standing.max), standing.because.empty() ? "" : ": ",
                     standing.because);
}

std::string state_of(const KeptAttempt& submission) {
  switch (submission.state) {
    case AttemptState::waiting:
      return "waits to be graded";
    case AttemptState::running:
      return "is being graded";
    case AttemptState::done:
      return "graded";
    default:
      return "not graded";
  }
}

PageData submission_rows(const std::vector<const KeptAttempt*>& submissions) {
  PageData rows(PageData::type::list);
  for (const KeptAttempt* attempt : submissions) {
    PageData row = texts({{"id", std::to_string(attempt->id)},
                          {"when", shown_time(submitted_at(*attempt))},
                          {"state", state_of(*attempt)}});
    set_text(row, "message", attempt->message);
    row.set("graded", attempt->state == AttemptState::done);
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData decision_rows(const ClassRecord& record, const std::string& student,
                       const std::string& lab) {
  PageData rows(PageData::type::list);
  for (const Decision* decision : record.course.decisions.about(student, lab)) {
    PageData row = texts({{"what", decision_about(*decision)},
                          {"by", decision->by},
                          {"when", shown_time(decision->at)}});
    set_text(row, "text", decision->text.empty() ? decision->reason : decision->text);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Whether the last question of a student has no answer yet.
bool is_open(const ClassRecord& record, const std::string& student, const std::string& lab) {
  bool open = false;
  for (const Decision* decision : record.course.decisions.about(student, lab)) {
    if (decision->kind == DecisionKind::inquiry) open = true;
    if (decision->kind == DecisionKind::answer) open = false;
  }
  return open;
}

/// A lab of one student, for the student or for staff.
PageData lab_section(const ClassView& view, const std::string& student, const Lab& lab,
                     bool for_staff) {
  PageData section = texts({{"lab", lab.id}, {"title", lab.title}, {"token", view.form_token}});
  section.set("student_url", url_part(student));
  set_text(section, "rules", rules_of(view.record.course, student, lab.id));
  const GradeRow* row = row_of(view.book, student, lab.id);
  section.set("has_page", row != nullptr && !row->by_hand);
  set_text(section, "points", row == nullptr ? std::string() : points_of(*row));
  // The points that count depend on hidden cases item by item.
  const bool released = view.record.course.released(lab.id, student, now_utc());
  set_text(section, "counts",
           row != nullptr && (for_staff || released) ? counted(view.record.standing(*row)) : "");
  const std::vector<const KeptAttempt*> submissions = submissions_of(view, student, lab.id);
  set_list(section, "submissions", submission_rows(submissions));
  section.set("comparable", submissions.size() > 1);
  set_list(section, "decisions", decision_rows(view.record, student, lab.id));
  PageData flags(PageData::type::list);
  PageData items(PageData::type::list);
  if (row != nullptr && for_staff) {
    for (const std::string& flag : row->flags) flags.push_back(texts({{"flag", flag}}));
    for (const ItemRow& item : row->items) items.push_back(texts({{"item", item.id}}));
  }
  for (const HandItem& item : view.record.course.plan(lab.id).by_hand) {
    items.push_back(texts({{"item", item.id}}));
  }
  set_list(section, "flags", std::move(flags));
  set_list(section, "items", std::move(items));
  return section;
}

PageData lab_sections(const ClassView& view, const std::string& student, bool for_staff) {
  PageData sections(PageData::type::list);
  for (const Lab& lab : view.labs) {
    sections.push_back(lab_section(view, student, lab, for_staff));
  }
  return sections;
}

/// A student's work at a lab: "80 of 100, 72 count, 1 flag", and "3 submissions, the last at
/// 2026-11-13 22:59 UTC".
PageData cell(const ClassView& view, const std::string& student, const std::string& lab) {
  PageData cell(PageData::type::object);
  const GradeRow* row = row_of(view.book, student, lab);
  std::string grade = row == nullptr ? std::string() : points_of(*row);
  if (row != nullptr) {
    const Standing standing = view.record.standing(*row);
    if (!standing.counts()) {
      grade += ", none count";
    } else if (human_points(standing.adjusted) != human_points(row->score)) {
      grade += fmt::format(", {} count", human_points(standing.adjusted));
    }
  }
  if (row != nullptr && !row->flags.empty()) grade += ", " + plural(row->flags.size(), "flag");
  set_text(cell, "grade", grade);
  const std::vector<const KeptAttempt*> own = submissions_of(view, student, lab);
  std::string work;
  if (!own.empty()) {
    work = fmt::format("{}, the last at {}", plural(own.size(), "submission"),
                       shown_time(submitted_at(*own.back())));
    if (own.back()->state != AttemptState::done) work += ", which " + state_of(*own.back());
  }
  set_text(cell, "work", work);
  return cell;
}

/// How many students' grades begin with each pitfall, the most frequent first.
std::string pitfalls_of(const Gradebook& book, const std::string& lab) {
  std::map<std::string, std::size_t> counts;
  for (const GradeRow& row : book.rows) {
    if (row.lab == lab && !row.pitfall.empty() && !row.passed) ++counts[row.pitfall];
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> words;
  for (const auto& [pitfall, count] : sorted) {
    words.push_back(fmt::format("{}: {}", pitfall, plural(count, "student")));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

PageData lab_rows(const ClassView& view) {
  PageData rows(PageData::type::list);
  const Course& course = view.record.course;
  for (const Lab& lab : view.labs) {
    std::set<std::string> submitted;
    std::size_t complete = 0;
    for (const KeptAttempt& attempt : view.submissions) {
      if (attempt.lab == lab.id) submitted.insert(attempt.person);
    }
    for (const GradeRow& row : view.book.rows) {
      if (row.lab == lab.id && !row.by_hand) submitted.insert(row.student);
      complete += row.lab == lab.id && row.passed ? 1 : 0;
    }
    PageData row = texts({{"lab", lab.id}, {"title", lab.title}, {"token", view.form_token}});
    row.set("submitted", fmt::format("{} of {}", submitted.size(), course.roster.entries.size()));
    row.set("complete", std::to_string(complete));
    row.set("pitfalls", pitfalls_of(view.book, lab.id));
    const std::string release = release_of(course, lab.id);
    row.set("release", release);
    row.set("can_release", view.instructor && release != "released");
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "P2 in 5, P7 in 1", the most frequent first.
std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> words;
  for (const auto& [pitfall, count] : sorted)
    words.push_back(fmt::format("{} in {}", pitfall, count));
  return fmt::format("{}", fmt::join(words, ", "));
}

PageData progress_rows(const ClassView& view,
                       const std::map<std::string, AttemptProgress>& progress) {
  PageData rows(PageData::type::list);
  for (const Lab& lab : view.labs) {
    const auto it = progress.find(lab.id);
    if (it == progress.end()) continue;
    const AttemptProgress& of_lab = it->second;
    PageData row = texts({{"title", lab.title}});
    row.set("full", of_lab.attempts.empty()
                        ? std::string()
                        : fmt::format("{:g}, of {}", median_of(of_lab.attempts),
                                      plural(of_lab.attempts.size(), "student")));
    row.set("hints", of_lab.hints.named == 0
                         ? std::string()
                         : fmt::format("{} of {}", of_lab.hints.followed, of_lab.hints.named));
    PageData hours(PageData::type::list);
    std::size_t shown = 0;
    for (auto hour = of_lab.pitfalls.rbegin();
         hour != of_lab.pitfalls.rend() && shown < kShownHours; ++hour, ++shown) {
      hours.push_back(
          texts({{"hour", shown_time(hour->first)}, {"counts", counts_text(hour->second)}}));
    }
    row.set("hours", std::move(hours));
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData student_rows(const ClassView& view) {
  PageData rows(PageData::type::list);
  for (const RosterEntry& entry : view.record.course.roster.entries) {
    PageData row = texts({{"name", entry.shown_name()}});
    row.set("student_url", url_part(entry.student));
    PageData cells(PageData::type::list);
    std::vector<std::string> open;
    for (const Lab& lab : view.labs) {
      cells.push_back(cell(view, entry.student, lab.id));
      if (is_open(view.record, entry.student, lab.id)) open.push_back(lab.id);
    }
    row.set("cells", std::move(cells));
    set_text(row, "open", open.empty() ? std::string() : "open question: " + join_and(open));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string grades_page(const ClassView& view, const std::string& student) {
  PageData values = texts({{"course", view.record.course.title}});
  values.set("labs", lab_sections(view, student, false));
  return render_serve_page("grades.html", values);
}

std::string overview_page(const ClassView& view,
                          const std::map<std::string, AttemptProgress>& progress) {
  PageData values = texts({{"course", view.record.course.title}, {"token", view.form_token}});
  values.set("instructor", view.instructor);
  values.set("lti", view.lti);
  values.set("labs", lab_rows(view));
  set_list(values, "progress", progress_rows(view, progress));
  values.set("students", student_rows(view));
  PageData exports(PageData::type::list);
  for (const ExportFormat& format : export_formats()) {
    if (format.one_document) {
      exports.push_back(texts({{"format", format.name}, {"says", format.says}}));
    }
  }
  values.set("exports", std::move(exports));
  return render_serve_page("class.html", values);
}

std::string student_for_staff_page(const ClassView& view, const std::string& student) {
  PageData values = texts({{"name", view.record.shown_name(student)}, {"token", view.form_token}});
  values.set("student_url", url_part(student));
  values.set("instructor", view.instructor);
  values.set("labs", lab_sections(view, student, true));
  return render_serve_page("student.html", values);
}

std::string invitation_page(const std::string& person, const std::string& link) {
  PageData values(PageData::type::object);
  values.set("person", printable(person));
  values.set("person_url", url_part(person));
  values.set("link", link);
  return render_serve_page("invitation.html", values);
}

}  // namespace warpgrade
