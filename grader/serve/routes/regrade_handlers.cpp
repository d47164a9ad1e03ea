#include <fmt/core.h>

#include <algorithm>

#include "grader/class/grading/adopt.h"
#include "grader/core/error.h"
#include "grader/serve/classroom/rules.h"
#include "grader/serve/pages/regrade_page.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/class_view.h"
#include "grader/serve/routes/handlers.h"

namespace warpgrade {
namespace {

/// The last submission of each student at a lab; of a group, which has one grade, that of the
/// member who submitted last.
std::vector<KeptAttempt> last_submissions(const Server& server, const Course& course,
                                          const std::string& lab) {
  std::map<std::vector<std::string>, KeptAttempt> last;  // by group
  for (KeptAttempt& submission : server.store.all_submissions()) {
    if (submission.lab != lab) continue;
    const std::vector<std::string> group = group_of(course, submission.person, lab);
    last.insert_or_assign(group, std::move(submission));
  }
  std::vector<KeptAttempt> all;
  for (auto& [group, submission] : last) all.push_back(std::move(submission));
  std::sort(all.begin(), all.end(),
            [](const KeptAttempt& a, const KeptAttempt& b) { return a.id < b.id; });
  return all;
}

/// The open regrade of a lab as it is now, if there is one.
std::optional<OpenRegrade> open_regrade(Server& server, const ClassData& data,
                                        const std::string& lab) {
  const std::optional<KeptRegrade> kept = server.store.open_regrade(lab);
  if (!kept) return std::nullopt;
  OpenRegrade open{.kept = *kept,
                   .attempts = server.store.regrade_attempts(kept->id),
                   .newer = {},
                   .changes = {}};
  for (const KeptAttempt& submission : last_submissions(server, data.record->course, lab)) {
    const std::vector<std::string> group = group_of(data.record->course, submission.person, lab);
    const bool is_newer =
        std::any_of(open.attempts.begin(), open.attempts.end(), [&](const KeptAttempt& attempt) {
          return attempt.id < submission.id &&
                 std::find(group.begin(), group.end(), attempt.person) != group.end();
        });
    if (is_newer) open.newer.insert(group.begin(), group.end());
  }
  open.changes = compare_regrade(*data.record, data.book, server.classroom->previews.book(kept->id),
                                 open.newer);
  return open;
}

HttpResponse conflict(const std::string& text) {
  return message(409, "Nothing has changed", text);
}

/// Whether a form is about the regrade that is open: not one that somebody else has ended since.
bool is_about(const Call& call, const std::optional<KeptRegrade>& open) {
  return open && positive_number(value_of(call.form, "regrade")) == open->id;
}

HttpResponse not_open_any_more() {
  return conflict(
      "This regrade was applied or discarded meanwhile. Its page has what is there now.");
}

HttpResponse back_to(const Lab& lab) {
  return see_other("/class/regrades/" + lab.id);
}

}  // namespace

HttpReply show_regrades(Server& server, const Call& call) {
  const ClassData data = class_data(server);
  RegradeView view{.record = *data.record,
                   .lab = *call.lab,
                   .submitted = {},
                   .open = open_regrade(server, data, call.lab->id),
                   .form_token = call.caller.form_token(),
                   .instructor = call.caller.role == CallerRole::instructor};
  for (const KeptAttempt& last : last_submissions(server, data.record->course, call.lab->id)) {
    view.submitted.push_back(last.person);
  }
  return form_page(regrade_page(view));
}

HttpReply begin_regrade(Server& server, const Call& call) {
  const auto record = server.classroom->files.record();
  const auto is_chosen = [&](const std::string& student) {
    return call.form.contains("student " + student);
  };
  const bool chooses = std::any_of(call.form.begin(), call.form.end(), [](const auto& field) {
    return field.first.starts_with("student ");
  });
  std::vector<std::string> students;
  for (const KeptAttempt& last : last_submissions(server, record->course, call.lab->id)) {
    if (!chooses || is_chosen(last.person)) students.push_back(last.person);
  }
  if (students.empty()) {
    return conflict(chooses ? "None of these students has submitted anything for this lab."
                            : "No student has submitted anything for this lab.");
  }
  if (!server.jobs.begin_regrade(call.lab->id, call.caller.name, students)) {
    return conflict("A regrade of this lab is open. Apply or discard it first.");
  }
  return back_to(*call.lab);
}

HttpReply apply_regrade(Server& server, const Call& call) {
  const std::string reason = text_in(call, "text");
  if (reason.empty()) return no_text();
  Classroom& classroom = *server.classroom;
  const std::lock_guard lock(classroom.regrades_mutex);
  const ClassData data = class_data(server);
  const std::optional<OpenRegrade> open = open_regrade(server, data, call.lab->id);
  if (!open || !is_about(call, open->kept)) return not_open_any_more();
  if (!open->is_complete()) return conflict("Not all submissions are graded again yet.");
  // The entry of the audit trail comes first and once: who is stopped after it applies again.
  const std::string about =
      fmt::format("regrade {} of {}: ", open->kept.id,
                  instant_text(Instant(std::chrono::seconds(open->kept.begun_ms / 1000))));
  const std::vector<const Decision*> known = data.record->course.decisions.about("", call.lab->id);
  const bool has_entry = std::any_of(known.begin(), known.end(), [&](const Decision* decision) {
    return decision->kind == DecisionKind::regrade && decision->text.starts_with(about);
  });
  if (!has_entry) {
    classroom.files.decide({.kind = DecisionKind::regrade,
                            .student = {},
                            .lab = call.lab->id,
                            .text = about + changes_total(open->changes),
                            .reason = reason,
                            .by = call.caller.name,
                            .at = now_utc()});
  }
  try {
    adopt_grades(classroom.previews.folder(open->kept.id), classroom.files.results(),
                 classroom.files.course(), server.installation);
  } catch (const EnvironmentError& e) {
    return message(
        507, "Not all grades were written",
        fmt::format("{} Apply it again when that is mended: it goes on from there.", e.what()));
  }
  server.jobs.end_regrade(open->kept.id, RegradeState::applied);
  classroom.previews.remove(open->kept.id);
  return back_to(*call.lab);
}

HttpReply discard_regrade(Server& server, const Call& call) {
  Classroom& classroom = *server.classroom;
  const std::lock_guard lock(classroom.regrades_mutex);
  const std::optional<KeptRegrade> open = server.store.open_regrade(call.lab->id);
  if (!is_about(call, open)) return not_open_any_more();
  server.jobs.end_regrade(open->id, RegradeState::discarded);
  classroom.previews.remove(open->id);
  return back_to(*call.lab);
}

}  // namespace warpgrade
