#include <fmt/core.h>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/serve/http/url.h"
#include "grader/testing/provider.h"
#include "grader/testing/served_class.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::TestClass;
using testing::TestProvider;

constexpr const char* kSite = "https://labs.example.org";

/// A class whose members have accounts at a provider; ann has one, bob has none.
struct ClassWithProvider {
  TestProvider provider;
  TestClass served{"", kSite};
  std::vector<std::string> log;

  ClassWithProvider() {
    write_file_atomically(served.folder() / "course.toml",
                          "schema = 1\nroster = \"roster.csv\"\n[staff]\nbob = \"assistant\"\n"
                          "ann = { role = \"instructor\", account = \"A.Poe@example.org\" }\n");
    served.classroom().provider = std::make_unique<ProviderSignIn>(
        ProviderOptions{.issuer = "https://login.example.org",
                        .client = "labs",
                        .secret = "the secret",
                        .column = "email"},
        Site::behind_proxy(kSite), provider,
        [this](const std::string& line) { log.push_back(line); }, [this] { return provider.now; });
  }

  struct Browser {
    std::string pending;  // the cookie
    std::string state;
    std::string nonce;
  };
  /// A browser that has gone to the provider.
  Browser begin() {
    const TestClass::Reply reply = served.get("", "/sign-in/provider");
    REQUIRE(reply.status == 303);
    const std::string& url = reply.headers.at("Location");
    const auto fields = parse_form(url.substr(url.find('?') + 1)).value();
    CHECK(fields.at("redirect_uri") == fmt::format("{}/sign-in/callback", kSite));
    return {.pending = TestClass::session_in(reply),
            .state = fields.at("state"),
            .nonce = fields.at("nonce")};
  }
  /// It comes back.
  TestClass::Reply come_back(const Browser& browser, const std::string& query,
                             const std::string& session = {}) {
    provider.nonce = browser.nonce;
    std::string cookies = "__Host-warpgrade-sign-in=" + browser.pending;
    if (!session.empty()) cookies += "; __Host-warpgrade=" + session;
    return served.request({.method = "GET",
                           .target = "/sign-in/callback?" + query,
                           .headers = {{"host", "labs.example.org"},
                                       {"cookie", cookies},
                                       {"sec-fetch-site", "cross-site"},
                                       {"sec-fetch-mode", "navigate"}},
                           .body = {}});
  }
  TestClass::Reply sign_in(const std::string& email) {
    provider.user_info["email"] = email;
    const Browser browser = begin();
    return come_back(browser, "code=c&state=" + browser.state);
  }
};

TEST_CASE("an account signs in the student or the member of staff whose it is", "[serve][unit]") {
  ClassWithProvider course;
  CHECK(course.served.get("", "/sign-in").has("Sign in at login.example.org"));
  CHECK(course.served.get("", "/").has("href=\"/sign-in\""));
  const TestClass::Reply jane = course.sign_in("Jane@Example.org");
  CHECK(jane.status == 303);
  CHECK(jane.headers.at("Location") == "/");
  CHECK(jane.headers.at("Set-Cookie").starts_with("__Host-warpgrade="));
  CHECK(course.served.get(TestClass::session_in(jane), "/").has("Doe, Jane"));
  const std::string ann = TestClass::session_in(course.sign_in("a.poe@example.org"));
  CHECK(course.served.get(ann, "/class").status == 200);
  REQUIRE(course.log.size() == 2);
  const json line = json::parse(course.log.back());
  CHECK(line.at("event") == "sign_in");
  CHECK(line.at("person") == "ann");
  CHECK(line.at("issuer") == "https://login.example.org");
}

TEST_CASE("a server with two names signs in under the one that the provider knows",
          "[serve][unit]") {
  const TestProvider provider;
  TestClass served;
  served.classroom().provider = std::make_unique<ProviderSignIn>(
      ProviderOptions{.issuer = "https://login.example.org", .client = "labs", .column = "email"},
      Site::on_loopback(8475), provider, [](const std::string&) {}, [&] { return provider.now; });
  const auto location_under = [&](const char* host) {
    return served
        .request({.method = "GET",
                  .target = "/sign-in/provider",
                  .headers = {{"host", host}},
                  .body = {}})
        .headers.at("Location");
  };
  CHECK(location_under("localhost:8475") == "http://127.0.0.1:8475/sign-in/provider");
  CHECK(location_under("127.0.0.1:8475").starts_with("https://login.example.org/authorize?"));
}

