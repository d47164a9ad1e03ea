#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "grader/core/text.h"
#include "grader/serve/pages/lti_pages.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/handlers.h"
#include "grader/serve/routes/lti_replies.h"
#include "grader/serve/routes/routes.h"
#include "grader/serve/routes/session_replies.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestHint = 8000;
constexpr const char* kCookieTime = "; Max-Age=600";  // PendingSignIns::kTime

/// Where the origins of an HTML page's frame and form may be, instead of this server's alone.
HttpResponse opened_to(HttpResponse response, const std::string& ancestors,
                       const std::string& form_action) {
  std::erase_if(response.headers, [](const auto& header) {
    return header.first == "Content-Security-Policy" || header.first == "Referrer-Policy";
  });
  response.headers.emplace_back(
      "Content-Security-Policy",
      fmt::format("default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors {}; "
                  "base-uri 'none'; form-action {}",
                  ancestors, form_action));
  response.headers.emplace_back("Referrer-Policy", "same-origin");
  return response;
}

/// A page of sentences, which a frame of any platform may show: there is nothing to press.
HttpResponse said(int status, const std::string& title, const std::string& text) {
  return opened_to(message(status, title, text), "*", "'none'");
}

std::string origin_of(const std::string& url) {
  return fmt::format("{}//{}", url.substr(0, url.find(':') + 1), authority_of(url));
}

HttpResponse refuse(const Server& server, const std::string& issuer, const std::string& name,
                    const SignInProblem& problem) {
  const LtiTool& tool = server.classroom->lti->tool;
  tool.log(log_line(log_fields("lti_launch_failed", problem), issuer, tool.now()));
  SignInNotice notice = explain(problem, name, server.classroom->files.record()->course);
  if (problem.fault == SignInFault::not_begun_here) {
    notice.text += fmt::format(
        " Open the link at {} again; if that does not help, allow cookies of this server.", name);
  }
  return said(notice.status, notice.title, notice.text);
}

/// The cookie of one launch: several can be on their way at the same time.
std::string cookie_of(const std::string& state) {
  constexpr std::size_t kDigits = 16;
  const std::string part = state.substr(0, kDigits);
  const bool plain = part.size() == kDigits && std::all_of(part.begin(), part.end(), [](char c) {
                       return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                     });
  return plain ? "-lti-" + part : std::string("-lti");
}

/// The parameters of a login request; nothing if one is missing or is not for this server.
std::optional<std::map<std::string, std::string>> login_request(const Server& server,
                                                                const Call& call) {
  const auto& given = call.request.method == "POST" ? call.form : call.target.query;
  std::map<std::string, std::string> request;
  for (const char* name :
       {"iss", "login_hint", "target_link_uri", "lti_message_hint", "client_id"}) {
    const auto it = given.find(name);
    if (it == given.end()) continue;
    if (it->second.size() > kLongestHint) return std::nullopt;
    request[name] = it->second;
  }
  const bool complete = request.contains("iss") && request.contains("login_hint") &&
                        value_of(request, "target_link_uri").starts_with(server.site.url("/"));
  return complete ? std::optional(request) : std::nullopt;
}

bool is_framed(const HttpRequest& request) {
  const std::string& into = request.header("sec-fetch-dest");
  return into == "iframe" || into == "frame" || into == "object" || into == "embed";
}

/// Whether a launch may use the services of its context, and choose labs for it.
bool is_teacher(const LtiLaunch& launch) {
  return launch.user.role == LtiRole::instructor || launch.user.role == LtiRole::assistant;
}

/// The context of a launch, connected by its first teacher; 0 if it is not connected.
/// @throws SignInProblem  configuration: another course is
std::int64_t connect(Lti& lti, const LtiTool::Platform& platform, const LtiLaunch& launch,
                     bool of_staff) {
  const std::vector<std::string>& wanted = platform.registration.contexts;
  bool is_known = std::find(wanted.begin(), wanted.end(), launch.context) != wanted.end();
  if (!wanted.empty() && !is_known) {
    throw SignInProblem(SignInFault::configuration,
                        fmt::format("the course '{}' of the platform is not among the context_ids",
                                    one_line(launch.context)));
  }
  bool has_other = false;
  for (const LtiContext& one : lti.store.contexts()) {
    if (one.platform != platform.id()) continue;
    const bool same = one.deployment == launch.deployment && one.context == launch.context;
    is_known = is_known || same;
    has_other = has_other || !same;
  }
  if (!is_known && has_other) {
    throw SignInProblem(
        SignInFault::configuration,
        fmt::format("another course of the platform is connected; write context_ids with '{}' into "
                    "the [[platform]] to connect this one, too",
                    one_line(launch.context)));
  }
  if (!is_known && !(of_staff && is_teacher(launch))) return 0;
  return lti.store.keep(LtiContext{.platform = platform.id(),
                                   .deployment = launch.deployment,
                                   .context = launch.context,
                                   .title = launch.context_title,
                                   .line_items_url = launch.line_items_url,
                                   .may_make_line_items = launch.may_make_line_items,
                                   .may_score = launch.may_score,
                                   .members_url = launch.members_url});
}

