#include "grader/serve/app.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "grader/core/embedded.h"
#include "grader/core/sha256.h"
#include "grader/serve/lab_files.h"
#include "grader/serve/pages/pages.h"
#include "grader/show/handout/handout_page.h"
#include "grader/show/handout/student_files.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownAttempts = 100;
constexpr std::size_t kMostWaiting = 50;  // submissions; of checks one per lab can wait
constexpr const char* kHtml = "text/html; charset=utf-8";

struct Asset {
  const char* name;
  const char* type;
};
constexpr std::array kAssets = {
    Asset{"style.css", "text/css; charset=utf-8"},
    Asset{"serve.css", "text/css; charset=utf-8"},
    Asset{"lab.js", "text/javascript; charset=utf-8"},
    Asset{"editor.js", "text/javascript; charset=utf-8"},
};

HttpResponse page(std::string html, const std::string& nonce = {}) {
  const std::string styles = nonce.empty() ? "'self'" : fmt::format("'self' 'nonce-{}'", nonce);
  return {.type = kHtml,
          .body = std::move(html),
          .headers = {{"Content-Security-Policy",
                       fmt::format("default-src 'none'; script-src 'self'; style-src {}; img-src "
                                   "'self' data:; connect-src 'self'; frame-src 'self'; "
                                   "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
                                   styles)}}};
}

/// A handout or a report: a page that is complete in itself, whose own policy allows the scripts
/// inside by their hashes. Sandboxed, it has an origin of its own, from which it reaches nothing of
/// this server.
HttpResponse document(std::string html) {
  return {
      .type = kHtml,
      .body = std::move(html),
      .headers = {{"Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'self'"}}};
}

