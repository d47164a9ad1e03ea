#include <fmt/core.h>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/serve/http/url.h"
#include "grader/serve/identity/base64url.h"
#include "grader/testing/platform.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::ClassWithPlatform;
using testing::SigningKey;
using testing::TestClass;
using testing::TestPlatform;

constexpr const char* kClaim = "https://purl.imsglobal.org/spec/lti/claim/";
constexpr const char* kDeepLink = "https://purl.imsglobal.org/spec/lti-dl/claim/";
constexpr const char* kTarget = "https%3A%2F%2Flabs.example.org%2Flabs%2Fvecadd";

TEST_CASE("a launch signs in the student or the member of staff whose account it is",
          "[serve][unit]") {
  ClassWithPlatform course;
  const TestClass::Reply jane = course.launch("17", "Jane@Example.org");
  CHECK(jane.status == 303);
  CHECK(jane.headers.at("Location") == "/labs/vecadd");
  const std::string session = TestClass::session_in(jane);
  CHECK(course.served.get(session, "/").has("Doe, Jane"));
  CHECK(course.served.get(session, "/class").status == 403);
  const json line = json::parse(course.log.back());
  CHECK(line.at("event") == "lti_launch");
  CHECK(line.at("person") == "s01");
  CHECK(line.at("role") == "learner");
  const std::string ann =
      TestClass::session_in(course.launch("18", "a.poe@example.org", "Instructor"));
  CHECK(course.served.get(ann, "/class").has("/class/lti"));
}

TEST_CASE("the course's files decide about roles, not the platform", "[serve][unit]") {
  ClassWithPlatform course;
  const TestClass::Reply reply = course.launch("17", "jane@example.org", "Instructor");
  CHECK(course.served.get(TestClass::session_in(reply), "/class").status == 403);
  CHECK(course.lti().store.contexts().empty());  // it connects nothing either
  const TestClass::Reply ann = course.launch("18", "a.poe@example.org", "Learner");
  CHECK(course.served.get(TestClass::session_in(ann), "/class").status == 200);
  CHECK(course.lti().store.contexts().empty());
  course.launch("18", "a.poe@example.org", "Instructor");
  CHECK(course.lti().store.contexts().size() == 1);
}

TEST_CASE("the browser goes to the platform with what LTI asks for", "[serve][unit]") {
  ClassWithPlatform course;
  const std::string query = fmt::format(
      "iss=https%3A%2F%2Fmoodle.example.org&login_hint=a%26b&target_link_uri={}&"
      "lti_message_hint=m&client_id=labs",
      kTarget);
  for (const char* method : {"GET", "POST"}) {
    CAPTURE(method);
    const bool get = std::string(method) == "GET";
    HttpRequest request{.method = method,
                        .target = get ? "/lti/login?" + query : "/lti/login",
                        .headers = {{"host", "labs.example.org"},
                                    {"sec-fetch-site", "cross-site"},
                                    {"sec-fetch-mode", "navigate"}},
                        .body = get ? "" : query};
    if (!get) {
      request.headers["origin"] = "https://moodle.example.org";
      request.headers["content-type"] = "application/x-www-form-urlencoded";
    }
    const TestClass::Reply reply = course.served.request(request);
    REQUIRE(reply.status == 303);
    const std::string& url = reply.headers.at("Location");
    CHECK(url.starts_with("https://moodle.example.org/auth?"));
    const auto fields = parse_form(url.substr(url.find('?') + 1)).value();
    CHECK(fields.at("scope") == "openid");
    CHECK(fields.at("response_type") == "id_token");
    CHECK(fields.at("response_mode") == "form_post");
    CHECK(fields.at("prompt") == "none");
    CHECK(fields.at("client_id") == "labs");
    CHECK(fields.at("redirect_uri") == "https://labs.example.org/lti/launch");
    CHECK(fields.at("login_hint") == "a&b");
    CHECK(fields.at("lti_message_hint") == "m");
    CHECK(fields.at("nonce").size() == 64);
    const std::string& cookie = reply.headers.at("Set-Cookie");
    CHECK(cookie.starts_with("__Host-warpgrade-lti-"));
    CHECK(cookie.find("; HttpOnly; SameSite=None; Secure; Max-Age=600") != std::string::npos);
    CHECK(cookie.find("Partitioned") == std::string::npos);
  }
}

