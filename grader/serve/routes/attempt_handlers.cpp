#include <fmt/core.h>

#include <algorithm>

#include "grader/serve/pages/pages.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/class_view.h"
#include "grader/serve/routes/handlers.h"
#include "grader/serve/routes/receipt.h"
#include "grader/serve/routes/routes.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

/// The number of a submission among the person's for this lab, from 1.
int number_of(const Server& server, const KeptAttempt& submission) {
  const std::vector<KeptAttempt> all = server.store.submissions(submission.person, submission.lab);
  return static_cast<int>(std::count_if(
      all.begin(), all.end(), [&](const KeptAttempt& other) { return other.id <= submission.id; }));
}

/// Why an attempt has no result, as a problem of a check: what, where, what next.
Json failure_of(const Server& server, const KeptAttempt& attempt) {
  const FailedAttempt failed = failed_from(attempt.message);
  const std::string name = fmt::format("{} {} at {}", slug(attempt.kind), attempt.id, attempt.lab);
  std::string next =
      "Run `warpgrade doctor` in a terminal: it names what is missing here. Then try "
      "again.";
  if (server.classroom != nullptr) {
    next =
        attempt.kind == AttemptKind::check
            ? fmt::format("Check again. If it fails again, tell the staff of the course: {}.", name)
            : fmt::format(
                  "Your submission and its time are kept. Ask the staff of the course to "
                  "grade it again: {}.",
                  name);
  }
  return {{"severity", "error"},
          {"message", failed.why},
          {"where", fmt::format("{}, on the machine of the server{}", name,
                                failed.step.empty() ? "" : ", at the step: " + failed.step)},
          {"next", next}};
}

}  // namespace

HttpReply show_attempt(Server& server, const Call& call) {
  Json answer = Json::parse(attempt_json(*call.attempt));
  const std::optional<AttemptResult> result = server.store.result(call.attempt->id);
  answer["problems"] = result ? Json::parse(result->problems) : Json::array();
  if (call.attempt->state == AttemptState::failed) {
    answer["headline"] =
        "It ended because of an environment or internal error, not because of your "
        "files. No points are lost.";
    answer["problems"].push_back(failure_of(server, *call.attempt));
  }
  return json_response(answer);
}

HttpReply show_attempt_files(Server& server, const Call& call) {
  return json_response({{"files", server.store.files(call.attempt->id)}});
}

HttpReply show_report(Server& server, const Call& call) {
  const KeptAttempt& attempt = *call.attempt;
  if (server.classroom != nullptr && attempt.kind == AttemptKind::submission) {
    return grade_document(server, attempt.person, attempt.lab, number_of(server, attempt),
                          call.caller.is_staff() ? Reader::staff : Reader::student);
  }
  std::optional<AttemptResult> result = server.store.result(call.attempt->id);
  if (result) return document(std::move(result->report));
  return message(404, "There is no report", "This attempt has no result.");
}

HttpReply show_receipt(Server& server, const Call& call) {
  if (call.attempt->kind != AttemptKind::submission) {
    return message(404, "There is no receipt", "A check is not a submission.");
  }
  return HttpResponse{.body = receipt_text(server, *call.attempt)};
}

HttpReply follow_attempt(Server& server, const Call& call) {
  std::shared_ptr<EventLog> log = server.jobs.events(call.attempt->id);
  if (log == nullptr) return not_found();
  return EventStream{std::move(log), call.request.header("last-event-id")};
}

HttpReply cancel_attempt(Server& server, const Call& call) {
  if (server.jobs.cancel(call.attempt->id)) return json_response(Json::object());
  return refusal(409, "It has ended already, or is a submission, which is always graded.");
}

HttpReply compare_attempts(Server& server, const Call& call) {
  const auto attempt_of = [&](const char* name) -> std::optional<KeptAttempt> {
    const std::optional<std::int64_t> id = positive_number(value_of(call.target.query, name));
    std::optional<KeptAttempt> attempt = id ? server.store.attempt(*id) : std::nullopt;
    return attempt && may_see(call.caller, *attempt, true) ? attempt : std::nullopt;
  };
  const std::optional<KeptAttempt> from = attempt_of("from");
  const std::optional<KeptAttempt> to = attempt_of("to");
  if (!from || !to || from->lab != to->lab) return not_found();
  const Lab* const lab = server.find_lab(from->lab);
  if (lab == nullptr) return not_found();
  return page(
      compare_page(*lab, *from, server.store.files(from->id), *to, server.store.files(to->id)));
}

}  // namespace warpgrade