struct Launched {
  LtiLaunch launch;
  std::string person = {};
  std::int64_t context = 0;
  bool staff = false;
};

/// Who was launched, and from where; everything about it is kept.
Launched launched(Server& server, LtiTool::Platform& platform, const Call& call,
                  const PendingSignIns::Begun& begun) {
  Lti& lti = *server.classroom->lti;
  if (call.form.contains("error")) throw problem_in(call.form);
  Launched all{.launch = lti.tool.launch(platform, value_of(call.form, "id_token"), begun)};
  const auto record = server.classroom->files.record();
  const Course& course = record->course;
  const LtiUser& user = all.launch.user;
  std::string problem;
  all.person = keep_member(lti.store, platform, 0, course, user, problem);
  all.staff = course.staff.contains(all.person);
  all.context = connect(lti, platform, all.launch, all.staff);
  if (all.context != 0) {
    static_cast<void>(keep_member(lti.store, platform, all.context, course, user, problem));
  }
  if (all.person.empty()) {
    throw SignInProblem(
        user.account.name.empty() ? SignInFault::no_claim : SignInFault::not_a_member, problem,
        user.account.name);
  }
  return all;
}

/// Where a resource link leads.
std::string path_of(Server& server, const Launched& all) {
  Lti& lti = *server.classroom->lti;
  const LtiLaunch& launch = all.launch;
  const auto record = server.classroom->files.record();
  const auto is_lab = [&](const std::string& id) {
    return std::any_of(server.labs.begin(), server.labs.end(), [&](const Lab& lab) {
      return lab.id == id && is_in_course(record->course, id);
    });
  };
  std::string lab = launch.lab;
  constexpr std::string_view kLabs = "/labs/";
  if (lab.empty() && launch.target.starts_with(kLabs)) lab = launch.target.substr(kLabs.size());
  if (!is_lab(lab) && lab != kAllLabs) lab.clear();
  if (all.context != 0) {
    lti.store.keep(LtiLink{
        .context = all.context, .link = launch.link, .title = launch.link_title, .lab = lab});
    if (lab.empty()) lab = lti.store.lab_of_link(all.context, launch.link);
    if (is_lab(lab) && !launch.line_item_url.empty()) {
      lti.store.keep_line_item(all.context, lab, launch.line_item_url, /*replace=*/false);
    }
  }
  if (is_lab(lab)) return "/labs/" + lab;
  if (lab == kAllLabs) return "/";
  return all.context != 0 && all.staff ? "/class/lti" : "/";
}

HttpResponse choose_labs(Server& server, const LtiTool::Platform& platform, const Launched& all) {
  Lti& lti = *server.classroom->lti;
  const LtiLaunch& launch = all.launch;
  if (all.context == 0 || !all.staff || !is_teacher(launch)) {
    return said(
        403, "Only staff chooses labs",
        "This needs the role of a teacher at the platform, and a member of the staff here.");
  }
  if (!lti.tool.has_key()) {
    return said(409, "Not set up", "The server was started without --lti-key.");
  }
  if (!launch.accepts_links) {
    return said(409, "Not possible here", "The platform takes no links to labs at this place.");
  }
  const auto record = server.classroom->files.record();
  std::vector<Lab> labs = server.labs;
  std::erase_if(labs, [&](const Lab& lab) { return !is_in_course(record->course, lab.id); });
  const std::string choice = lti.choices.begin({.platform = platform.id(),
                                                .deployment = launch.deployment,
                                                .return_url = launch.return_url,
                                                .data = launch.deep_link_data,
                                                .multiple = launch.accepts_multiple},
                                               lti.tool.now());
  return opened_to(page(lti_choose_page(labs, launch.accepts_multiple, choice)),
                   origin_of(launch.return_url) + " " + origin_of(platform.registration.issuer),
                   "'self'");
}

/// The platform whose launch this browser began.
LtiTool::Platform* platform_of(const Server& server, const Call& call, const std::string& state,
                               std::optional<PendingSignIns::Begun>& begun) {
  const LtiTool& tool = server.classroom->lti->tool;
  const std::string cookie = server.site.cookie(call.request, cookie_of(state));
  for (const auto& platform : tool.platforms()) {
    begun = platform->pending.find(cookie, state, tool.now());
    if (begun) return platform.get();
  }
  return nullptr;
}

}  // namespace

HttpResponse no_lti() {
  return said(409, "Not set up", "This server is not the tool of a learning platform (--lti).");
}

