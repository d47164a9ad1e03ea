#include <fmt/core.h>

#include <catch2/catch_test_macros.hpp>

#include "grader/record/grade/grade_json.h"
#include "grader/testing/served_class.h"

// Regrades over their routes: a preview, and what applying it changes.

namespace warpgrade {
using testing::TestClass;
namespace {

constexpr const char* kPage = "/class/regrades/vecadd";

/// A class in which s01, s02 and s03 have submitted, each once.
struct GradedClass {
  GradedClass() {
    for (const char* student : {"s01", "s02", "s03"}) submit(student);
  }
  void submit(const std::string& student) {
    served.wait_for(served.submit(served.sign_in(student)));
  }
  /// Begins a regrade and waits for its end.
  void begin(std::map<std::string, std::string> fields = {}) {
    CHECK(served.post_form(bob, kPage, std::move(fields)).status == 303);
    for (const KeptAttempt& attempt : served.store().regrade_attempts(open())) {
      served.wait_for(attempt.id);
    }
  }
  [[nodiscard]] std::int64_t open() { return served.store().open_regrade("vecadd").value().id; }
  TestClass::Reply end(const std::string& session, const std::string& how, std::int64_t regrade,
                       const std::string& reason = "a case was wrong") {
    return served.post_form(session, fmt::format("{}/{}", kPage, how),
                            {{"regrade", std::to_string(regrade)}, {"text", reason}});
  }
  [[nodiscard]] std::string grade_of(const std::string& student) const {
    return read_file(served.folder() / "results" / student / "vecadd/grade.json");
  }
  [[nodiscard]] std::vector<Decision> entries() {
    return served.classroom().files.record()->course.decisions.all();
  }