TEST_CASE("a login request that is not for this server leads nowhere", "[serve][unit]") {
  ClassWithPlatform course;
  for (const std::string& query : {
           std::string("iss=https%3A%2F%2Fmoodle.example.org&login_hint=h"),
           std::string("login_hint=h&target_link_uri=") + kTarget,
           std::string("iss=https%3A%2F%2Fmoodle.example.org&target_link_uri=") + kTarget,
           std::string("iss=https%3A%2F%2Fmoodle.example.org&login_hint=h&target_link_uri=https%3A%"
                       "2F%2Fevil.example%2F"),
           std::string("iss=https%3A%2F%2Fmoodle.example.org&login_hint=h&target_link_uri=https%3A%"
                       "2F%2Flabs.example.org.evil.example%2F"),
       }) {
    CAPTURE(query);
    const TestClass::Reply reply = course.served.get("", "/lti/login?" + query);
    CHECK(reply.status == 400);
    CHECK_FALSE(reply.headers.contains("Location"));
  }
  const TestClass::Reply reply = course.served.get(
      "", std::string("/lti/login?iss=https%3A%2F%2Fevil.example&login_hint=h&target_link_uri=") +
              kTarget);
  CHECK(reply.status == 502);
  CHECK(course.last_fault().starts_with("configuration: no [[platform]] has the issuer"));
  // Of two registrations of an issuer, the request has to name one.
  course.registrations.push_back(TestPlatform::registration());
  course.registrations.back().client = "other";
  course.restart();
  const std::string both =
      std::string("/lti/login?iss=https%3A%2F%2Fmoodle.example.org&login_hint=h&target_link_uri=") +
      kTarget;
  CHECK(course.served.get("", both).status == 502);
  CHECK(course.served.get("", both + "&client_id=other").status == 303);
}

TEST_CASE("a launch counts once, in the browser that began it, for ten minutes", "[serve][unit]") {
  ClassWithPlatform course;
  const ClassWithPlatform::Browser one = course.begin();
  const ClassWithPlatform::Browser other = course.begin();
  const auto refused = [&](const ClassWithPlatform::Browser& browser, const std::string& token) {
    const TestClass::Reply reply = course.come_back(browser, token);
    CHECK(reply.status == 403);
    CHECK(reply.has("Start again"));
    CHECK_FALSE(reply.headers.contains("Location"));
  };
  const std::string token = course.token_for(one);
  refused({.cookie = other.cookie, .state = one.state, .nonce = ""}, token);
  refused({.cookie = "", .state = one.state, .nonce = ""}, token);
  refused({.cookie = one.cookie, .state = "", .nonce = ""}, token);
  refused({.cookie = one.cookie, .state = other.state, .nonce = ""}, token);
  CHECK(course.platform.asked("/keys") == 0);
  // The token of another launch of the same browser.
  const TestClass::Reply mixed = course.come_back(other, token);
  CHECK(mixed.status == 502);
  CHECK(course.last_fault() == "token: the ID token was made for another sign-in (nonce)");
  CHECK(course.come_back(one, token).status == 303);
  refused(one, token);  // replayed
  course.platform.now += std::chrono::minutes(10);
  refused(other, course.token_for(other));
}

