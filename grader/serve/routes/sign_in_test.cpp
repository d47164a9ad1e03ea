#include <fmt/core.h>

#include <catch2/catch_test_macros.hpp>

#include "grader/core/error.h"
#include "grader/testing/served_class.h"

namespace warpgrade {
using testing::TestClass;

TEST_CASE("a link signs in once, and opening its page does not use it up", "[serve][unit]") {
  TestClass served;
  const std::string token = served.classroom().sessions.invite("s01");
  for (int i = 0; i < 2; ++i) {
    const TestClass::Reply page = served.get("", "/sign-in?token=" + token);
    CHECK(page.status == 200);
    CHECK(page.has("action=\"/sign-in\""));
    CHECK(page.headers.at("Referrer-Policy") == "same-origin");
    CHECK_FALSE(page.headers.contains("Set-Cookie"));
  }
  const TestClass::Reply signed_in = served.post_form("", "/sign-in", {{"invitation", token}});
  CHECK(signed_in.status == 303);
  CHECK(signed_in.headers.at("Location") == "/");
  CHECK(served.get(TestClass::session_in(signed_in), "/").has("Doe, Jane"));
  CHECK(served.post_form("", "/sign-in", {{"invitation", token}}).status == 403);
}

TEST_CASE("a link that is used, replaced, or unknown gets the same answer", "[serve][unit]") {
  TestClass served;
  const std::string replaced = served.classroom().sessions.invite("s01");
  const std::string used = served.classroom().sessions.invite("s01");
  CHECK(served.post_form("", "/sign-in", {{"invitation", used}}).status == 303);
  const TestClass::Reply unknown =
      served.post_form("", "/sign-in", {{"invitation", std::string(64, '0')}});
  CHECK(unknown.status == 403);
  for (const std::string& token : {used, replaced, std::string(), std::string("s01")}) {
    const TestClass::Reply reply = served.post_form("", "/sign-in", {{"invitation", token}});
    CHECK(reply.status == unknown.status);
    CHECK(reply.body == unknown.body);
    CHECK(reply.headers == unknown.headers);
  }
}

TEST_CASE("who fails to sign in too often is refused for a while, and others are not",
          "[serve][unit]") {
  TestClass served("", "https://labs.example.org");
  const auto attempt = [&](const std::string& address, const std::string& invitation) {
    return served
        .request({.method = "POST",
                  .target = "/sign-in",
                  .headers = {{"host", "labs.example.org"},
                              {"origin", "https://labs.example.org"},
                              {"x-forwarded-for", address},
                              {"content-type", "application/x-www-form-urlencoded"}},
                  .body = "invitation=" + invitation})
        .status;
  };
  const std::string right = served.classroom().sessions.invite("s01");
  for (int i = 0; i < 5; ++i) CHECK(attempt(fmt::format("10.0.0.{}, 192.0.2.7", i), "x") == 403);
  CHECK(attempt("192.0.2.7", right) == 429);
  CHECK(attempt("192.0.2.8", right) == 303);

  Limiter limiter(2, std::chrono::seconds(60));
  const Limiter::Clock::time_point start{};
  limiter.count("a", start);
  CHECK_FALSE(limiter.refuses("a", start));
  limiter.count("a", start + std::chrono::seconds(59));
  CHECK(limiter.refuses("a", start + std::chrono::seconds(59)));
  CHECK_FALSE(limiter.refuses("a", start + std::chrono::seconds(60)));
}

TEST_CASE("signing in begins a new session and ends the browser's earlier one", "[serve][unit]") {
  TestClass served;
  const std::string before = served.sign_in("s01");
  const TestClass::Reply reply = served.post_form(
      before, "/sign-in", {{"invitation", served.classroom().sessions.invite("s02")}});
  const std::string after = TestClass::session_in(reply);
  CHECK(after != before);
  CHECK(served.get(before, "/").status == 403);
  CHECK(served.get(after, "/").has("Roe, Jim"));
  // A session that somebody else has chosen begins nothing.
  const std::string planted(64, 'a');
  const TestClass::Reply second = served.post_form(
      planted, "/sign-in", {{"invitation", served.classroom().sessions.invite("s03")}});
  CHECK(TestClass::session_in(second) != planted);
  CHECK(served.get(planted, "/").status == 403);
}

TEST_CASE("signing out ends this session, or all of the person", "[serve][unit]") {
  TestClass served;
  const std::string laptop = served.sign_in("s01");
  const std::string phone = served.sign_in("s01");
  const std::string desk = served.sign_in("s01");
  const TestClass::Reply reply = served.post_form(laptop, "/sign-out", {});
  CHECK(reply.headers.at("Set-Cookie") ==
        "warpgrade-8475=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
  CHECK(served.get(laptop, "/").status == 403);
  CHECK(served.get(phone, "/").status == 200);
  CHECK(served.post_form(phone, "/sign-out-everywhere", {}).status == 303);
  CHECK(served.get(desk, "/").status == 403);
}

TEST_CASE("who is taken out of the course's files is not signed in any more", "[serve][unit]") {
  TestClass served;
  const std::string jim = served.sign_in("s02");
  const std::string jane = served.sign_in("s01");
  write_file_atomically(served.folder() / "groups.csv", "group,student,lab\n");
  write_file_atomically(served.folder() / "roster.csv", "student\ns01\ns03\n");
  CHECK(served.get(jim, "/").status == 403);
  CHECK(served.get(jane, "/").status == 200);
  // An error in a file leaves the rules as they were, and staff sees it.
  write_file_atomically(served.folder() / "course.toml", "schema = \n");
  CHECK(served.get(jane, "/").status == 200);
  CHECK_FALSE(served.get(jane, "/").has("course.toml:1"));
  CHECK(served.get(served.sign_in("ann"), "/").has("course.toml:1"));
}

TEST_CASE("behind https the cookie is this host's alone and never sent without encryption",
          "[serve][unit]") {
  TestClass served("", "https://labs.example.org");
  const std::string token = served.classroom().sessions.invite("s01");
  const TestClass::Reply reply = served.post_form("", "/sign-in", {{"invitation", token}});
  CHECK(reply.headers.at("Set-Cookie") ==
        fmt::format("__Host-warpgrade={}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000",
                    TestClass::session_in(reply)));
  CHECK(served.get(TestClass::session_in(reply), "/").status == 200);
  for (const char* host :
       {"127.0.0.1:8475", "localhost:8475", "labs.example.org:80", "evil.example"}) {
    CHECK(served.request({.method = "GET", .target = "/", .headers = {{"host", host}}, .body = {}})
              .status == 421);
  }
  for (const char* url : {"labs.example.org", "ftp://labs.example.org", "https://",
                          "https://labs.example.org/class", "https://Labs.example.org"}) {
    CHECK_THROWS_AS(Site::behind_proxy(url), UsageError);
  }
}

TEST_CASE("the database has no token that signs in", "[serve][unit]") {
  if (testing::tests_have_postgresql()) SKIP("reads a file of SQLite");
  TestClass served;
  const std::string invitation = served.classroom().sessions.invite("s01");
  const std::string session = served.sign_in("s02");
  std::string bytes;
  for (const char* name : {"serve.db", "serve.db-wal"}) {
    if (std::filesystem::exists(served.folder() / name)) {
      bytes += read_file(served.folder() / name);
    }
  }
  CHECK(bytes.find("s02") != std::string::npos);
  CHECK(bytes.find(invitation) == std::string::npos);
  CHECK(bytes.find(session) == std::string::npos);
}

TEST_CASE("links from other sites open pages, and other requests of theirs get nothing",
          "[serve][unit]") {
  TestClass served;
  HttpRequest request{.method = "GET",
                      .target = "/",
                      .headers = {{"host", "127.0.0.1:8475"},
                                  {"cookie", "warpgrade-8475=" + served.sign_in("s01")},
                                  {"sec-fetch-site", "cross-site"},
                                  {"sec-fetch-mode", "navigate"}},
                      .body = {}};
  CHECK(served.request(request).status == 200);
  request.headers["sec-fetch-mode"] = "no-cors";
  CHECK(served.request(request).status == 403);
}

}  // namespace warpgrade
