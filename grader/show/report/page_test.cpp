#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/show/report/feedback_page.h"
#include "grader/show/report/source_view.h"
#include "grader/show/report/wording.h"
#include "grader/testing/evidence.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::check_no_requests;
using testing::contains;
using testing::shown;
using testing::test_lab;
using testing::wrong_grade;

TEST_CASE("a student's page marks the finding's line and embeds the pitfall's page",
          "[report][html]") {
  const Lab lab = test_lab();
  const ScratchFolder scratch;
  const Installation installation{.root = scratch.path()};
  // Not installation.pitfalls(): without pages beside the labs it names the project's own.
  const std::filesystem::path pages = scratch.path() / "docs" / "pitfalls";
  std::filesystem::create_directories(pages);
  write_file_atomically(pages / "P2.md", "# P2: Rounded down\n\nText of the page.\n");
  const std::string page = feedback_page(shown(wrong_grade(lab)), {}, installation);
  CHECK(contains(page,
                 "<div class=\"row marked\"><span class=\"h\"></span><span "
                 "class=\"no\">7</span><code>the bad line</code>"));
  CHECK(contains(page,
                 "<div class=\"row\"><span class=\"h\"></span><span "
                 "class=\"no\">6</span><code>6</code>"));
  CHECK(contains(page, "P2: Rounded down"));
  CHECK(contains(page, "Text of the page."));
}

TEST_CASE("every text from a submission is escaped", "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const std::string attack = "</pre></style><script>alert('x')</script>{{summary}}<!--scripts-->";
  grade.student = attack;
  grade.sources = {{.name = attack, .text = attack}};
  grade.output = attack;
  grade.build_log = attack;
  grade.findings[0].message = attack;
  grade.summary = attack;
  const std::string page = feedback_page(shown(grade), {}, {});
  CHECK_FALSE(contains(page, "<script>alert"));
  CHECK_FALSE(contains(page, "</pre></style>"));
  CHECK_FALSE(contains(page, "<!--scripts-->"));
  CHECK(contains(page, "{{summary}}"));
}

TEST_CASE("a student's page makes no requests", "[report][html]") {
  const Lab lab = test_lab();
  check_no_requests(feedback_page(shown(wrong_grade(lab)), {}, {}));
}

TEST_CASE("a page has pictures where a case was recorded, and without costs nothing",
          "[report][html]") {
  const Lab lab = test_lab();
  const StudentView seen = shown(wrong_grade(lab));
  const std::string plain = feedback_page(seen, {}, {});
  CHECK_FALSE(contains(plain, "Warp.show"));
  CHECK_FALSE(contains(plain, "id=\"watched\""));
  const std::string page = feedback_page(seen, {}, {}, {}, {.name = "small", .bytes = "bytes"});
  check_no_requests(page);
  CHECK(contains(page, "Warp.show"));
  CHECK(contains(page, "\"recording\":\"Ynl0ZXM=\""));
  CHECK(contains(page, "data-kind=\"" + seen.grade.findings[0].kind + "\""));
  CHECK(page.size() - plain.size() < 150'000);
}

TEST_CASE("a concept check that cost points names the counters that its picture is chosen by",
          "[report][html]") {
  const Lab lab = test_lab();
  Grade grade = wrong_grade(lab);
  const auto make = [&](double points) {
    for (Item& item : grade.items) {
      if (item.category != Category::concept_check) continue;
      item.status = points < item.max_points ? ItemStatus::failed : ItemStatus::passed;
      item.points = points;
      item.numbers = ConceptNumbers{};
      item.numbers->check.measured = Expression("global_load_sectors / 8");
    }
    return feedback_page(shown(grade), {}, {}, {}, {.name = "small", .bytes = "bytes"});
  };
  const std::string mark = " data-counters=\"global_load_sectors / 8\"";
  const std::string failed = make(0);
  CHECK(contains(failed, mark));
  CHECK(contains(failed, "\"recorded_case\":\"case \\\"small\\\"\""));
  CHECK_FALSE(contains(make(1000), mark));
}

TEST_CASE("an alias is stable, and depends on the secret", "[report][alias]") {
  CHECK(alias_of("s01", "a") == alias_of("s01", "a"));
  CHECK(alias_of("s01", "a") != alias_of("s01", "b"));
  CHECK(alias_of("s01", "a") != alias_of("s02", "a"));
}

TEST_CASE("a page has a history of attempts where there are several", "[report][history]") {
  const Lab lab = test_lab();
  const StudentView seen = shown(wrong_grade(lab));
  Attempt first = attempt_of(seen);
  CHECK(first.score == 5);
  CHECK(first.cases == 2);
  CHECK(first.cases_right == 0);
  CHECK(first.note == "Look at the grid.");
  CHECK_FALSE(contains(feedback_page(seen, {first}, {}), "Your attempts"));
  Attempt second = first;
  second.number = 2;
  second.score = 47.5;
  second.penalty = 4;
  second.counts = true;
  const std::string page = feedback_page(seen, {first, second}, {});
  CHECK(contains(page, "Your attempts"));
  CHECK(contains(page, "<td class=\"number\">+42.5</td>"));
  CHECK(contains(page, "-4 late"));
  CHECK(contains(page, "<tr class=\"own\" aria-current=\"true\"><th scope=\"row\">2 "));
}

}  // namespace
}  // namespace warpgrade