TEST_CASE("a launch that the platform has not made for this server is refused", "[serve][unit]") {
  const std::string claim = kClaim;
  struct Attack {
    std::string fault;
    std::function<void(json&)> make;
  };
  const std::vector<Attack> attacks = {
      {"token: the ID token is for another client (aud)", [](json& c) { c["aud"] = "other"; }},
      {"token: the ID token was issued to another client (azp)",
       [](json& c) {
         c["aud"] = {"labs", "other"};
       }},
      {"token: the ID token is from another issuer (iss)",
       [](json& c) { c["iss"] = "https://evil.example"; }},
      {"token: the ID token was made for another sign-in (nonce)",
       [](json& c) { c["nonce"] = "another"; }},
      {"token: the ID token names nobody (sub)", [](json& c) { c.erase("sub"); }},
      {"clock: the ID token expired 60 seconds before this machine's time",
       [](json& c) { c["exp"] = c["iat"].get<long>() - 60; }},
      {"token: the launch is of the deployment '2', which is not among the deployment_ids",
       [&](json& c) { c[claim + "deployment_id"] = "2"; }},
      {"token: the launch is of the deployment '', which is not among the deployment_ids",
       [&](json& c) { c.erase(claim + "deployment_id"); }},
      {"token: the launch has the version '1.1' instead of 1.3.0",
       [&](json& c) { c[claim + "version"] = "1.1"; }},
      {"token: the launch has the message type 'LtiSubmissionReviewRequest', which this server "
       "does "
       "not take",
       [&](json& c) { c[claim + "message_type"] = "LtiSubmissionReviewRequest"; }},
      {"token: the launch has the message type '', which this server does not take",
       [&](json& c) { c.erase(claim + "message_type"); }},
      {"token: the launch has no resource_link with an id",
       [&](json& c) { c.erase(claim + "resource_link"); }},
      {"token: the launch is not from a course (context)",
       [&](json& c) { c.erase(claim + "context"); }},
      {"token: the launch is for 'https://evil.example/', which is not an address of "
       "https://labs.example.org (target_link_uri)",
       [&](json& c) { c[claim + "target_link_uri"] = "https://evil.example/"; }},
      {"token: the launch is for 'https://labs.example.org.evil.example/', which is not an address "
       "of https://labs.example.org (target_link_uri)",
       [&](json& c) { c[claim + "target_link_uri"] = "https://labs.example.org.evil.example/"; }},
      {"token: the launch has a lineitems without https",
       [](json& c) {
         c["https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"] = {
             {"lineitems", "http://moodle.example.org/42"}};
       }},
  };
  for (const Attack& attack : attacks) {
    CAPTURE(attack.fault);
    ClassWithPlatform course;
    const ClassWithPlatform::Browser browser = course.begin();
    attack.make(course.platform.claims);
    const TestClass::Reply reply = course.come_back(browser);
    CHECK(reply.status == 502);
    CHECK(course.last_fault() == attack.fault);
    CHECK_FALSE(reply.headers.contains("Location"));
    CHECK(reply.headers.at("Set-Cookie").find("Max-Age=0") != std::string::npos);
    CHECK(course.lti().store.members().empty());
  }
}

TEST_CASE("a launch with a wrong signature, algorithm or key is refused", "[serve][unit]") {
  ClassWithPlatform course;
  const SigningKey rsa = SigningKey::rsa("rsa");
  course.platform.keys.push_back(rsa.published());
  const auto refused = [&](const std::string& token) {
    const ClassWithPlatform::Browser browser = course.begin();
    json claims = course.platform.claims;
    claims["nonce"] = browser.nonce;
    std::string made = token;
    if (made == "unsigned") {
      made = testing::base64url(R"({"alg":"none","typ":"JWT"})") + "." +
             testing::base64url(claims.dump()) + ".";
    } else if (made == "hs256") {
      made = SigningKey::secret("rsa", rsa.published().at("n")).sign(claims);
    } else if (made == "unknown") {
      made = SigningKey::elliptic("unknown").sign(claims);
    } else if (made == "other") {
      made = SigningKey::elliptic("first").sign(claims);
    }
    CHECK(course.come_back(browser, made).status == 502);
    return course.last_fault();
  };
  CHECK(refused("unsigned") ==
        "token: the ID token is signed by 'none'; only RS256 and ES256 are accepted");
  CHECK(refused("hs256") ==
        "token: the ID token is signed by 'HS256'; only RS256 and ES256 are accepted");
  CHECK(refused("unknown") ==
        "token: the ID token is signed by the key 'unknown' (ES256), which is not among the "
        "provider's");
  CHECK(refused("other") == "token: the ID token has a wrong signature");
  CHECK(refused("") == "token: the ID token is none: it does not have three parts");
}

TEST_CASE("a platform may change its keys", "[serve][unit]") {
  ClassWithPlatform course;
  CHECK(course.launch("17", "jane@example.org").status == 303);
  course.platform.key = SigningKey::rsa("second");  // RS256, which platforms use
  course.platform.keys = {course.platform.key.published()};
  CHECK(course.launch("17", "jane@example.org").status == 502);
  course.platform.now += std::chrono::seconds(60);
  CHECK(course.launch("17", "jane@example.org").status == 303);
  CHECK(course.platform.asked("/keys") == 2);
}

