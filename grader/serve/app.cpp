#include "grader/serve/app.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/serve/monitor.h"
#include "grader/serve/playground.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/routes.h"

namespace warpgrade {
namespace {

HttpResponse wrong_host(const std::string& names, const std::string& next) {
  return message(421, "Wrong address",
                 fmt::format("This server answers under {} only. {}", names, next));
}

HttpResponse wrong_origin() {
  return message(403, "Refused", "A page of another server has sent this request.");
}

HttpResponse refuse(Guard::Verdict verdict) {
  switch (verdict) {
    case Guard::Verdict::wrong_host:
      return wrong_host("127.0.0.1 and localhost", "Open the URL that `warpgrade serve` printed.");
    case Guard::Verdict::wrong_origin:
      return wrong_origin();
    default:
      return message(
          403, "Not signed in",
          "Open the URL that `warpgrade serve` printed in its terminal: it has the token "
          "that lets your browser in. Each start of the server makes a new one.");
  }
}

int status_of(const StoreError& error) {
  switch (error.kind) {
    case StoreError::Kind::full:
      return 507;
    case StoreError::Kind::locked:
    case StoreError::Kind::unreachable:
      return 503;
    default:
      return 500;
  }
}

}  // namespace

App::App(Installation installation, std::vector<Lab> labs, Guard guard, Site site, Store& store,
         Jobs& jobs)
    : guard_(std::move(guard)),
      server_{.installation = std::move(installation),
              .labs = std::move(labs),
              .site = std::move(site),
              .store = store,
              .jobs = jobs} {}

App::App(Installation installation, std::vector<Lab> labs, Site site, Store& store, Jobs& jobs,
         Classroom& classroom)
    : server_{.installation = std::move(installation),
              .labs = std::move(labs),
              .site = std::move(site),
              .store = store,
              .jobs = jobs,
              .classroom = &classroom} {}

void App::open_playground() {
  const bool taken = std::any_of(server_.labs.begin(), server_.labs.end(),
                                 [](const Lab& lab) { return lab.id == kPlayground; });
  if (!taken) server_.playground = playground_lab();
}

HttpReply App::handle(const HttpRequest& request) {
  const std::optional<Target> target = parse_target(request.target);
  HttpReply reply;
  try {
    reply = server_.classroom == nullptr ? for_owner(request, target) : for_class(request, target);
  } catch (const StoreError& e) {
    reply = refusal(status_of(e), e.what());
  }
  if (auto* response = std::get_if<HttpResponse>(&reply)) add_headers(*response);
  return reply;
}

HttpReply App::for_owner(const HttpRequest& request, const std::optional<Target>& target) {
  const std::string token = target ? value_of(target->query, "token") : "";
  const Guard::Verdict verdict = guard_->judge(request, token);
  if (verdict == Guard::Verdict::sign_in) {
    // Not a redirection: after a link in another page, the browser would not send the new cookie.
    HttpResponse response = message(200, "Signed in", "Your browser goes on to the labs.", "/");
    response.headers.emplace_back("Set-Cookie", guard_->cookie());
    return response;
  }
  if (verdict != Guard::Verdict::allowed) return refuse(verdict);
  return routed(request, target, {.role = CallerRole::owner, .name = {}, .session = {}});
}

HttpReply App::for_class(const HttpRequest& request, const std::optional<Target>& target) {
  if (target) {
    if (auto watched = answer_monitor(request, *target, server_.store)) return *std::move(watched);
  }
  // A learning platform sends forms; each of them has to prove that it is right.
  if (target && takes_foreign_forms(request, *target)) {
    if (!server_.site.is_own_host(request)) {
      return wrong_host(server_.site.url(""), "Open that address.");
    }
    return routed(request, target, caller_of(request));
  }
  // A browser that opens a page; all pages are opened without changing anything.
  const bool navigates = request.header("sec-fetch-mode") == "navigate";
  switch (server_.site.judge(request, navigates)) {
    case Site::Verdict::wrong_host:
      return wrong_host(server_.site.url(""), "Open that address.");
    case Site::Verdict::wrong_origin:
      return wrong_origin();
    case Site::Verdict::own:
      break;
  }
  return routed(request, target, caller_of(request));
}

HttpReply App::routed(const HttpRequest& request, const std::optional<Target>& target,
                      Caller caller) {
  if (!target) return message(400, "Not a page", "The address has a part that is not allowed.");
  return answer(server_, request, *target, std::move(caller));
}

Caller App::caller_of(const HttpRequest& request) {
  Caller caller;
  const std::string session = server_.site.cookie(request);
  if (session.empty()) return caller;
  const std::optional<std::string> name = server_.classroom->sessions.person(session);
  if (!name) return caller;
  caller.name = *name;
  caller.session = session;
  // As the files say now: who was taken out of them is not signed in any more.
  const auto record = server_.classroom->files.record();
  const auto staff = record->course.staff.find(*name);
  if (staff != record->course.staff.end()) {
    caller.role =
        staff->second == StaffRole::instructor ? CallerRole::instructor : CallerRole::assistant;
  } else if (const RosterEntry* entry = record->course.roster.find(*name);
             entry != nullptr && entry->student == *name) {
    caller.role = CallerRole::student;
  } else {
    return {};
  }
  return caller;
}

}  // namespace warpgrade
