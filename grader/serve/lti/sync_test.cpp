#include "grader/serve/lti/sync.h"

#include <fmt/core.h>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/serve/classroom/rules.h"
#include "grader/testing/platform.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::ClassWithPlatform;
using testing::TestClass;

/// A class whose instructor and whose student Jane have launched from a platform with services;
/// Jane and Jim (s02), who has no account there, have a graded submission at vecadd.
struct Passback : ClassWithPlatform {
  Passback() {
    platform.now = now_utc() + std::chrono::hours(1);  // decisions have the time of this machine
    platform.offer_services();
    platform.members = {member("18", "a.poe@example.org", "Instructor"),
                        member("17", "jane@example.org", "Learner")};
    launch("18", "a.poe@example.org", "Instructor");
    launch("17", "jane@example.org");
    for (const char* student : {"s01", "s02"}) {
      served.wait_for(served.submit(served.sign_in(student)));
    }
    ann = served.sign_in("ann");
  }
  static json member(const std::string& subject, const std::string& email,
                     const std::string& role) {
    return {{"user_id", subject},
            {"email", email},
            {"name", "Somebody"},
            {"status", "Active"},
            {"roles", json::array({role})}};
  }
  void release() { served.post_form(ann, "/labs/vecadd/release", {}); }
  void set_points(const std::string& points) {
    served.post_form(ann, "/students/s01/decisions",
                     {{"lab", "vecadd"}, {"kind", "points"}, {"points", points}, {"text", "why"}});
  }
  void tick() { lti().sync.tick(); }
  [[nodiscard]] const std::vector<json>& sent() const {
    static const std::vector<json> kNone;
    const auto it = platform.scores.find("/items/0");
    return it == platform.scores.end() ? kNone : it->second;
  }
  [[nodiscard]] LtiScore score() {
    const std::vector<LtiScore> all = lti().store.scores();
    REQUIRE(all.size() == 1);
    return all.front();
  }
  std::string ann;
};

TEST_CASE("points are passed back after their release, once, and again when they change",
          "[serve][unit]") {
  Passback course;
  course.tick();
  CHECK(course.platform.asked("/scores") == 0);
  CHECK(course.platform.asked("/lineitems") == 0);
  course.release();
  course.tick();
  REQUIRE(course.sent().size() == 1);
  const json first = course.sent().front();
  CHECK(first.at("userId") == "17");
  CHECK(first.at("activityProgress") == "Completed");
  CHECK(first.at("gradingProgress") == "FullyGraded");
  CHECK(first.at("timestamp") == replace_all(instant_text(course.platform.now), "Z", ".000Z"));
  const auto record = course.served.classroom().files.record();
  for (const GradeRow& row : course.served.classroom().files.book().rows) {
    if (row.student != "s01") continue;
    CHECK(first.at("scoreGiven").get<double>() == Catch::Approx(record->standing(row).adjusted));
    CHECK(first.at("scoreMaximum").get<double>() == Catch::Approx(record->standing(row).max));
  }
  REQUIRE(course.platform.line_items.size() == 1);
  CHECK(course.platform.line_items[0].at("resourceId") == "vecadd");
  for (int i = 0; i < 3; ++i) course.tick();
  course.restart();
  course.tick();
  CHECK(course.sent().size() == 1);
  CHECK(course.score().state == LtiScoreState::sent);
  // A person's decision.
  course.set_points("3");
  course.tick();
  REQUIRE(course.sent().size() == 2);
  CHECK(course.sent().back().at("scoreGiven") == 3);
  CHECK(course.sent().back().at("timestamp") > first.at("timestamp"));
  CHECK(course.platform.line_items.size() == 1);
}

TEST_CASE("points of one student go to that student's account alone", "[serve][unit]") {
  Passback course;
  course.release();
  course.tick();
  course.set_points("3");
  course.tick();
  // Jim has no account there, and Eve, who is in the platform's course, is not in the class.
  course.launch("66", "eve@example.org");
  course.tick();
  for (const json& score : course.sent()) CHECK(score.at("userId") == "17");
  for (const LtiScore& score : course.lti().store.scores()) CHECK(score.person == "s01");
  // An account that is linked to nobody any more gets nothing.
  course.served.post_form(course.ann, "/class/lti/forget", {{"person", "s01"}});
  course.platform.members.clear();
  course.set_points("4");
  const std::size_t before = course.sent().size();
  course.tick();
  CHECK(course.sent().size() == before);
}

