#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "grader/core/embedded.h"
#include "grader/core/sha256.h"
#include "grader/serve/classroom/rules.h"
#include "grader/serve/http/guard.h"
#include "grader/serve/lab_files.h"
#include "grader/serve/pages/pages.h"
#include "grader/serve/playground.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/handlers.h"
#include "grader/serve/routes/receipt.h"
#include "grader/serve/routes/routes.h"
#include "grader/show/handout/handout_page.h"
#include "grader/show/handout/student_files.h"
#include "grader/show/report/page.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownAttempts = 100;
/// Submissions of one person; of checks one per lab can wait.
constexpr std::size_t kMostWaiting = 50;

struct Asset {
  const char* name;
  const char* type;
};
constexpr std::array kAssets = {
    Asset{"style.css", "text/css; charset=utf-8"},
    Asset{"serve.css", "text/css; charset=utf-8"},
    Asset{"lab.js", "text/javascript; charset=utf-8"},
    Asset{"live.js", "text/javascript; charset=utf-8"},
    Asset{"editor.js", "text/javascript; charset=utf-8"},
};

/// What the page of labs shows to the caller.
Member member_of(const Course& course, const Caller& caller, const std::string& problem) {
  const RosterEntry* entry = course.roster.find(caller.name);
  Member member{.name = entry == nullptr ? caller.name : entry->shown_name(),
                .role = caller.is_staff() ? std::string(slug(caller.role)) : std::string(),
                .course = course.title,
                .form_token = caller.form_token(),
                .rules = {},
                .problem = caller.is_staff() ? problem : std::string()};
  for (const auto& [lab, plan] : course.labs) {
    std::string rules = rules_of(course, caller.name, lab);
    if (plan.opens && now_utc() < *plan.opens) {
      rules =
          fmt::format("opens {}{}{}", shown_time(*plan.opens), rules.empty() ? "" : "; ", rules);
    }
    member.rules.emplace(lab, std::move(rules));
  }
  return member;
}

/// The files in a request's body; nothing, with a refusal, if they are not for this lab.
FileSet files_in(const Call& call, std::optional<HttpResponse>& refused) {
  std::string problem;
  FileSet files = read_files(*call.lab, call.request.body, problem);
  if (files.empty()) refused = refusal(400, problem);
  return files;
}

/// Why a further submission would not count; empty if it would.
std::string no_more_submissions(const Server& server, const Call& call) {
  if (server.classroom == nullptr) return {};
  const int limit = server.classroom->files.record()->course.attempts_that_count(call.lab->id);
  const std::size_t made = server.store.submissions(call.caller.name, call.lab->id).size();
  if (limit == 0 || made < static_cast<std::size_t>(limit)) return {};
  return fmt::format("{} of {} can be submitted, and were. Checks are not limited.", made, limit);
}

/// The refusal of a student who has begun too many within a minute, each kind for itself: checks
/// must not keep anybody from submitting.
std::optional<HttpResponse> too_many(Server& server, const Call& call, AttemptKind kind) {
  if (server.classroom == nullptr || call.caller.is_staff()) return std::nullopt;
  Limiter& limiter =
      kind == AttemptKind::check ? server.classroom->checks : server.classroom->submissions;
  if (limiter.refuses(call.caller.name)) {
    return refusal(429, fmt::format("This is one {} too many within a minute. Wait a minute and "
                                    "try again; what you typed is kept.",
                                    slug(kind)));
  }
  limiter.count(call.caller.name);
  return std::nullopt;
}

Urgency urgency_of(const Server& server, const Call& call, AttemptKind kind) {
  if (kind == AttemptKind::check) return Urgency::interactive;
  if (server.classroom == nullptr) return Urgency::later;
  return is_near_due(server.classroom->files.record()->course, call.caller.name, call.lab->id,
                     now_utc())
             ? Urgency::near_due
             : Urgency::later;
}

HttpResponse begin(Server& server, const Call& call, AttemptKind kind, const FileSet& files) {
  const std::string& person = call.caller.name;
  server.store.save_draft(person, call.lab->id, files);
  if (auto refused = too_many(server, call, kind)) return *std::move(refused);
  const KeptAttempt attempt =
      server.jobs.add(person, call.lab->id, kind, urgency_of(server, call, kind), files);
  Json answer = Json::parse(attempt_json(attempt));
  answer["receipt"] = receipt_line(server, attempt);
  return json_response(answer, 201);
}

}  // namespace

