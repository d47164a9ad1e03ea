#include "grader/serve/pages/regrade_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "grader/core/text.h"
#include "grader/serve/classroom/rules.h"
#include "grader/serve/http/url.h"
#include "grader/serve/pages/pages.h"
#include "grader/show/report/page.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

std::size_t count_of(const OpenRegrade& open, AttemptState state) {
  return static_cast<std::size_t>(
      std::count_if(open.attempts.begin(), open.attempts.end(),
                    [&](const KeptAttempt& attempt) { return attempt.state == state; }));
}

/// "12 of 30 submissions are graded, 1 could not be"
std::string progress_of(const OpenRegrade& open) {
  const std::size_t failed = count_of(open, AttemptState::failed);
  return fmt::format("{} of {} {} graded{}", count_of(open, AttemptState::done),
                     plural(open.attempts.size(), "submission"),
                     open.attempts.size() == 1 ? "is" : "are",
                     failed > 0 ? fmt::format(", {} could not be", failed) : "");
}

PageData change_rows(const RegradeView& view) {
  PageData rows(PageData::type::list);
  for (const GradeChange& change : view.open->changes.rows) {
    PageData row = texts({{"name", view.record.shown_name(change.student)},
                          {"before", change.before},
                          {"after", change.after},
                          {"why", change.why},
                          {"cause", change.cause}});
    row.set("student_url", url_part(change.student));
    row.set("difference",
            fmt::format("{}{}", change.difference > 0 ? "+" : "", human_points(change.difference)));
    PageData items(PageData::type::list);
    for (const std::string& item : change.items) items.push_back(texts({{"item", item}}));
    row.set("items", std::move(items));
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData failed_rows(const RegradeView& view) {
  PageData rows(PageData::type::list);
  for (const KeptAttempt& attempt : view.open->attempts) {
    if (attempt.state != AttemptState::failed) continue;
    rows.push_back(
        texts({{"name", view.record.shown_name(attempt.person)}, {"message", attempt.message}}));
  }
  return rows;
}

PageData preview_data(const RegradeView& view) {
  const OpenRegrade& open = *view.open;
  const Instant begun(std::chrono::seconds(open.kept.begun_ms / 1000));
  PageData data = texts({{"id", std::to_string(open.kept.id)},
                         {"by", open.kept.by},
                         {"when", shown_time(begun)},
                         {"progress", progress_of(open)},
                         {"lab", view.lab.id},
                         {"token", view.form_token}});
  set_text(data, "total",
           count_of(open, AttemptState::done) > 0 ? changes_total(open.changes) : "");
  set_list(data, "changes", change_rows(view));
  set_list(data, "failed", failed_rows(view));
  std::vector<std::string> newer;
  for (const std::string& student : open.newer) newer.push_back(view.record.shown_name(student));
  set_text(data, "newer", fmt::format("{}", fmt::join(newer, "; ")));
  data.set("can_apply", view.instructor && open.is_complete());
  data.set("only_instructors", !view.instructor && open.is_complete());
  return data;
}

PageData begin_data(const RegradeView& view) {
  PageData data = texts({{"lab", view.lab.id}, {"token", view.form_token}});
  PageData students(PageData::type::list);
  for (const std::string& student : view.submitted) {
    students.push_back(texts({{"student", student}, {"name", view.record.shown_name(student)}}));
  }
  data.set("nobody", view.submitted.empty());
  data.set("count", std::to_string(view.submitted.size()));
  set_list(data, "students", std::move(students));
  return data;
}

PageData applied_rows(const RegradeView& view) {
  PageData rows(PageData::type::list);
  for (const Decision* decision : view.record.course.decisions.about("", view.lab.id)) {
    if (decision->kind != DecisionKind::regrade) continue;
    rows.push_back(texts({{"when", shown_time(decision->at)},
                          {"by", decision->by},
                          {"text", decision->text},
                          {"reason", decision->reason}}));
  }
  return rows;
}

}  // namespace

bool OpenRegrade::is_complete() const {
  return count_of(*this, AttemptState::waiting) + count_of(*this, AttemptState::running) == 0;
}

std::string regrade_page(const RegradeView& view) {
  PageData values = texts({{"title", view.lab.title}});
  values.set("preview", view.open ? preview_data(view) : PageData(false));
  values.set("begin", view.open ? PageData(false) : begin_data(view));
  set_list(values, "applied", applied_rows(view));
  return render_serve_page("regrade.html", values);
}

}  // namespace warpgrade