  TestClass served{"[labs.vecadd]\n[labs.histogram]\n"};
  std::string ann = served.sign_in("ann");
  std::string bob = served.sign_in("bob");
};

}  // namespace

TEST_CASE("a preview says for whom what would change and why, and changes nothing",
          "[serve][unit]") {
  GradedClass c;
  const std::string before = c.grade_of("s01");
  const std::string seen = c.served.get(c.served.sign_in("s01"), "/grades").body;
  CHECK(c.served.get(c.bob, kPage).has("Only some of the 3 who have submitted"));
  c.served.change_lab(1);
  c.begin();
  const TestClass::Reply page = c.served.get(c.bob, kPage);
  CHECK(page.has("2 of 3 submissions are graded, 1 could not be"));
  CHECK(page.has("2 of 2 grades change: 0 up, 2 down"));
  CHECK(page.has("Doe, Jane"));
  CHECK(page.has("build: 5 of 5 to 1 of 5"));
  CHECK(page.has("<td>-4</td>"));
  CHECK(page.has("files or data"));
  CHECK(page.has("Poe, Ann: nvcc was not found"));
  CHECK(page.has("An instructor can apply it."));
  CHECK_FALSE(page.has("make these the grades"));
  CHECK(c.served.get(c.ann, kPage).has("make these the grades"));

  CHECK(c.grade_of("s01") == before);
  CHECK(c.entries().empty());
  const std::string now = c.served.get(c.served.sign_in("s01"), "/grades").body;
  CHECK(now.substr(0, now.find("token")) == seen.substr(0, seen.find("token")));
  // Nor does a student see its attempts.
  const std::int64_t attempt = c.served.store().regrade_attempts(c.open())[0].id;
  const std::string own = c.served.sign_in("s01");
  for (const char* part : {"", "/files", "/report", "/events"}) {
    CHECK(c.served.get(own, fmt::format("/attempts/{}{}", attempt, part)).status == 404);
  }
  CHECK(c.served.get(own, kPage).status == 403);
}

TEST_CASE("applied, a preview becomes the grades, with one entry and the points of persons kept",
          "[serve][unit]") {
  GradedClass c;
  c.served.post_form(c.bob, "/students/s02/decisions",
                     {{"kind", "points"}, {"lab", "vecadd"}, {"points", "77"}, {"text", "seen"}});
  const std::string of_s03 = c.grade_of("s03");
  c.served.change_lab(1);
  c.begin();
  const std::int64_t regrade = c.open();
  CHECK(c.served.get(c.ann, kPage).has("77 / 100"));
  CHECK(c.end(c.bob, "apply", regrade).status == 403);
  CHECK(c.end(c.ann, "apply", regrade, " ").status == 400);
  CHECK(c.end(c.ann, "apply", regrade + 1).status == 409);
  CHECK(c.entries().size() == 1);
  CHECK(c.end(c.ann, "apply", regrade).status == 303);
  CHECK(c.end(c.ann, "apply", regrade).status == 409);

  CHECK(read_grade(c.served.folder() / "results/s01/vecadd/grade.json").environment.at("lab") ==
        "after");
  CHECK(c.grade_of("s03") == of_s03);
  CHECK(c.served.get(c.ann, "/students/s02").has("77 of 100 count"));
  REQUIRE(c.entries().size() == 2);
  const Decision entry = c.entries()[1];
  CHECK(entry.kind == DecisionKind::regrade);
  CHECK(entry.by == "ann");
  CHECK(entry.reason == "a case was wrong");
  CHECK(entry.text.ends_with(": 2 of 2 grades change: 0 up, 1 down"));
  CHECK(c.served.get(c.bob, kPage).has(": 2 of 2 grades change: 0 up, 1 down. a case was wrong"));
  CHECK_FALSE(std::filesystem::exists(c.served.folder() / "regrades" / std::to_string(regrade)));
}

TEST_CASE("an applied regrade that was stopped goes on with the same entry", "[serve][unit]") {
  GradedClass c;
  c.served.change_lab(1);
  c.begin();
  const std::int64_t regrade = c.open();
  // A disk that refuses one of the grades.
  const auto blocked = c.served.folder() / "results/s02/vecadd";
  std::filesystem::remove_all(blocked);
  write_file_atomically(blocked, "a file, where a folder has to be");
  CHECK(c.end(c.ann, "apply", regrade).status == 507);
  CHECK(c.open() == regrade);
  std::filesystem::remove(blocked);
  CHECK(c.end(c.ann, "apply", regrade, "again").status == 303);
  REQUIRE(c.entries().size() == 1);
  CHECK(c.entries()[0].reason == "a case was wrong");
  CHECK(read_grade(blocked / "grade.json").environment.at("lab") == "after");
}

TEST_CASE("who submits during a regrade keeps the grade of that submission", "[serve][unit]") {
  GradedClass c;
  c.served.change_lab(1);
  c.begin();
  c.submit("s01");
  const std::string newer = c.grade_of("s01");
  const TestClass::Reply page = c.served.get(c.ann, kPage);
  CHECK(page.has("because they have submitted since it was begun: Doe, Jane."));
  CHECK(page.has("1 of 1 grades change"));
  CHECK(c.end(c.ann, "apply", c.open()).status == 303);
  CHECK(c.grade_of("s01") == newer);
  CHECK(read_grade(c.served.folder() / "results/s02/vecadd/grade.json").environment.at("lab") ==
        "after");
}

TEST_CASE("a regrade of some students, discarded, leaves everything as it was", "[serve][unit]") {
  GradedClass c;
  const std::string before = c.grade_of("s02");
  c.served.change_lab(2);
  CHECK(c.served.post_form(c.bob, kPage, {{"student s09", "yes"}}).status == 409);
  CHECK(c.served.post_form(c.bob, "/class/regrades/histogram", {}).status == 409);
  c.begin({{"student s02", "yes"}});
  CHECK(c.served.store().regrade_attempts(c.open()).size() == 1);
  CHECK(c.served.post_form(c.bob, kPage, {}).has("is open"));
  const std::int64_t regrade = c.open();
  CHECK(c.end(c.bob, "discard", regrade).status == 303);
  CHECK(c.end(c.bob, "discard", regrade).status == 409);
  CHECK(c.grade_of("s02") == before);
  CHECK(c.entries().empty());
  CHECK_FALSE(std::filesystem::exists(c.served.folder() / "regrades" / std::to_string(regrade)));
}

}  // namespace warpgrade
