#include "grader/serve/routes/routes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "grader/core/sha256.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/playground.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/handlers.h"

namespace warpgrade {
namespace {

using enum CallerRole;
constexpr Roles kEveryone = {anonymous, student, assistant, instructor, owner};
constexpr Roles kClass = {student, assistant, instructor};
constexpr Roles kClassAndAnonymous = {anonymous, student, assistant, instructor};
constexpr Roles kClassAndOwner = {student, assistant, instructor, owner};
constexpr Roles kStaff = {assistant, instructor};
constexpr Roles kHandsIn = {student, owner};

constexpr std::array kRoutes = {
    Route{"GET", "/", kClassAndOwner, Body::none, show_labs},
    Route{"GET", "/assets/{name}", kEveryone, Body::none, show_asset},
    Route{"GET", "/labs/{lab}", kClassAndOwner, Body::none, show_lab},
    Route{"GET", "/labs/{lab}/handout", kClassAndOwner, Body::none, show_handout},
    Route{"GET", "/labs/{lab}/files", kClassAndOwner, Body::none, list_files},
    Route{"GET", "/labs/{lab}/attempts", kClassAndOwner, Body::none, list_attempts},
    Route{"PUT", "/labs/{lab}/draft", kClassAndOwner, Body::json, save_draft},
    Route{"POST", "/labs/{lab}/checks", kClassAndOwner, Body::json, begin_check},
    Route{"POST", "/labs/{lab}/submissions", kHandsIn, Body::json, begin_submission},
    Route{"GET", "/attempts/{attempt}", kClassAndOwner, Body::none, show_attempt},
    Route{"GET", "/attempts/{attempt}/files", kClassAndOwner, Body::none, show_attempt_files},
    Route{"GET", "/attempts/{attempt}/report", kClassAndOwner, Body::none, show_report},
    Route{"GET", "/attempts/{attempt}/events", kClassAndOwner, Body::none, follow_attempt},
    Route{"GET", "/attempts/{attempt}/receipt", kClassAndOwner, Body::none, show_receipt},
    Route{"POST", "/attempts/{attempt}/cancel", kClassAndOwner, Body::json, cancel_attempt},
    Route{"GET", "/compare", kClassAndOwner, Body::none, compare_attempts},
    Route{"GET", "/sign-in", kClassAndAnonymous, Body::none, ask_to_sign_in},
    Route{"POST", "/sign-in", kClassAndAnonymous, Body::first_form, sign_in},
    Route{"GET", "/sign-in/provider", kClassAndAnonymous, Body::none, go_to_provider},
    Route{"GET", kCallback, kClassAndAnonymous, Body::none, return_from_provider},
    Route{"GET", kLtiLogin, kClassAndAnonymous, Body::none, begin_lti_launch},
    Route{"POST", kLtiLogin, kClassAndAnonymous, Body::foreign_form, begin_lti_launch},
    Route{"POST", kLtiLaunch, kClassAndAnonymous, Body::foreign_form, end_lti_launch},
    Route{"GET", kLtiKeys, kClassAndAnonymous, Body::none, show_lti_keys},
    Route{"POST", "/lti/deep-link/answer", kClassAndAnonymous, Body::first_form, answer_lti_choice},
    Route{"POST", "/sign-out", kClass, Body::form, sign_out},
    Route{"POST", "/sign-out-everywhere", kClass, Body::form, sign_out_everywhere},
    Route{"GET", "/grades", {student}, Body::none, show_grades},
    Route{"GET", "/grades/{lab}", {student}, Body::none, show_grade},
    Route{"POST", "/grades/{lab}/inquiries", {student}, Body::form, ask_about_grade},
    Route{"GET", "/class", kStaff, Body::none, show_class},
    Route{"GET", "/class/page", kStaff, Body::none, show_class_page},
    Route{"GET", "/class/similar/{lab}", kStaff, Body::none, show_similar},
    Route{"GET", "/class/regrades/{lab}", kStaff, Body::none, show_regrades},
    Route{"POST", "/class/regrades/{lab}", kStaff, Body::form, begin_regrade},
    Route{"POST", "/class/regrades/{lab}/apply", {instructor}, Body::form, apply_regrade},
    Route{"POST", "/class/regrades/{lab}/discard", kStaff, Body::form, discard_regrade},
    Route{"GET", "/class/lti", kStaff, Body::none, show_lti},
    Route{"POST", "/class/lti/links", kStaff, Body::form, choose_lti_lab},
    Route{"POST", "/class/lti/members", kStaff, Body::form, read_lti_members},
    Route{"POST", "/class/lti/send", kStaff, Body::form, send_lti_scores},
    Route{"POST", "/class/lti/forget", kStaff, Body::form, forget_lti_account},
    Route{"GET", "/class/{student}/{lab}/feedback.html", kStaff, Body::none, show_grade_to_staff},
    Route{"GET", "/students/{student}", kStaff, Body::none, show_student},
    Route{"POST", "/students/{student}/decisions", kStaff, Body::form, decide},
    Route{"POST", "/students/{student}/invitation", {instructor}, Body::form, invite_student},
    Route{"POST", "/labs/{lab}/release", {instructor}, Body::form, release_lab},
    Route{"GET", "/export/{name}", {instructor}, Body::none, export_grades},
};

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

bool matches(std::string_view pattern, const std::vector<std::string>& path) {
  const std::vector<std::string_view> parts = segments_of(pattern);
  return std::equal(parts.begin(), parts.end(), path.begin(), path.end(),
                    [](std::string_view part, const std::string& given) {
                      return part.starts_with('{') || part == given;
                    });
}

/// The answer to who asks for what is not there, or not theirs: in the form that the route has.
HttpResponse no_such(const Route& route) {
  return route.body == Body::json ? refusal(404, "There is no such address.") : not_found();
}

/// A lab of the course, without one any, or the playground.
const Lab* lab_to_work_at(const Server& server, const std::string& id) {
  const Lab* const lab = server.find_lab(id);
  if (lab == nullptr || server.classroom == nullptr || is_playground(*lab)) return lab;
  const auto record = server.classroom->files.record();
  return is_in_course(record->course, id) ? lab : nullptr;
}

/// The refusal of a lab that the course has not opened yet.
std::optional<HttpResponse> not_open(const Server& server, const Route& route, const Call& call) {
  const bool always = server.classroom == nullptr || is_playground(*call.lab);
  if (always || call.caller.is_staff()) return std::nullopt;
  const std::optional<Instant> opens =
      server.classroom->files.record()->course.plan(call.lab->id).opens;
  if (!opens || now_utc() >= *opens) return std::nullopt;
  const std::string text = fmt::format("It opens at {}.", instant_text(*opens));
  return route.body == Body::json ? refusal(403, text)
                                  : message(403, "This lab is not open yet", text);
}

/// Looks up what a path names, and whether it is the caller's to see.
/// @return the refusal, if it is not
std::optional<HttpResponse> look_up(const Server& server, const Route& route, Call& call) {
  const std::vector<std::string_view> parts = segments_of(route.path);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& given = call.target.path[i];
    if (parts[i] == "{lab}") {
      call.lab = lab_to_work_at(server, given);
      if (call.lab == nullptr) return no_such(route);
      if (auto refused = not_open(server, route, call)) return refused;
    } else if (parts[i] == "{attempt}") {
      const std::optional<std::int64_t> id = positive_number(given);
      if (id) call.attempt = server.store.attempt(*id);
      if (!call.attempt || !may_see(call.caller, *call.attempt, route.method == "GET")) {
        return no_such(route);
      }
    } else if (parts[i] == "{student}") {
      const auto record = server.classroom->files.record();
      const RosterEntry* entry = record->course.roster.find(given);
      if (entry == nullptr || entry->student != given) return no_such(route);
      call.student = given;
    } else if (parts[i] == "{name}") {
      call.name = given;
    }
  }
  return std::nullopt;
}

/// Whether a change comes from a page of this server.
/// @return the refusal, if it may not
std::optional<HttpResponse> check_body(const Route& route, Call& call) {
  if (route.body == Body::none) return std::nullopt;
  const std::string& type = call.request.header("content-type");
  if (route.body == Body::json) {
    if (type.starts_with("application/json")) return std::nullopt;
    return refusal(415, "The request has to have the type application/json.");
  }
  std::optional<std::map<std::string, std::string>> form = parse_form(call.request.body);
  if (!type.starts_with("application/x-www-form-urlencoded") || !form) {
    return message(415, "Not a form", "The request has to be a form of a page of this server.");
  }
  if (route.body == Body::form &&
      !equal_in_constant_time(value_of(*form, "token"), call.caller.form_token())) {
    return message(403, "Refused",
                   "This form is not from a page of your session. Go back, reload the page, and "
                   "send it again.");
  }
  call.form = std::move(*form);
  return std::nullopt;
}

HttpResponse refuse_role(const Server& server, const Caller& caller, Body body) {
  const bool anonymous = caller.role == CallerRole::anonymous;
  if (anonymous && body != Body::json && server.classroom->provider != nullptr) {
    return notice(403, "Not signed in", "This page is for the members of the course.", "/sign-in",
                  "Sign in");
  }
  const std::string title = anonymous ? "Not signed in" : "Refused";
  const std::string text =
      anonymous ? "Open your personal link for signing in. It works once; the instructors of the "
                  "course give you a new one."
                : "This is not for your role in the course.";
  return body == Body::json ? refusal(403, title + ". " + text) : message(403, title, text);
}

}  // namespace