TEST_CASE("signing in by an account begins a new session and ends the browser's earlier one",
          "[serve][unit]") {
  ClassWithProvider course;
  const std::string planted = course.served.sign_in("s02");
  const ClassWithProvider::Browser browser = course.begin();
  const TestClass::Reply reply =
      course.come_back(browser, "code=c&state=" + browser.state, planted);
  CHECK(reply.status == 303);
  CHECK(TestClass::session_in(reply) != planted);
  CHECK(course.served.get(planted, "/").status == 403);
}

TEST_CASE("a sign-in counts once, in the browser that began it, for ten minutes", "[serve][unit]") {
  ClassWithProvider course;
  const ClassWithProvider::Browser one = course.begin();
  const ClassWithProvider::Browser other = course.begin();
  const auto refused = [&](const ClassWithProvider::Browser& browser, const std::string& query) {
    const TestClass::Reply reply = course.come_back(browser, query);
    CHECK(reply.status == 403);
    CHECK(reply.has("Start again"));
    CHECK_FALSE(reply.headers.contains("Set-Cookie"));
  };
  refused(one, "code=c&state=" + other.state);  // somebody else's answer
  refused(one, "code=c");
  refused(one, "code=c&state=");
  refused({.pending = "", .state = "", .nonce = ""}, "code=c&state=" + one.state);
  // A cookie of one's own making, and one that was made to be valid for longer.
  refused({.pending = "a.9999999999." + std::string(64, '0'), .state = "", .nonce = ""},
          "code=c&state=" + one.state);
  std::string longer = one.pending;
  longer[longer.find('.') + 1] = '9';
  refused({.pending = longer, .state = "", .nonce = ""}, "code=c&state=" + one.state);
  CHECK(course.provider.asked("/token") == 0);

  CHECK(course.come_back(one, "code=c&state=" + one.state).status == 303);
  refused(one, "code=c&state=" + one.state);  // replayed
  CHECK(course.provider.asked("/token") == 1);
  course.provider.now += std::chrono::minutes(10);
  refused(other, "code=c&state=" + other.state);
}

TEST_CASE("who is not in the course reads which account it was and whom to ask", "[serve][unit]") {
  ClassWithProvider course;
  for (const char* email : {"eve@example.org", "<b>eve</b>@example.org", "bob", "s01"}) {
    const TestClass::Reply reply = course.sign_in(email);
    CHECK(reply.status == 403);
    CHECK(reply.has("Not in this course"));
    CHECK(reply.has("login.example.org"));
    CHECK(reply.has("(ann)"));
    CHECK(reply.has("href=\"https:&#x2F;&#x2F;login.example.org&#x2F;leave") !=
          reply.has("href=\"https://login.example.org/leave"));
    CHECK_FALSE(reply.has("<b>"));
    CHECK(reply.headers.at("Set-Cookie").starts_with("__Host-warpgrade-sign-in=;"));
  }
  CHECK(course.sign_in("eve@example.org").has("as eve@example.org"));
  CHECK(json::parse(course.log.back()).at("account") == "eve@example.org");
  // An address of two persons is nobody's.
  write_file_atomically(course.served.folder() / "roster.csv",
                        "student,email\ns01,jane@example.org\ns02,Jane@example.org\n");
  CHECK(course.sign_in("jane@example.org").has("Not in this course"));
  CHECK(
      json::parse(course.log.back()).at("detail").get<std::string>().find("s01 and s02 have it") !=
      std::string::npos);
}

