#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "grader/class/export/export.h"
#include "grader/class/page/class_page.h"
#include "grader/class/similar/similar_lab.h"
#include "grader/core/text.h"
#include "grader/serve/pages/class_pages.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/class_view.h"
#include "grader/serve/routes/handlers.h"

namespace warpgrade {
namespace {

constexpr std::array kDecided = {DecisionKind::points, DecisionKind::answer, DecisionKind::note,
                                 DecisionKind::excuse, DecisionKind::extension};
constexpr double kMostDays = 366;
constexpr double kMostPoints = 1e6;

std::optional<double> number_in(const Call& call, const std::string& field, double most) {
  const std::string text = text_in(call, field);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

HttpResponse invalid(const std::string& what) {
  return message(400, "Not decided", what);
}

/// Whether a student's grade has an item, or the course gives it by hand.
bool has_item(const ClassData& data, const Decision& decision) {
  const std::vector<HandItem> by_hand = data.record->course.plan(decision.lab).by_hand;
  if (std::any_of(by_hand.begin(), by_hand.end(),
                  [&](const HandItem& item) { return item.id == decision.item; })) {
    return true;
  }
  return std::any_of(data.book.rows.begin(), data.book.rows.end(), [&](const GradeRow& row) {
    return row.student == decision.student && row.lab == decision.lab &&
           std::any_of(row.items.begin(), row.items.end(),
                       [&](const ItemRow& item) { return item.id == decision.item; });
  });
}

}  // namespace

HttpReply show_class(Server& server, const Call& call) {
  const ClassData data = class_data(server);
  return form_page(overview_page({.record = *data.record,
                                  .book = data.book,
                                  .labs = data.labs,
                                  .submissions = server.store.all_submissions(),
                                  .form_token = call.caller.form_token(),
                                  .instructor = call.caller.role == CallerRole::instructor,
                                  .lti = server.classroom->lti != nullptr},
                                 class_progress(server)));
}

HttpReply show_class_page(Server& server, const Call& /*call*/) {
  const ClassData data = class_data(server);
  return document(class_page(data.book, *data.record, server.installation));
}

HttpReply show_similar(Server& server, const Call& call) {
  const ClassData data = class_data(server);
  std::vector<SubmittedWork> works;
  for (const GradeRow& row : data.book.rows) {
    if (row.lab != call.lab->id || row.by_hand) continue;
    Grade grade = grade_at(server.classroom->files.results(), row);
    if (!grade.sources.empty()) {
      works.push_back({.student = row.student, .files = std::move(grade.sources)});
    }
  }
  if (works.empty()) {
    return message(409, "Nothing can be compared", "No submission at this lab is graded yet.");
  }
  return document(similar_page({similar_of_lab(*call.lab, std::move(works), {}, {})}));
}

HttpReply show_grade_to_staff(Server& server, const Call& call) {
  return grade_document(server, call.student, call.lab->id, std::nullopt, Reader::staff);
}

HttpReply show_student(Server& server, const Call& call) {
  const ClassData data = class_data(server);
  std::vector<KeptAttempt> submissions = server.store.all_submissions();
  std::erase_if(submissions, [&](const KeptAttempt& a) { return a.person != call.student; });
  return form_page(
      student_for_staff_page({.record = *data.record,
                              .book = data.book,
                              .labs = data.labs,
                              .submissions = std::move(submissions),
                              .form_token = call.caller.form_token(),
                              .instructor = call.caller.role == CallerRole::instructor},
                             call.student));
}

HttpReply decide(Server& server, const Call& call) {
  const ClassData data = class_data(server);
  Decision decision{.student = call.student,
                    .lab = value_of(call.form, "lab"),
                    .by = call.caller.name,
                    .at = now_utc()};
  const auto kind = from_slug<DecisionKind>(value_of(call.form, "kind"));
  if (!kind || std::find(kDecided.begin(), kDecided.end(), *kind) == kDecided.end()) {
    return invalid("The kind of the decision is missing or unknown.");
  }
  if (std::none_of(data.labs.begin(), data.labs.end(),
                   [&](const Lab& lab) { return lab.id == decision.lab; })) {
    return invalid("The course has no such lab.");
  }
  decision.kind = *kind;
  const std::string text = text_in(call, "text");
  if (text.empty()) return no_text();
  const bool is_said = *kind == DecisionKind::answer || *kind == DecisionKind::note;
  (is_said ? decision.text : decision.reason) = text;
  if (*kind == DecisionKind::points) {
    decision.item = value_of(call.form, "item");
    decision.points = number_in(call, "points", kMostPoints);
    if (!decision.points) return invalid("Points are a number, 0 or more.");
    if (!decision.item.empty() && !has_item(data, decision)) {
      return invalid("This student's grade has no such item.");
    }
  } else if (*kind == DecisionKind::extension) {
    decision.days = number_in(call, "days", kMostDays);
    if (!decision.days) return invalid("Days are a number from 0 to 366.");
  }
  server.classroom->files.decide(decision);
  return see_other("/students/" + url_part(call.student));
}

HttpReply release_lab(Server& server, const Call& call) {
  server.classroom->files.decide({.kind = DecisionKind::release,
                                  .student = {},
                                  .lab = call.lab->id,
                                  .by = call.caller.name,
                                  .at = now_utc()});
  return see_other("/class");
}

HttpReply invite_student(Server& server, const Call& call) {
  const std::string token = server.classroom->sessions.invite(call.student);
  return form_page(invitation_page(call.student, server.site.url("/sign-in?token=" + token)));
}

HttpReply export_grades(Server& server, const Call& call) {
  const auto formats = export_formats();
  const auto format = std::find_if(formats.begin(), formats.end(), [&](const ExportFormat& one) {
    return one.one_document && one.name == call.name;
  });
  if (format == formats.end()) return not_found();
  const ClassData data = class_data(server);
  const std::filesystem::path results = server.classroom->files.results();
  const ExportInput input{
      .book = data.book,
      .record = *data.record,
      .grade = [results](const GradeRow& row) { return grade_at(results, row); },
      .staff = false,
      .now = now_utc()};
  const Exported exported = format->run(input);
  if (exported.files.empty()) {
    return message(409, "Nothing can be exported",
                   exported.notes.empty() ? "There are no grades yet." : exported.notes.front());
  }
  return download(exported.files.front().content, "application/octet-stream",
                  fmt::format("grades-{}.{}", format->name, format->ending));
}

}  // namespace warpgrade