TEST_CASE("what one platform began, another cannot end", "[serve][unit]") {
  ClassWithPlatform course;
  course.registrations.push_back(TestPlatform::registration());
  course.registrations.back().issuer = "https://canvas.example.org";
  course.restart();
  const ClassWithPlatform::Browser browser = course.begin("https://canvas.example.org");
  const TestClass::Reply reply = course.come_back(browser);  // of moodle.example.org
  CHECK(reply.status == 502);
  CHECK(course.last_fault() == "token: the ID token is from another issuer (iss)");
  course.platform.claims["iss"] = "https://canvas.example.org";
  CHECK(course.come_back(course.begin("https://canvas.example.org")).status == 303);
}

TEST_CASE("in a frame a launch opens a window, and choosing labs goes on", "[serve][unit]") {
  ClassWithPlatform course;
  const auto framed = [&](const char* target) {
    return course.served.request(
        {.method = "GET",
         .target = fmt::format("/lti/login?iss=https%3A%2F%2Fmoodle.example.org&login_hint=h&"
                               "target_link_uri=https%3A%2F%2Flabs.example.org{}",
                               target),
         .headers = {{"host", "labs.example.org"},
                     {"sec-fetch-site", "cross-site"},
                     {"sec-fetch-mode", "navigate"},
                     {"sec-fetch-dest", "iframe"}},
         .body = {}});
  };
  const TestClass::Reply page = framed("%2Flabs%2Fvecadd");
  CHECK(page.status == 200);
  CHECK(page.has("target=\"_blank\""));
  CHECK(page.has("login_hint=h"));
  CHECK_FALSE(page.headers.contains("Set-Cookie"));
  CHECK(page.headers.at("Content-Security-Policy").find("frame-ancestors *") != std::string::npos);
  CHECK(page.headers.at("Content-Security-Policy").find("form-action 'none'") != std::string::npos);
  const TestClass::Reply chooses = framed("%2Flti%2Fdeep-link");
  CHECK(chooses.status == 303);
  CHECK(chooses.headers.at("Set-Cookie").ends_with("; Partitioned"));
  // All other pages stay out of frames.
  CHECK(course.served.get("", "/sign-in")
            .headers.at("Content-Security-Policy")
            .find("frame-ancestors 'none'") != std::string::npos);
}

TEST_CASE("who is not in the course is refused, and listed to staff", "[serve][unit]") {
  ClassWithPlatform course;
  const std::string ann =
      TestClass::session_in(course.launch("18", "a.poe@example.org", "Instructor"));
  course.platform.claims["name"] = "<b>Eve</b>";
  const TestClass::Reply eve = course.launch("66", "eve@example.org");
  CHECK(eve.status == 403);
  CHECK(eve.has("as eve@example.org"));
  CHECK(eve.has("(ann)"));
  const TestClass::Reply page = course.served.get(ann, "/class/lti");
  CHECK(page.has("eve@example.org"));
  CHECK(page.has("nobody in the column email of the roster or in [staff] has it"));
  CHECK_FALSE(page.has("<b>Eve"));
  // Without the claim, too.
  course.platform.claims["name"] = "Zoe";
  const TestClass::Reply zoe = course.launch("67", "");
  CHECK(zoe.status == 403);
  CHECK(zoe.has("does not say which member"));
  CHECK(course.served.get(ann, "/class/lti").has("the platform does not say &apos;email&apos;"));
  CHECK(course.served.get(ann, "/class/lti").has("not seen at the platform"));
}

TEST_CASE("an account of the platform is one person's for good, until staff forgets it",
          "[serve][unit]") {
  ClassWithPlatform course;
  const std::string ann =
      TestClass::session_in(course.launch("18", "a.poe@example.org", "Instructor"));
  CHECK(course.launch("17", "jane@example.org").status == 303);
  // Somebody who has changed an address to Jane's, and Jane with that of the instructor.
  const TestClass::Reply other = course.launch("66", "jane@example.org");
  CHECK(other.status == 403);
  CHECK(course.last_fault() == "not_a_member: the platform's account '17' is linked to s01");
  CHECK(course.launch("17", "a.poe@example.org").status == 403);
  CHECK(course.served.get(ann, "/class/lti").has("is linked to s01"));
  CHECK(course.served.post_form(ann, "/class/lti/forget", {{"person", "s01"}}).status == 303);
  CHECK(course.launch("66", "jane@example.org").status == 303);
  // Who has left the course frees the account.
  write_file_atomically(course.served.folder() / "roster.csv",
                        "student,email\nj01,jane@example.org\n");
  CHECK(course.launch("66", "jane@example.org").status == 303);
  CHECK(json::parse(course.log.back()).at("person") == "j01");
}

