#include "grader/serve/jobs/check_program.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {

TEST_CASE("an error has all its lines, without progress and notes", "[serve][unit]") {
  FollowedEnd end{.code = 3, .stopped = false, .out = {}, .err = {}};
  end.err =
      "note: not isolated\nprogress: compiling\nwarpgrade: nvcc failed: no space\n"
      "  in /tmp\nprogress: case 1 of 2\ninstall more\n";
  CHECK(why_failed(end) == "nvcc failed: no space\n  in /tmp\ninstall more");
  end.err = "a warning\nthe last line\nprogress: compiling\n";
  CHECK(why_failed(end) == "the last line");
  end.out = "{\"headline\": \"The golden function crashed.\"}";
  CHECK(why_failed(end) == "The golden function crashed.");
  end = {.code = 137, .stopped = false, .out = "no JSON", .err = {}};
  CHECK(why_failed(end) == "The grader ended with code 137 and no message.");
}

TEST_CASE("the step of a failed attempt is kept beside why it failed", "[serve][unit]") {
  const FailedAttempt failed = failed_from(with_step("two\nlines", "case 3 of 12"));
  CHECK(failed.why == "two\nlines");
  CHECK(failed.step == "case 3 of 12");
  CHECK(failed_from(with_step("none", "")).why == "none");
  CHECK(failed_from("none").step.empty());
}

}  // namespace warpgrade
