#include "grader/testing/platform.h"

#include <fmt/core.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "grader/serve/http/url.h"
#include "grader/serve/identity/library/signatures.h"
#include "grader/testing/served_class.h"

namespace warpgrade::testing {
namespace {

using nlohmann::json;

constexpr const char* kPlatformIssuer = "https://moodle.example.org";
constexpr const char* kClaim = "https://purl.imsglobal.org/spec/lti/claim/";

}  // namespace

TestPlatform::TestPlatform()
    : now(std::chrono::sys_days(std::chrono::year(2026) / 11 / 29)), keys({key.published()}) {
  claims = {{"iss", kPlatformIssuer},
            {"aud", "labs"},
            {"sub", "17"},
            {"email", "jane@example.org"},
            {"name", "Jane Doe"},
            {"iat", now.time_since_epoch().count()},
            {"exp", now.time_since_epoch().count() + 300}};
  claims[std::string(kClaim) + "message_type"] = "LtiResourceLinkRequest";
  claims[std::string(kClaim) + "version"] = "1.3.0";
  claims[std::string(kClaim) + "deployment_id"] = "1";
  claims[std::string(kClaim) + "target_link_uri"] = "https://labs.example.org/labs/vecadd";
  claims[std::string(kClaim) + "resource_link"] = {{"id", "link-1"}, {"title", "First lab"}};
  claims[std::string(kClaim) + "context"] = {{"id", "42"}, {"title", "Parallel programming"}};
  claims[std::string(kClaim) + "roles"] = {
      "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"};
}

void TestPlatform::offer_services() {
  claims["https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"] = {
      {"scope",
       {"https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
        "https://purl.imsglobal.org/spec/lti-ags/scope/score"}},
      {"lineitems", "https://moodle.example.org/42/lineitems?type=9"}};
  claims["https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"] = {
      {"context_memberships_url", "https://moodle.example.org/42/members"},
      {"service_versions", {"2.0"}}};
}

LtiRegistration TestPlatform::registration() {
  return {.issuer = kPlatformIssuer,
          .client = "labs",
          .deployments = {"1"},
          .authorization_url = "https://moodle.example.org/auth",
          .token_url = "https://moodle.example.org/token",
          .jwks_url = "https://moodle.example.org/keys",
          .audience = "https://moodle.example.org/token"};
}

const std::string& TestPlatform::tool_key() {
  static const std::string key = new_key_by_cjose();
  return key;
}

FetchResult TestPlatform::fetch(const FetchRequest& request) const {
  requests.push_back(request);
  if (down) return {.problem = "Could not resolve host: moodle.example.org"};
  const std::string path = request.url.starts_with(kPlatformIssuer)
                               ? request.url.substr(std::string(kPlatformIssuer).size())
                               : "";
  const auto answer = [](const json& content, int status = 200) {
    return FetchResult{.status = status, .body = content.dump()};
  };
  if (path == "/keys") return answer({{"keys", keys}});
  if (path == "/token") {
    if (token_answer.status != 0) return token_answer;
    return answer({{"access_token", "an access token"}, {"expires_in", 3600}});
  }
  if (request.bearer != "an access token") return {.status = 401};
  if (path.starts_with("/42/members")) {
    const std::size_t page = path.ends_with("page=1") ? 1 : 0;
    json list = json::array();
    for (std::size_t i = 2 * page; i < members.size() && i < 2 * page + 2; ++i) {
      list.push_back(members.at(i));
    }
    FetchResult result = answer({{"members", list}});
    if (2 * page + 2 < members.size()) {
      result.link = next_elsewhere.empty()
                        ? "<https://moodle.example.org/42/members?page=1>; rel=\"next\""
                        : "<" + next_elsewhere + ">; rel=\"next\"";
    }
    return result;
  }
  if (path.starts_with("/42/lineitems")) {
    if (request.content.empty()) return answer(line_items);
    json item = json::parse(request.content);
    item["id"] = fmt::format("https://moodle.example.org/items/{}?type=9", line_items.size());
    line_items.push_back(item);
    return answer(item, 201);
  }
  const std::size_t end = path.find("/scores");
  if (path.starts_with("/items/") && end != path.npos) {
    if (while_scoring) while_scoring();
    if (score_answer.status == 204) {
      scores[path.substr(0, end)].push_back(json::parse(request.content));
    }
    return score_answer;
  }
  return {.status = 404};
}

bool TestPlatform::verify(const std::string& token, const std::string& jwk) const {
  return verify_by_cjose(token, jwk);
}

std::string TestPlatform::sign(const std::string& payload, const std::string& id,
                               const std::string& private_key) const {
  return sign_by_cjose(payload, id, private_key);
}

std::string TestPlatform::new_key() const {
  return new_key_by_cjose();
}

std::size_t TestPlatform::asked(const std::string& part) const {
  return static_cast<std::size_t>(std::count_if(
      requests.begin(), requests.end(),
      [&](const FetchRequest& one) { return one.url.find(part) != std::string::npos; }));
}

ClassWithPlatform::ClassWithPlatform() {
  write_file_atomically(served.folder() / "course.toml",
                        "schema = 1\nroster = \"roster.csv\"\n[staff]\nbob = \"assistant\"\n"
                        "ann = { role = \"instructor\", account = \"A.Poe@example.org\" }\n");
  restart();
}

void ClassWithPlatform::restart() {
  served.classroom().lti.reset();
  served.classroom().lti = std::make_unique<Lti>(
      registrations, TestPlatform::tool_key(), Site::behind_proxy("https://labs.example.org"),
      platform, served.database(), served.classroom().files,
      [this](const std::string& line) { log.push_back(line); }, [this] { return platform.now; });
}

ClassWithPlatform::Browser ClassWithPlatform::begin(const std::string& issuer) {
  const TestClass::Reply reply = served.get(
      "", fmt::format("/lti/login?iss={}&login_hint=h&target_link_uri={}", percent_encoded(issuer),
                      percent_encoded("https://labs.example.org/labs/vecadd")));
  REQUIRE(reply.status == 303);
  const std::string& url = reply.headers.at("Location");
  const auto fields = parse_form(url.substr(url.find('?') + 1)).value();
  const std::string& cookie = reply.headers.at("Set-Cookie");
  return {.cookie = cookie.substr(0, cookie.find(';')),
          .state = fields.at("state"),
          .nonce = fields.at("nonce")};
}

std::string ClassWithPlatform::token_for(const Browser& browser) const {
  json claims = platform.claims;
  if (!claims.contains("nonce")) claims["nonce"] = browser.nonce;
  return platform.key.sign(claims);
}

TestClass::Reply ClassWithPlatform::come_back(const Browser& browser) {
  return come_back(browser, token_for(browser));
}

TestClass::Reply ClassWithPlatform::come_back(const Browser& browser, const std::string& token) {
  return served.request({.method = "POST",
                         .target = "/lti/launch",
                         .headers = {{"host", "labs.example.org"},
                                     {"origin", kPlatformIssuer},
                                     {"content-type", "application/x-www-form-urlencoded"},
                                     {"cookie", browser.cookie},
                                     {"sec-fetch-site", "cross-site"},
                                     {"sec-fetch-mode", "navigate"}},
                         .body = fmt::format("id_token={}&state={}", percent_encoded(token),
                                             percent_encoded(browser.state))});
}

TestClass::Reply ClassWithPlatform::launch(const std::string& subject, const std::string& email,
                                           const std::string& role) {
  platform.claims["sub"] = subject;
  platform.claims["email"] = email;
  platform.claims[std::string(kClaim) + "roles"] = {
      "http://purl.imsglobal.org/vocab/lis/v2/membership#" + role};
  platform.claims["iat"] = platform.now.time_since_epoch().count();
  platform.claims["exp"] = platform.now.time_since_epoch().count() + 300;
  return come_back(begin());
}

std::string ClassWithPlatform::last_fault() const {
  if (log.empty()) return {};
  const json line = json::parse(log.back());
  return line.value("fault", "") + ": " + line.value("detail", "");
}

}  // namespace warpgrade::testing
