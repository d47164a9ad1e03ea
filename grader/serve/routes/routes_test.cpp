#include "grader/serve/routes/routes.h"

#include <fmt/core.h>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/testing/served_class.h"

namespace warpgrade {
using testing::TestClass;
namespace {

constexpr const char* kFiles = R"({"files": {"vecadd.cu": "// x\n"}})";

/// The address of a route, with something that is there in its braces.
std::string target_of(const Route& route, std::int64_t attempt, const std::string& student) {
  std::string target(route.path);
  for (const auto& [part, value] : std::map<std::string, std::string>{
           {"{lab}", "vecadd"},
           {"{attempt}", std::to_string(attempt)},
           {"{student}", student},
           {"{name}", route.path.starts_with("/assets") ? "serve.css" : "csv"}}) {
    target = replace_all(target, part, value);
  }
  if (route.path == "/compare") target += fmt::format("?from={0}&to={0}", attempt);
  return target;
}

TestClass::Reply call(TestClass& served, const Route& route, const std::string& session,
                      const std::string& target) {
  switch (route.body) {
    case Body::none:
      return served.get(session, target);
    case Body::json:
      return served.send_json(session, std::string(route.method), target, kFiles);
    case Body::form:
    case Body::first_form:
    case Body::foreign_form:
      return served.post_form(session, target, {});
  }
  return {};
}

}  // namespace

TEST_CASE("every route of a class answers the roles that its row names, and no others",
          "[serve][unit]") {
  TestClass served;
  const std::string own = served.sign_in("s01");
  const std::int64_t attempt = served.submit(own);
  served.wait_for(attempt);
  for (const Route& route : routes()) {
    for (const CallerRole role : {CallerRole::anonymous, CallerRole::student, CallerRole::assistant,
                                  CallerRole::instructor}) {
      CAPTURE(route.method, route.path, slug(role));
      // Each time, because some routes end the session.
      const std::string session = role == CallerRole::anonymous   ? ""
                                  : role == CallerRole::student   ? served.sign_in("s01")
                                  : role == CallerRole::assistant ? served.sign_in("bob")
                                                                  : served.sign_in("ann");
      const TestClass::Reply reply = call(served, route, session, target_of(route, attempt, "s01"));
      if (route.roles.has(role)) {
        // An empty form may lack fields, and only an own attempt can be canceled.
        const bool is_others_change =
            route.path == "/attempts/{attempt}/cancel" && role != CallerRole::student;
        CHECK((reply.status != 404) == !is_others_change);
        CHECK(reply.status != 405);
        CHECK((reply.status != 403 || route.path == "/sign-in"));
      } else {
        CHECK(reply.status == 403);
        CHECK(reply.has(role == CallerRole::anonymous ? "Not signed in" : "not for your role"));
      }
    }
  }
}

TEST_CASE("to another student an attempt looks as if it did not exist", "[serve][unit]") {
  TestClass served;
  const std::int64_t attempt = served.submit(served.sign_in("s01"));
  served.wait_for(attempt);
  const std::string other = served.sign_in("s02");
  std::size_t tried = 0;
  for (const Route& route : routes()) {
    const bool names_attempt =
        route.path.find("{attempt}") != std::string_view::npos || route.path == "/compare";
    if (!names_attempt) continue;
    CAPTURE(route.path);
    const TestClass::Reply theirs = call(served, route, other, target_of(route, attempt, "s01"));
    const TestClass::Reply nobodys = call(served, route, other, target_of(route, 4711, "s01"));
    CHECK(theirs.status == 404);
    CHECK(theirs.body == nobodys.body);
    CHECK(theirs.headers == nobodys.headers);
    ++tried;
  }
  CHECK(tried >= 7);
}

TEST_CASE("lists, drafts and progress are those of the person who asks", "[serve][unit]") {
  TestClass served;
  const std::string jane = served.sign_in("s01");
  const std::string jim = served.sign_in("s02");
  served.wait_for(served.submit(jane, "// of Jane\n"));
  CHECK(served.get(jane, "/labs/vecadd/attempts").has("submission"));
  CHECK(served.get(jim, "/labs/vecadd/attempts").body == R"({"attempts":[]})");
  CHECK(served.get(jane, "/labs/vecadd/files").has("of Jane"));
  CHECK_FALSE(served.get(jim, "/labs/vecadd/files").has("of Jane"));
  CHECK(served.get(jane, "/").has("1 attempt"));
  CHECK_FALSE(served.get(jim, "/").has("1 attempt"));
  CHECK(served.get(jim, "/").has("Roe, Jim"));
}

TEST_CASE("a form without the session's token, of another origin or type changes nothing",
          "[serve][unit]") {
  TestClass served;
  const std::string session = served.sign_in("s01");
  const std::string other = served.sign_in("s02");
  for (const std::string& token : {std::string(), TestClass::form_token(other)}) {
    const TestClass::Reply reply = served.post_form(session, "/sign-out", {{"token", token}});
    CHECK(reply.status == 403);
    CHECK(reply.has("not from a page of your session"));
  }
  HttpRequest form{.method = "POST",
                   .target = "/sign-out",
                   .headers = {{"host", "127.0.0.1:8475"},
                               {"cookie", "warpgrade-8475=" + session},
                               {"content-type", "application/x-www-form-urlencoded"}},
                   .body = "token=" + TestClass::form_token(session)};
  for (const char* origin : {"", "null", "http://evil.example", "http://localhost:8475"}) {
    form.headers["origin"] = origin;
    CHECK(served.request(form).status == 403);
  }
  form.headers["origin"] = "http://127.0.0.1:8475";
  form.headers["content-type"] = "text/plain";
  CHECK(served.request(form).status == 415);
  CHECK(served.get(session, "/").status == 200);
  form.headers["content-type"] = "application/x-www-form-urlencoded";
  CHECK(served.request(form).status == 303);
  CHECK(served.get(session, "/").status == 403);
}

TEST_CASE("what is run in the playground is its person's, and nothing of it is graded",
          "[serve][unit]") {
  TestClass served;
  const std::string jane = served.sign_in("s01");
  CHECK(served.get(jane, "/labs/playground").status == 404);
  CHECK_FALSE(served.get(jane, "/").has("/labs/playground"));

  served.open_playground();
  CHECK(served.get(jane, "/").has("/labs/playground"));
  CHECK(served.get(jane, "/labs/playground").has("Copy link"));
  CHECK(served.get(jane, "/labs/playground/handout").has("arguments.txt"));
  CHECK(served.get(jane, "/labs/playground/files").has("saxpy"));
  const std::string files = R"({"files": {"program.cu": "// x", "arguments.txt": "-n 1"}})";
  const auto begin = [&](const char* kind, const std::string& body) {
    return served.send_json(jane, "POST", std::string("/labs/playground/") + kind, body);
  };
  const TestClass::Reply begun = begin("checks", files);
  CHECK(begun.status == 201);
  const auto id = nlohmann::json::parse(begun.body).at("id").get<std::int64_t>();
  served.wait_for(id);
  CHECK(served.get(jane, fmt::format("/attempts/{}/files", id)).has("-n 1"));
  CHECK(served.get(served.sign_in("s02"), fmt::format("/attempts/{}", id)).status == 404);
  CHECK_FALSE(served.get(served.sign_in("ann"), "/class").has("playground"));
  CHECK(begin("submissions", files).status == 409);
  CHECK(begin("checks", R"({"files": {"../x.cu": ""}})").status == 400);
}

TEST_CASE("a lab that is not open yet is the staff's alone", "[serve][unit]") {
  TestClass served("[labs.vecadd]\nopens = 2099-01-01T00:00:00Z\n[labs.histogram]\n");
  const std::string student = served.sign_in("s01");
  CHECK(served.get(student, "/labs/vecadd").has("opens at 2099-01-01T00:00:00Z"));
  CHECK(served.get(student, "/labs/vecadd/handout").status == 403);
  CHECK(served.submit(student) == 0);
  CHECK(served.get(student, "/labs/histogram").status == 200);
  CHECK(served.get(served.sign_in("bob"), "/labs/vecadd").status == 200);
  served.write_course("[labs.histogram]\n");
  CHECK(served.get(student, "/labs/vecadd").status == 404);
}

}  // namespace warpgrade