HttpResponse json(const Json& value, int status = 200) {
  return {.status = status,
          .type = "application/json",
          .body = value.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

HttpResponse refusal(int status, const std::string& sentence) {
  return json({{"error", sentence}}, status);
}

HttpResponse message(int status, const std::string& title, const std::string& text,
                     const std::string& next = {}) {
  HttpResponse response = page(message_page(title, text, next));
  response.status = status;
  return response;
}

HttpResponse not_found() {
  return message(404, "There is no such page", "The list of labs has a link to each lab.");
}

HttpResponse refuse(Guard::Verdict verdict) {
  switch (verdict) {
    case Guard::Verdict::wrong_host:
      return message(421, "Wrong address",
                     "This server answers under 127.0.0.1 and localhost only. Open the URL that "
                     "`warpgrade serve` printed.");
    case Guard::Verdict::wrong_origin:
      return message(403, "Refused", "A page of another server has sent this request.");
    default:
      return message(
          403, "Not signed in",
          "Open the URL that `warpgrade serve` printed in its terminal: it has the token "
          "that lets your browser in. Each start of the server makes a new one.");
  }
}

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

/// Empty if it is not there.
std::string query_value(const Target& target, const std::string& name) {
  const auto it = target.query.find(name);
  return it == target.query.end() ? std::string() : it->second;
}

HttpResponse asset(const HttpRequest& request, const std::string& name) {
  const auto it = std::find_if(kAssets.begin(), kAssets.end(),
                               [&](const Asset& asset) { return name == asset.name; });
  if (it == kAssets.end()) return not_found();
  const std::string_view content = embedded_file(name);
  Sha256 sha;
  sha.add(content);
  const std::string tag = fmt::format("\"{}\"", sha.hex().substr(0, 16));
  HttpResponse response{.type = it->type,
                        .headers = {{"ETag", tag}, {"Cache-Control", "private, no-cache"}}};
  if (request.header("if-none-match") == tag) {
    response.status = 304;
  } else {
    response.body = content;
  }
  return response;
}

Json summary(const KeptAttempt& attempt) {
  return Json::parse(attempt_json(attempt));
}

int status_of(const StoreError& error) {
  return error.kind == StoreError::Kind::full     ? 507
         : error.kind == StoreError::Kind::locked ? 503
                                                  : 500;
}

/// What every response has.
void add_headers(HttpResponse& response) {
  const auto has = [&](std::string_view name) {
    return std::any_of(response.headers.begin(), response.headers.end(),
                       [&](const auto& header) { return header.first == name; });
  };
  for (const auto& [name, value] :
       {std::pair{"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"}}) {
    if (!has(name)) response.headers.emplace_back(name, value);
  }
}

}  // namespace

App::App(Installation installation, std::vector<Lab> labs, Guard guard, Store& store, Jobs& jobs)
    : installation_(std::move(installation)),
      labs_(std::move(labs)),
      guard_(std::move(guard)),
      store_(store),
      jobs_(jobs) {}

HttpReply App::handle(const HttpRequest& request) {
  HttpReply reply;
  const std::optional<Target> target = parse_target(request.target);
  const std::string token = target ? query_value(*target, "token") : "";
  const Guard::Verdict verdict = guard_.judge(request, token);
  if (verdict == Guard::Verdict::sign_in) {
    // Not a redirection: after a link in another page, the browser would not send the new cookie.
    HttpResponse response = message(200, "Signed in", "Your browser goes on to the labs.", "/");
    response.headers.emplace_back("Set-Cookie", guard_.cookie());
    reply = std::move(response);
  } else if (verdict != Guard::Verdict::allowed) {
    reply = refuse(verdict);
  } else if (!target) {
    reply = message(400, "Not a page", "The address has a part that is not allowed.");
  } else {
    try {
      reply = route(request, *target);
    } catch (const StoreError& e) {
      reply = refusal(status_of(e), e.what());
    }
  }
  if (auto* response = std::get_if<HttpResponse>(&reply)) add_headers(*response);
  return reply;
}

HttpReply App::route(const HttpRequest& request, const Target& target) {
  if (request.method == "GET") return get(request, target);
  if (request.method == "POST" || request.method == "PUT") return change(request, target);
  return refusal(405, "Only GET, POST and PUT are answered here.");
}

HttpReply App::get(const HttpRequest& request, const Target& target) {
  const auto& path = target.path;
  if (path.empty()) return page(labs_page(labs_, store_.progress()));
  if (path[0] == "assets" && path.size() == 2) return asset(request, path[1]);
  if (path[0] == "compare" && path.size() == 1) return compare(target);
  if (path.size() < 2 || path.size() > 3) return not_found();
  const std::string what = path.size() == 3 ? path[2] : "";
  if (path[0] == "labs") {
    const Lab* lab = find(path[1]);
    return lab == nullptr ? not_found() : get_lab(*lab, what);
  }
  const std::optional<std::int64_t> id = path[0] == "attempts" ? number(path[1]) : std::nullopt;
  return id ? get_attempt(request, *id, what) : not_found();
}

HttpReply App::get_lab(const Lab& lab, const std::string& what) {
  if (what.empty()) {
    const std::string nonce = random_token();
    return page(lab_page(lab, nonce), nonce);
  }
  if (what == "handout") return document(handout(lab));
  if (what == "files") {
    FileSet draft = store_.draft(lab.id);
    Json files = Json::array();
    for (const LabFile& file : files_of(lab)) {
      const auto own = draft.find(file.name);
      const bool begun = !file.read_only && own != draft.end();
      files.push_back({{"name", file.name},
                       {"text", begun ? own->second : file.original},
                       {"original", file.original},
                       {"read_only", file.read_only}});
    }
    return json({{"files", std::move(files)}});
  }
  if (what == "attempts") {
    Json all = Json::array();
    for (const KeptAttempt& attempt : store_.attempts(lab.id, kShownAttempts)) {
      all.push_back(summary(attempt));
    }
    return json({{"attempts", std::move(all)}});
  }
  return not_found();
}

HttpReply App::get_attempt(const HttpRequest& request, std::int64_t id, const std::string& what) {
  if (what == "events") {
    std::shared_ptr<EventLog> log = jobs_.events(id);
    if (log == nullptr) return not_found();
    return EventStream{std::move(log), request.header("last-event-id")};
  }
  const std::optional<KeptAttempt> attempt = store_.attempt(id);
  if (!attempt) return not_found();
  if (what.empty()) {
    Json answer = summary(*attempt);
    const std::optional<AttemptResult> result = store_.result(id);
    answer["problems"] = result ? Json::parse(result->problems) : Json::array();
    return json(answer);
  }
  if (what == "files") return json({{"files", store_.files(id)}});
  if (what == "report") {
    std::optional<AttemptResult> result = store_.result(id);
    if (result) return document(std::move(result->report));
    return message(404, "There is no report", "This attempt has no result.");
  }
  return not_found();
}

HttpReply App::change(const HttpRequest& request, const Target& target) {
  const auto& path = target.path;
  // No form can send this type, so the browser asks the server before it sends from another page.
  if (!request.header("content-type").starts_with("application/json")) {
    return refusal(415, "The request has to have the type application/json.");
  }
  if (path.size() != 3) return refusal(404, "There is no such address.");
  const bool post = request.method == "POST";
  if (path[0] == "attempts" && path[2] == "cancel" && post) {
    const std::optional<std::int64_t> id = number(path[1]);
    if (!id || !store_.attempt(*id)) return refusal(404, "There is no such attempt.");
    if (jobs_.cancel(*id)) return json(Json::object());
    return refusal(409, "It has ended already, or is a submission, which is always graded.");
  }
  const Lab* lab = path[0] == "labs" ? find(path[1]) : nullptr;
  if (lab == nullptr) return refusal(404, "There is no such lab.");
  std::string problem;
  const FileSet files = read_files(*lab, request.body, problem);
  if (files.empty()) return refusal(400, problem);
  if (path[2] == "draft" && !post) {
    store_.save_draft(lab->id, files);
    return json(Json::object());
  }
  if (path[2] == "checks" && post) return begin(*lab, AttemptKind::check, files);
  if (path[2] == "submissions" && post) return begin(*lab, AttemptKind::submission, files);
  return refusal(404, "There is no such address.");
}

HttpResponse App::begin(const Lab& lab, AttemptKind kind, const FileSet& files) {
  if (kind == AttemptKind::submission && store_.waiting(kind) >= kMostWaiting) {
    return refusal(429, fmt::format("{} submissions are waiting. Try again when some are graded.",
                                    kMostWaiting));
  }
  store_.save_draft(lab.id, files);
  const KeptAttempt attempt = jobs_.add(lab.id, kind, files);
  Json answer = summary(attempt);
  answer["receipt"] = fmt::format("{}-{}", attempt.id, attempt.files_hash.substr(0, 12));
  return json(answer, 201);
}

HttpResponse App::compare(const Target& target) {
  const auto attempt_of = [&](const char* name) -> std::optional<KeptAttempt> {
    const std::optional<std::int64_t> id = number(query_value(target, name));
    return id ? store_.attempt(*id) : std::nullopt;
  };
  const std::optional<KeptAttempt> from = attempt_of("from");
  const std::optional<KeptAttempt> to = attempt_of("to");
  const Lab* lab = from ? find(from->lab) : nullptr;
  if (!to || lab == nullptr || to->lab != from->lab) return not_found();
  return page(compare_page(*lab, *from, store_.files(from->id), *to, store_.files(to->id)));
}

const Lab* App::find(const std::string& id) const {
  const auto it =
      std::find_if(labs_.begin(), labs_.end(), [&](const Lab& lab) { return lab.id == id; });
  return it == labs_.end() ? nullptr : &*it;
}

std::string App::handout(const Lab& lab) {
  const std::lock_guard lock(handouts_mutex_);
  std::string& page = handouts_[lab.id];
  if (page.empty()) page = handout_page(lab, handout_files(installation_, lab));
  return page;
}

}  // namespace warpgrade