const Lab* Server::find_lab(const std::string& id) const {
  if (playground && id == playground->id) return &*playground;
  const auto it =
      std::find_if(labs.begin(), labs.end(), [&](const Lab& lab) { return lab.id == id; });
  return it == labs.end() ? nullptr : &*it;
}

std::string Caller::form_token() const {
  Sha256 sha;
  sha.add_field("form");
  sha.add_field(session);
  return sha.hex();
}

bool takes_foreign_forms(const HttpRequest& request, const Target& target) {
  return std::any_of(kRoutes.begin(), kRoutes.end(), [&](const Route& route) {
    return route.body == Body::foreign_form && route.method == request.method &&
           matches(route.path, target.path);
  });
}

bool may_see(const Caller& caller, const KeptAttempt& attempt, bool reads) {
  if (attempt.kind == AttemptKind::regrade) return false;  // only its regrade's page shows it
  return attempt.person == caller.name || (reads && caller.is_staff());
}

bool is_in_course(const Course& course, const std::string& lab) {
  return course.labs.empty() || course.labs.contains(lab);
}

std::span<const Route> routes() {
  return kRoutes;
}

HttpReply answer(Server& server, const HttpRequest& request, const Target& target, Caller caller) {
  bool known = false;  // with another method
  for (const Route& route : kRoutes) {
    if (!matches(route.path, target.path)) continue;
    const bool is_of_class = !route.roles.has(CallerRole::owner);
    if (is_of_class && server.classroom == nullptr) continue;
    known = true;
    if (route.method != request.method) continue;
    if (!route.roles.has(caller.role)) return refuse_role(server, caller, route.body);
    Call call{.request = request, .target = target, .caller = std::move(caller)};
    if (auto refused = check_body(route, call)) return *std::move(refused);
    if (auto refused = look_up(server, route, call)) return *std::move(refused);
    return route.handle(server, call);
  }
  if (caller.role == CallerRole::anonymous) return refuse_role(server, caller, Body::none);
  if (known || (request.method != "GET" && request.method != "POST" && request.method != "PUT")) {
    return refusal(405, "This address does not take this method.");
  }
  return request.method == "GET" ? HttpReply(not_found())
                                 : refusal(404, "There is no such address.");
}

}  // namespace warpgrade