TEST_CASE("each failure of a provider is one page and one line of the log, without secrets",
          "[serve][unit]") {
  struct Failure {
    const char* fault;
    int status;
    const char* page;
    std::function<void(TestProvider&)> make;
    const char* query = "code=the-code&state=";
  };
  const std::vector<Failure> failures = {
      {"unreachable", 502, "does not answer", [](TestProvider& p) { p.down = true; }},
      {"unreachable", 502, "does not answer", [](TestProvider& p) { p.token_answer.status = 503; }},
      {"client_refused", 502, "not set up for each other",
       [](TestProvider& p) {
         p.token_answer = {.status = 401, .body = R"({"error":"invalid_client"})"};
       }},
      {"code_refused", 403, "was used already, or took too long",
       [](TestProvider& p) {
         p.token_answer = {.status = 400, .body = R"({"error":"invalid_grant"})"};
       }},
      {"configuration", 502, "not set up for each other",
       [](TestProvider& p) { p.token_answer = {.status = 200, .body = "<html>"}; }},
      {"clock", 502, "clocks of login.example.org and of this server differ",
       [](TestProvider& p) {
         p.claims["iat"] = p.now.time_since_epoch().count() + 3600;
         p.claims["exp"] = p.now.time_since_epoch().count() + 7200;
       }},
      {"token", 502, "damaged, or is not for this server",
       [](TestProvider& p) { p.claims["aud"] = "other"; }},
      {"no_claim", 403, "does not say which member",
       [](TestProvider& p) { p.user_info.erase("email"); }},
      {"unverified", 403, "is not confirmed",
       [](TestProvider& p) { p.user_info["email_verified"] = false; }},
      {"declined", 403, "you declined", [](TestProvider&) {}, "error=access_denied&state="},
      {"unreachable", 502, "does not answer", [](TestProvider&) {},
       "error=temporarily_unavailable&state="},
      {"configuration", 502, "not set up for each other", [](TestProvider&) {},
       "error=invalid_scope&error_description=line%201%0Aline%202&state="},
      {"token", 502, "is not for this server", [](TestProvider&) {},
       "code=the-code&iss=https%3A%2F%2Fevil.example&state="},
  };
  for (const Failure& failure : failures) {
    CAPTURE(failure.fault, failure.page);
    ClassWithProvider course;
    const ClassWithProvider::Browser browser = course.begin();
    failure.make(course.provider);
    const TestClass::Reply reply = course.come_back(browser, failure.query + browser.state);
    CHECK(reply.status == failure.status);
    CHECK(reply.has(failure.page));
    CHECK(reply.has("href=\"/sign-in\"") != reply.has("href=\"&#x2F;sign-in\""));
    REQUIRE(course.log.size() == 1);
    const std::string& line = course.log.front();
    CHECK(line.find('\n') == std::string::npos);
    CHECK(json::parse(line).at("fault") == failure.fault);
    for (const std::string& secret :
         {std::string("the secret"), std::string("the-code"), std::string("an access token"),
          browser.pending, browser.state, browser.nonce}) {
      CHECK(line.find(secret) == std::string::npos);
      CHECK_FALSE(reply.has(secret));
    }
  }
}

TEST_CASE("signing out offers to sign out at the provider, too", "[serve][unit]") {
  ClassWithProvider course;
  const std::string laptop = TestClass::session_in(course.sign_in("jane@example.org"));
  const std::string phone = TestClass::session_in(course.sign_in("jane@example.org"));
  const TestClass::Reply reply = course.served.post_form(laptop, "/sign-out", {});
  CHECK(reply.status == 200);
  CHECK(reply.has("Sign out at login.example.org"));
  CHECK(reply.has("post_logout_redirect_uri"));
  CHECK(reply.headers.at("Set-Cookie").starts_with("__Host-warpgrade=;"));
  CHECK(course.served.get(laptop, "/").status == 403);
  CHECK(course.served.get(phone, "/").status == 200);
  const std::string desk = TestClass::session_in(course.sign_in("jane@example.org"));
  CHECK(course.served.post_form(phone, "/sign-out-everywhere", {}).status == 200);
  CHECK(course.served.get(desk, "/").status == 403);
  // Where there is none, nothing depends on it.
  course.provider.document.erase("end_session_endpoint");
  course.provider.now += std::chrono::hours(1);
  course.provider.claims["iat"] = course.provider.now.time_since_epoch().count();
  course.provider.claims["exp"] = course.provider.now.time_since_epoch().count() + 300;
  const std::string last = TestClass::session_in(course.sign_in("jane@example.org"));
  CHECK(course.served.post_form(last, "/sign-out", {}).headers.at("Location") == "/sign-in");
}

}  // namespace
}  // namespace warpgrade