HttpReply show_labs(Server& server, const Call& call) {
  const bool playground = server.playground.has_value();
  if (server.classroom == nullptr) {
    return page(labs_page(server.labs, server.store.progress(""), playground));
  }
  const auto record = server.classroom->files.record();
  std::vector<Lab> labs = server.labs;
  std::erase_if(labs, [&](const Lab& lab) { return !is_in_course(record->course, lab.id); });
  const Member member = member_of(record->course, call.caller, server.classroom->files.problem());
  return form_page(labs_page(labs, server.store.progress(call.caller.name), playground, &member));
}

HttpReply show_asset(Server& /*server*/, const Call& call) {
  const auto it = std::find_if(kAssets.begin(), kAssets.end(),
                               [&](const Asset& asset) { return call.name == asset.name; });
  if (it == kAssets.end()) return not_found();
  const std::string_view content = embedded_file(call.name);
  Sha256 sha;
  sha.add(content);
  const std::string tag = fmt::format("\"{}\"", sha.hex().substr(0, 16));
  HttpResponse response{.type = it->type,
                        .headers = {{"ETag", tag}, {"Cache-Control", "private, no-cache"}}};
  if (call.request.header("if-none-match") == tag) {
    response.status = 304;
  } else {
    response.body = content;
  }
  return response;
}

HttpReply show_lab(Server& /*server*/, const Call& call) {
  const std::string nonce = random_token();
  return page(lab_page(*call.lab, nonce), nonce);
}

HttpReply show_handout(Server& server, const Call& call) {
  if (is_playground(*call.lab)) {
    PageData none(PageData::type::object);
    return document(render_page("playground.html", none, {}, {}));
  }
  const std::lock_guard lock(server.handouts_mutex);
  std::string& rendered = server.handouts[call.lab->id];
  if (rendered.empty()) {
    rendered = handout_page(*call.lab, handout_files(server.installation, *call.lab));
  }
  return document(rendered);
}

HttpReply list_files(Server& server, const Call& call) {
  FileSet draft = server.store.draft(call.caller.name, call.lab->id);
  Json files = Json::array();
  for (const LabFile& file : files_of(*call.lab)) {
    const auto own = draft.find(file.name);
    const bool begun = !file.read_only && own != draft.end();
    files.push_back({{"name", file.name},
                     {"text", begun ? own->second : file.original},
                     {"original", file.original},
                     {"read_only", file.read_only}});
  }
  return json_response({{"files", std::move(files)}});
}

HttpReply list_attempts(Server& server, const Call& call) {
  Json all = Json::array();
  for (const KeptAttempt& attempt :
       server.store.attempts(call.caller.name, call.lab->id, kShownAttempts)) {
    all.push_back(Json::parse(attempt_json(attempt)));
  }
  return json_response({{"attempts", std::move(all)}});
}

HttpReply save_draft(Server& server, const Call& call) {
  std::optional<HttpResponse> refused;
  const FileSet files = files_in(call, refused);
  if (refused) return *std::move(refused);
  server.store.save_draft(call.caller.name, call.lab->id, files);
  return json_response(Json::object());
}

HttpReply begin_check(Server& server, const Call& call) {
  std::optional<HttpResponse> refused;
  const FileSet files = files_in(call, refused);
  if (refused) return *std::move(refused);
  return begin(server, call, AttemptKind::check, files);
}

HttpReply begin_submission(Server& server, const Call& call) {
  if (is_playground(*call.lab)) return refusal(409, "Nothing is submitted in the playground.");
  std::optional<HttpResponse> refused;
  const FileSet files = files_in(call, refused);
  if (refused) return *std::move(refused);
  if (server.store.waiting(call.caller.name, AttemptKind::submission) >= kMostWaiting) {
    return refusal(429, fmt::format("{} submissions are waiting. Try again when some are graded.",
                                    kMostWaiting));
  }
  if (const std::string why = no_more_submissions(server, call); !why.empty()) {
    return refusal(409, why);
  }
  return begin(server, call, AttemptKind::submission, files);
}

}  // namespace warpgrade