TEST_CASE("points that do not count any more are taken back at the platform", "[serve][unit]") {
  Passback course;
  course.release();
  course.tick();
  course.served.post_form(course.ann, "/students/s01/decisions",
                          {{"lab", "vecadd"}, {"kind", "excuse"}, {"text", "was ill"}});
  course.tick();
  REQUIRE(course.sent().size() == 2);
  CHECK_FALSE(course.sent().back().contains("scoreGiven"));
  CHECK(course.sent().back().at("gradingProgress") == "PendingManual");
  course.tick();
  CHECK(course.sent().size() == 2);
}

TEST_CASE(
    "a platform that does not answer is asked again, more and more seldom, and nothing is lost",
    "[serve][unit]") {
  Passback course;
  course.release();
  course.platform.score_answer = {.status = 503, .body = "{\"error\": \"maintenance\"}"};
  course.tick();
  CHECK(course.score().state == LtiScoreState::waiting);
  CHECK(course.score().answer.find("503") != std::string::npos);
  CHECK(course.served.get(course.ann, "/class/lti").has("waits, 1 attempt failed"));
  const auto asked = [&] { return course.platform.asked("/scores"); };
  CHECK(asked() == 1);
  course.tick();
  CHECK(asked() == 1);
  course.platform.now += std::chrono::seconds(30);
  course.restart();
  course.tick();
  CHECK(asked() == 2);
  course.platform.now += std::chrono::seconds(30);
  course.tick();
  CHECK(asked() == 2);
  course.platform.now += std::chrono::seconds(30);
  course.tick();
  CHECK(asked() == 3);
  for (int i = 0; i < 10; ++i) {
    course.platform.now += std::chrono::hours(1);
    course.tick();
  }
  CHECK(asked() == 13);
  course.platform.score_answer = {.status = 204};
  course.platform.now += std::chrono::hours(1);
  course.tick();
  CHECK(course.sent().size() == 1);
  CHECK(course.score().state == LtiScoreState::sent);
}

TEST_CASE("a score that the platform refuses is shown with its answer, and sent again on request",
          "[serve][unit]") {
  Passback course;
  course.release();
  course.platform.score_answer = {.status = 403, .body = "<b>the column is closed</b>"};
  course.tick();
  CHECK(course.score().state == LtiScoreState::refused);
  course.platform.now += std::chrono::hours(5);
  course.tick();
  CHECK(course.platform.asked("/scores") == 1);
  const TestClass::Reply page = course.served.get(course.ann, "/class/lti");
  CHECK(page.has("0 sent, 0 waiting, 1 refused"));
  CHECK(page.has("the column is closed"));
  CHECK_FALSE(page.has("<b>the column"));
  course.platform.score_answer = {.status = 200};
  course.served.post_form(course.ann, "/class/lti/send", {});
  course.tick();
  CHECK(course.score().state == LtiScoreState::sent);
}

TEST_CASE("a column that is gone is made again, and one that is there is found", "[serve][unit]") {
  Passback course;
  course.platform.line_items = {
      {{"id", "https://moodle.example.org/items/9?type=9"}, {"resourceId", "histogram"}},
      {{"id", "https://moodle.example.org/items/7?type=9"}, {"resourceId", "vecadd"}}};
  course.release();
  course.tick();
  CHECK(course.platform.line_items.size() == 2);
  CHECK(course.platform.scores.contains("/items/7"));
  course.set_points("3");
  course.platform.line_items.clear();
  course.platform.score_answer = {.status = 404};
  course.tick();
  course.platform.score_answer = {.status = 204};
  course.tick();
  CHECK(course.platform.line_items.size() == 1);
  CHECK(course.sent().size() == 1);
}

TEST_CASE("a link's own column gets the points of its lab", "[serve][unit]") {
  Passback course;
  course.platform.claims["https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"]["lineitem"] =
      "https://moodle.example.org/items/3?type=9";
  course.launch("17", "jane@example.org");
  course.release();
  course.tick();
  CHECK(course.platform.scores.contains("/items/3"));
  CHECK(course.platform.line_items.empty());
}

