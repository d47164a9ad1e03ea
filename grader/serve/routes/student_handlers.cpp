#include <fmt/core.h>

#include <algorithm>

#include "grader/serve/pages/class_pages.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/class_view.h"
#include "grader/serve/routes/handlers.h"

namespace warpgrade {
namespace {

/// Questions of one student about one lab without an answer: beyond that none is taken.
constexpr std::size_t kOpenInquiries = 5;

}  // namespace

HttpReply show_grades(Server& server, const Call& call) {
  const ClassData data = class_data(server);
  std::vector<KeptAttempt> own = server.store.all_submissions();
  std::erase_if(own, [&](const KeptAttempt& a) { return a.person != call.caller.name; });
  return form_page(grades_page({.record = *data.record,
                                .book = data.book,
                                .labs = data.labs,
                                .submissions = std::move(own),
                                .form_token = call.caller.form_token()},
                               call.caller.name));
}

HttpReply show_grade(Server& server, const Call& call) {
  return grade_document(server, call.caller.name, call.lab->id, std::nullopt, Reader::student);
}

HttpReply ask_about_grade(Server& server, const Call& call) {
  const std::string text = text_in(call, "text");
  if (text.empty()) return no_text();
  const auto record = server.classroom->files.record();
  std::size_t open = 0;
  for (const Decision* said : record->course.decisions.about(call.caller.name, call.lab->id)) {
    open += said->kind == DecisionKind::inquiry ? 1 : 0;
    if (said->kind == DecisionKind::answer) open = 0;
  }
  if (open >= kOpenInquiries) {
    return message(409, "Not sent",
                   fmt::format("{} questions about this lab have no answer yet.", open));
  }
  server.classroom->files.decide({.kind = DecisionKind::inquiry,
                                  .student = call.caller.name,
                                  .lab = call.lab->id,
                                  .text = text,
                                  .by = call.caller.name,
                                  .at = now_utc()});
  return see_other("/grades");
}

}  // namespace warpgrade