TEST_CASE("a link leads to the lab that it names, or that staff has chosen", "[serve][unit]") {
  ClassWithPlatform course;
  json& claims = course.platform.claims;
  claims[std::string(kClaim) + "target_link_uri"] = "https://labs.example.org/lti/launch";
  claims[std::string(kClaim) + "custom"] = {{"lab", "histogram"}};
  const auto leads = [&](const std::string& subject, const std::string& email,
                         const std::string& role) {
    return course.launch(subject, email, role).headers.at("Location");
  };
  CHECK(leads("17", "jane@example.org", "Learner") == "/labs/histogram");
  // A lab that the course does not have, and names that lead elsewhere.
  for (const char* lab : {"nothing", "//evil.example", "../class"}) {
    claims[std::string(kClaim) + "custom"] = {{"lab", lab}};
    CHECK(leads("17", "jane@example.org", "Learner") == "/");
  }
  claims[std::string(kClaim) + "target_link_uri"] = "https://labs.example.org//evil.example";
  claims.erase(std::string(kClaim) + "custom");
  CHECK(leads("17", "jane@example.org", "Learner") == "/");
  CHECK(leads("18", "a.poe@example.org", "Instructor") == "/class/lti");
  const std::string ann = course.served.sign_in("ann");
  CHECK(course.served.get(ann, "/class/lti").has("not chosen yet"));
  const auto choose = [&](const std::string& lab, const std::string& link) {
    return course.served
        .post_form(ann, "/class/lti/links", {{"context", "1"}, {"link", link}, {"lab", lab}})
        .status;
  };
  CHECK(choose("nothing", "link-1") == 409);
  CHECK(choose("vecadd", "link-2") == 409);
  CHECK(choose("vecadd", "link-1") == 303);
  CHECK(leads("17", "jane@example.org", "Learner") == "/labs/vecadd");
  CHECK(leads("18", "a.poe@example.org", "Instructor") == "/labs/vecadd");
  CHECK(choose("*", "link-1") == 303);
  CHECK(leads("17", "jane@example.org", "Learner") == "/");
}

TEST_CASE("one course of a platform is connected, and others by the file alone", "[serve][unit]") {
  ClassWithPlatform course;
  CHECK(course.launch("18", "a.poe@example.org", "Instructor").status == 303);
  course.platform.claims[std::string(kClaim) + "context"] = {{"id", "43"}};
  CHECK(course.launch("17", "jane@example.org").status == 502);
  CHECK(course.last_fault().find("write context_ids with '43'") != std::string::npos);
  course.registrations.front().contexts = {"42", "43"};
  course.restart();
  CHECK(course.launch("17", "jane@example.org").status == 303);
  CHECK(course.lti().store.contexts().size() == 2);
  course.platform.claims[std::string(kClaim) + "context"] = {{"id", "44"}};
  CHECK(course.launch("17", "jane@example.org").status == 502);
}

TEST_CASE("what a platform says instead of a launch is one page, and its keys may be missing",
          "[serve][unit]") {
  ClassWithPlatform course;
  const ClassWithPlatform::Browser browser = course.begin();
  const TestClass::Reply declined =
      course.served.request({.method = "POST",
                             .target = "/lti/launch",
                             .headers = {{"host", "labs.example.org"},
                                         {"content-type", "application/x-www-form-urlencoded"},
                                         {"cookie", browser.cookie}},
                             .body = "error=login_required&state=" + browser.state});
  CHECK(declined.status == 403);
  CHECK(course.last_fault().starts_with("declined: "));
  course.platform.down = true;
  CHECK(course.launch("17", "jane@example.org").status == 502);
  CHECK(course.last_fault().starts_with("unreachable: "));
}

struct DeepLink : ClassWithPlatform {
  DeepLink() {
    json& claims = platform.claims;
    claims[std::string(kClaim) + "message_type"] = "LtiDeepLinkingRequest";
    claims[std::string(kClaim) + "target_link_uri"] = "https://labs.example.org/lti/deep-link";
    claims.erase(std::string(kClaim) + "resource_link");
    claims[std::string(kDeepLink) + "deep_linking_settings"] = {
        {"deep_link_return_url", "https://moodle.example.org/return?id=5"},
        {"accept_types", {"ltiResourceLink", "file"}},
        {"accept_presentation_document_targets", {"window"}},
        {"accept_multiple", true},
        {"data", "opaque"}};
  }
  static std::string choice_in(const TestClass::Reply& page) {
    const std::string before = "name=\"choice\" value=\"";
    const std::size_t begin = page.body.find(before) + before.size();
    return page.body.substr(begin, page.body.find('"', begin) - begin);
  }
};