HttpReply begin_lti_launch(Server& server, const Call& call) {
  if (server.classroom->lti == nullptr) return no_lti();
  LtiTool& tool = server.classroom->lti->tool;
  const auto request = login_request(server, call);
  if (!request) {
    return said(400, "Not a launch",
                fmt::format("A launch needs iss, login_hint, and a target_link_uri that begins "
                            "with {}.",
                            server.site.url("/")));
  }
  const std::string& issuer = request->at("iss");
  try {
    const LtiTool::Platform& platform = tool.platform(issuer, value_of(*request, "client_id"));
    const std::string again =
        with_query(std::string(kLtiLogin), FormFields(request->begin(), request->end()));
    // Choosing labs ends at a page of the platform which talks to the frame's.
    const bool chooses =
        request->at("target_link_uri") == server.site.url(std::string(kLtiDeepLink));
    const bool framed = is_framed(call.request);
    if (framed && !chooses) {
      return opened_to(page(lti_window_page(again)), "*", "'none'");
    }
    // The platform leads back to one name of this server, whose cookies other names do not have.
    if (!server.site.is_main_host(call.request)) return see_other(server.site.url(again));
    const PendingSignIns::Begun begun = platform.pending.begin(tool.now());
    FormFields hints = {{"login_hint", request->at("login_hint")}};
    if (request->contains("lti_message_hint")) {
      hints.emplace_back("lti_message_hint", request->at("lti_message_hint"));
    }
    HttpResponse response = see_other(tool.authorization_url(platform, begun, hints));
    // The way back is a form of the platform's page. In a frame, only cookies of that frame's site
    // are allowed by all browsers.
    response.headers.emplace_back(
        "Set-Cookie", server.site.set_cookie(begun.cookie, "None", cookie_of(begun.state)) +
                          kCookieTime + (framed ? "; Partitioned" : ""));
    return response;
  } catch (const SignInProblem& problem) {
    return refuse(server, issuer, "The platform", problem);
  }
}

HttpReply end_lti_launch(Server& server, const Call& call) {
  if (server.classroom->lti == nullptr) return no_lti();
  Lti& lti = *server.classroom->lti;
  const std::string state = value_of(call.form, "state");
  std::optional<PendingSignIns::Begun> begun;
  LtiTool::Platform* platform = platform_of(server, call, state, begun);
  if (platform == nullptr) {
    return refuse(server, "", "the platform",
                  SignInProblem(SignInFault::not_begun_here,
                                "the state is not of this browser, is too old, or was used"));
  }
  const LtiRegistration& registration = platform->registration;
  HttpResponse response;
  try {
    const Launched all = launched(server, *platform, call, *begun);
    lti.tool.log(log_line({{"event", "lti_launch"},
                           {"person", all.person},
                           {"role", slug(all.launch.user.role)},
                           {"context", all.launch.context}},
                          registration.issuer, lti.tool.now()));
    response = all.launch.message == LtiMessage::deep_linking
                   ? choose_labs(server, *platform, all)
                   : signed_in(server,
                               server.classroom->sessions.begin_for(
                                   all.person, server.site.cookie(call.request)),
                               path_of(server, all));
  } catch (const SignInProblem& problem) {
    response = refuse(server, registration.issuer, registration.name(), problem);
  }
  response.headers.insert(response.headers.begin(),
                          {"Set-Cookie", server.site.remove_cookie(cookie_of(state))});
  return response;
}

HttpReply show_lti_keys(Server& server, const Call& /*call*/) {
  if (server.classroom->lti == nullptr) return no_lti();
  return json_response(server.classroom->lti->tool.public_keys());
}

HttpReply answer_lti_choice(Server& server, const Call& call) {
  if (server.classroom->lti == nullptr) return no_lti();
  Lti& lti = *server.classroom->lti;
  const std::optional<LtiChoice> choice =
      lti.choices.end(value_of(call.form, "choice"), lti.tool.now());
  const LtiTool::Platform* platform = choice ? lti.tool.find(choice->platform) : nullptr;
  if (platform == nullptr) {
    return said(409, "Start again",
                "These labs were sent already, or too long ago. Begin again at the platform.");
  }
  const auto record = server.classroom->files.record();
  std::vector<const Lab*> labs;
  std::vector<std::string> titles;
  for (const Lab& lab : server.labs) {
    const bool chosen = choice->multiple ? call.form.contains("lab " + lab.id)
                                         : value_of(call.form, "lab") == lab.id;
    if (!chosen || !is_in_course(record->course, lab.id)) continue;
    labs.push_back(&lab);
    titles.push_back(lab.title);
  }
  const std::string origin = origin_of(choice->return_url);
  return opened_to(
      page(lti_return_page(choice->return_url,
                           deep_linking_response(lti.tool, *choice, *platform, labs, server.site),
                           titles)),
      origin + " " + origin_of(platform->registration.issuer), origin);
}

}  // namespace warpgrade
