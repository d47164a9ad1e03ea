#include "grader/testing/served_class.h"

#include <fmt/core.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "grader/class/grading/results.h"
#include "grader/core/source_root.h"
#include "grader/record/grade/grade_json.h"
#include "grader/serve/http/guard.h"
#include "grader/show/problems/diagnostics.h"
#include "grader/testing/report.h"
#include "harness/lab/lab.h"

namespace warpgrade::testing {
namespace {

constexpr const char* kCourse = R"toml(schema = 1
title = "Parallel programming"
roster = "roster.csv"
groups = "groups.csv"
[staff]
ann = "instructor"
bob = "assistant"
)toml";

std::vector<Lab> some_labs() {
  const std::filesystem::path root = std::filesystem::path(kSourceRoot) / "labs";
  return {load_lab(root / "vecadd"), load_lab(root / "histogram")};
}

}  // namespace

std::string percent_encoded(const std::string& text) {
  std::string result;
  for (const char c : text) result += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  return result;
}

TestClass::TestClass(const std::string& labs, const std::string& url, std::size_t per_minute)
    : url_(url.empty() ? "http://127.0.0.1:8475" : url),
      database_(scratch_.path() / "serve.db"),
      store_(database_.address()) {
  write_file_atomically(
      folder() / "roster.csv",
      "student,name,email\ns01,\"Doe, Jane\",jane@example.org\ns02,\"Roe, Jim\",\n"
      "s03,\"Poe, Ann\",\n");
  write_file_atomically(folder() / "groups.csv",
                        "group,student,lab\nTeam 1,s01,histogram\nTeam 1,s02,histogram\n");
  write_course(labs);
  classroom_.emplace(folder() / "course.toml", folder() / "results",
                     std::vector<std::string>{"vecadd", "histogram"}, database(), folder(), 5,
                     per_minute);
  const auto outcome_of = [this](const KeptAttempt& attempt, const auto& /*on_step*/,
                                 const std::atomic<bool>& /*stop*/) {
    const bool regraded = attempt.kind == AttemptKind::regrade;
    if (regraded && build_points_ >= 0 && attempt.person == "s03") {
      return CheckOutcome{.problem = "nvcc was not found", .result = {}};
    }
    if (store_.files(attempt.id)["vecadd.cu"] == kNoCompiler) {
      return CheckOutcome{.problem = with_step("nvcc was not found\n  in PATH", "compiling"),
                          .result = {}};
    }
    Grade grade = wrong_grade(lab_with_hidden());
    grade.environment = {{"lab", "before"}};
    if (regraded && build_points_ >= 0) {
      grade.environment = {{"lab", "after"}};
      for (Item& item : grade.items) {
        if (item.id == "build") item.points = build_points_;
      }
    }
    grade.student = attempt.person;
    grade.lab = attempt.lab;
    grade.attempt = static_cast<int>(store_.submissions(attempt.person, attempt.lab).size());
    grade.sources.clear();
    for (const auto& [name, text] : store_.files(attempt.id)) {
      grade.sources.push_back({.name = name, .text = text});
    }
    CheckOutcome outcome;
    outcome.result = result_from(as_json(before(grade)));
    outcome.result.report = "<p>report of a check</p>";
    if (attempt.kind == AttemptKind::check) return outcome;
    outcome.result.report.clear();
    write_results(regraded ? classroom_->previews.folder(attempt.regrade) : folder() / "results",
                  grade, *classroom_->files.record(), {.root = kSourceRoot});
    return outcome;
  };
  jobs_.emplace(store_, outcome_of, 1, "epoch");
  app_.emplace(Installation{.root = kSourceRoot}, some_labs(),
               url.empty() ? Site::on_loopback(8475) : Site::behind_proxy(url), store_, *jobs_,
               *classroom_);
}

void TestClass::write_course(const std::string& labs) {
  write_file_atomically(folder() / "course.toml", kCourse + labs);
}

HttpRequest TestClass::from(const std::string& session, const std::string& method,
                            const std::string& target) const {
  HttpRequest request{.method = method, .target = target, .headers = {}, .body = {}};
  request.headers["host"] = url_.substr(url_.find("://") + 3);
  const std::string name = url_.starts_with("https") ? "__Host-warpgrade" : "warpgrade-8475";
  if (!session.empty()) request.headers["cookie"] = name + "=" + session;
  if (method != "GET") request.headers["origin"] = url_;
  return request;
}

TestClass::Reply TestClass::request(HttpRequest request) {
  HttpReply reply = app_->handle(request);
  if (std::holds_alternative<EventStream>(reply)) return {.status = 200, .body = "(events)"};
  auto& response = std::get<HttpResponse>(reply);
  Reply result{.status = response.status, .body = std::move(response.body)};
  for (auto& [name, value] : response.headers) result.headers[name] = value;
  return result;
}

TestClass::Reply TestClass::get(const std::string& session, const std::string& target) {
  return request(from(session, "GET", target));
}

TestClass::Reply TestClass::post_form(const std::string& session, const std::string& target,
                                      std::map<std::string, std::string> fields) {
  HttpRequest request = from(session, "POST", target);
  request.headers["content-type"] = "application/x-www-form-urlencoded";
  if (!session.empty()) fields.emplace("token", form_token(session));
  for (const auto& [name, value] : fields) {
    request.body +=
        fmt::format("{}{}={}", request.body.empty() ? "" : "&", name, percent_encoded(value));
  }
  return this->request(std::move(request));
}

TestClass::Reply TestClass::send_json(const std::string& session, const std::string& method,
                                      const std::string& target, const std::string& body) {
  HttpRequest request = from(session, method, target);
  request.headers["content-type"] = "application/json";
  request.body = body;
  return this->request(std::move(request));
}

std::string TestClass::session_in(const Reply& reply) {
  const auto it = reply.headers.find("Set-Cookie");
  if (it == reply.headers.end()) return {};
  const std::size_t begin = it->second.find('=') + 1;
  return it->second.substr(begin, it->second.find(';') - begin);
}

std::string TestClass::form_token(const std::string& session) {
  return Caller{.role = CallerRole::student, .name = "", .session = session}.form_token();
}

std::string TestClass::sign_in(const std::string& person) {
  return session_in(
      post_form("", "/sign-in", {{"invitation", classroom_->sessions.invite(person)}}));
}

std::int64_t TestClass::submit(const std::string& session, const std::string& source) {
  const nlohmann::json body = {{"files", {{"vecadd.cu", source}}}};
  const Reply reply = send_json(session, "POST", "/labs/vecadd/submissions", body.dump());
  return reply.status == 201 ? nlohmann::json::parse(reply.body).at("id").get<std::int64_t>() : 0;
}

void TestClass::wait_for(std::int64_t attempt) {
  for (;;) {
    const AttemptState state = store_.attempt(attempt).value().state;
    if (state != AttemptState::waiting && state != AttemptState::running) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace warpgrade::testing