TEST_CASE("staff chooses labs, and the platform gets them signed", "[serve][unit]") {
  DeepLink course;
  const TestClass::Reply page = course.launch("18", "a.poe@example.org", "Instructor");
  CHECK(page.status == 200);
  CHECK(page.has("lab vecadd"));
  CHECK(page.headers.at("Content-Security-Policy")
            .find("frame-ancestors https://moodle.example.org") != std::string::npos);
  const std::string choice = DeepLink::choice_in(page);
  const TestClass::Reply answer = course.served.post_form(
      "", "/lti/deep-link/answer", {{"choice", choice}, {"lab vecadd", "vecadd"}, {"lab x", "x"}});
  REQUIRE(answer.status == 200);
  CHECK(answer.has("Add 1 lab"));
  CHECK(
      answer.headers.at("Content-Security-Policy").find("form-action https://moodle.example.org") !=
      std::string::npos);
  const std::string before = "name=\"JWT\" value=\"";
  const std::size_t begin = answer.body.find(before) + before.size();
  const std::string jwt = answer.body.substr(begin, answer.body.find('"', begin) - begin);
  const TestClass::Reply keys = course.served.get("", "/lti/keys");
  const json key = json::parse(keys.body).at("keys").at(0);
  CHECK_FALSE(key.contains("d"));
  CHECK(course.platform.verify(jwt, key.dump()));
  const std::size_t first = jwt.find('.') + 1;
  const json claims =
      json::parse(from_base64url(jwt.substr(first, jwt.rfind('.') - first)).value());
  CHECK(claims.at("iss") == "labs");
  CHECK(claims.at("aud") == "https://moodle.example.org");
  CHECK(claims.at(std::string(kClaim) + "deployment_id") == "1");
  CHECK(claims.at(std::string(kClaim) + "message_type") == "LtiDeepLinkingResponse");
  CHECK(claims.at(std::string(kDeepLink) + "data") == "opaque");
  const json& items = claims.at(std::string(kDeepLink) + "content_items");
  REQUIRE(items.size() == 1);
  CHECK(items.at(0).at("url") == "https://labs.example.org/labs/vecadd");
  CHECK(items.at(0).at("custom").at("lab") == "vecadd");
  CHECK(items.at(0).at("lineItem").at("resourceId") == "vecadd");
  // Once.
  CHECK(course.served.post_form("", "/lti/deep-link/answer", {{"choice", choice}}).status == 409);
  CHECK(course.served.post_form("", "/lti/deep-link/answer", {{"choice", ""}}).status == 409);
}

TEST_CASE("labs are chosen by staff alone, for an hour, and where links are taken",
          "[serve][unit]") {
  DeepLink course;
  CHECK(course.launch("17", "jane@example.org", "Instructor").has("Only staff chooses labs"));
  CHECK(course.launch("18", "a.poe@example.org", "Learner").has("Only staff chooses labs"));
  const std::string choice =
      DeepLink::choice_in(course.launch("18", "a.poe@example.org", "Instructor"));
  course.platform.now += std::chrono::hours(1);
  CHECK(course.served.post_form("", "/lti/deep-link/answer", {{"choice", choice}}).status == 409);
  json& settings = course.platform.claims[std::string(kDeepLink) + "deep_linking_settings"];
  settings["accept_types"] = {"file"};
  CHECK(course.launch("18", "a.poe@example.org", "Instructor").has("takes no links"));
  settings["deep_link_return_url"] = "http://moodle.example.org/return";
  CHECK(course.launch("18", "a.poe@example.org", "Instructor").status == 502);
}

TEST_CASE("a server without --lti refuses launches", "[serve][unit]") {
  TestClass served;
  CHECK(served.get("", "/lti/keys").status == 409);
  CHECK(served.get("", "/lti/login").status == 409);
  CHECK_FALSE(served.get(served.sign_in("ann"), "/class").has("/class/lti"));
}

}  // namespace
}  // namespace warpgrade