TEST_CASE("points that change while they are sent are sent again", "[serve][unit]") {
  Passback course;
  course.release();
  course.platform.while_scoring = [&] {
    course.platform.while_scoring = nullptr;
    const LtiScore score = course.score();
    course.lti().store.want_score(score.context, score.lab, score.person, 1, score.max_points);
  };
  course.tick();
  CHECK(course.score().state == LtiScoreState::waiting);
  course.tick();
  CHECK(course.score().state == LtiScoreState::sent);
  CHECK(course.sent().size() == 2);
}

TEST_CASE("a token of a platform is used until it expires or is forgotten there", "[serve][unit]") {
  Passback course;
  course.release();
  course.platform.token_answer = {.status = 400, .body = R"({"error": "invalid_client"})"};
  course.tick();
  CHECK(course.score().state == LtiScoreState::waiting);
  CHECK(course.score().answer.find("gives no access (token_url): 400: invalid_client") !=
        std::string::npos);
  course.platform.token_answer = {};
  course.platform.now += std::chrono::minutes(1);
  course.tick();
  CHECK(course.score().state == LtiScoreState::sent);
  const std::size_t tokens = course.platform.asked("/token");
  course.set_points("3");
  course.tick();
  CHECK(course.platform.asked("/token") == tokens);
  // The assertion is this server's, for this platform.
  for (const FetchRequest& request : course.platform.requests) {
    if (!request.url.ends_with("/token")) continue;
    CHECK(request.form.find("grant_type=client_credentials") != std::string::npos);
    CHECK(request.form.find("client_assertion=") != std::string::npos);
  }
}

TEST_CASE("members are read page by page, and those who are not in the class are listed",
          "[serve][unit]") {
  Passback course;
  course.platform.members = {Passback::member("17", "jane@example.org", "Learner"),
                             Passback::member("66", "eve@example.org", "Learner"),
                             Passback::member("18", "a.poe@example.org", "Instructor"),
                             Passback::member("67", "zoe@example.org", "Learner")};
  course.platform.members[3]["status"] = "Inactive";
  course.served.post_form(course.ann, "/class/lti/members", {{"context", "1"}});
  course.tick();
  const TestClass::Reply page = course.served.get(course.ann, "/class/lti");
  CHECK(page.has("The list of members was read at " + shown_time(course.platform.now)));
  CHECK(page.has("eve@example.org"));
  CHECK_FALSE(page.has("zoe@example.org"));
  CHECK(page.has("not passed back: s02 and s03"));
  const std::size_t asked = course.platform.asked("/members");
  course.tick();
  CHECK(course.platform.asked("/members") == asked);
  course.platform.now += std::chrono::hours(1);
  course.tick();
  CHECK(course.platform.asked("/members") == asked + 2);
  // A page elsewhere would get the token.
  course.platform.next_elsewhere = "https://evil.example/members";
  course.platform.now += std::chrono::hours(1);
  course.tick();
  CHECK(course.platform.asked("evil.example") == 0);
  CHECK(course.served.get(course.ann, "/class/lti").has("could not be read"));
  CHECK(course.lti().store.members().size() == 3);  // as before
}

TEST_CASE("who has never launched gets grades passed back by the list of members",
          "[serve][unit]") {
  Passback course;
  write_file_atomically(course.served.folder() / "roster.csv",
                        "student,email\ns01,jane@example.org\ns02,jim@example.org\n");
  course.platform.members.push_back(Passback::member("19", "jim@example.org", "Learner"));
  course.release();
  course.tick();
  CHECK(course.sent().size() == 2);
}

TEST_CASE("the next page of a list is the link with this relation", "[serve][unit]") {
  CHECK(next_link("<https://a.example/?p=2>; rel=\"next\"") == "https://a.example/?p=2");
  CHECK(next_link("<https://a.example/1>; rel=\"first\", <https://a.example/2>; rel=next") ==
        "https://a.example/2");
  CHECK(next_link("<https://a.example/1>; rel=\"differences\"").empty());
  CHECK(next_link("").empty());
  CHECK(next_link("<https://a.example").empty());
}

}  // namespace
}  // namespace warpgrade
