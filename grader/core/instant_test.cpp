#include "grader/core/instant.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

namespace warpgrade {
namespace {

std::string utc(std::string_view text) {
  std::string problem;
  const auto instant = parse_instant(text, problem);
  return instant ? instant_text(*instant) : problem;
}

TEST_CASE("a date and time with a zone is read as UTC", "[core][instant]") {
  CHECK(utc("2026-11-20T23:59:00+01:00") == "2026-11-20T22:59:00Z");
  CHECK(utc("2026-11-20T23:59:00-0800") == "2026-11-21T07:59:00Z");
  CHECK(utc("2026-11-20 23:59Z") == "2026-11-20T23:59:00Z");
  CHECK(utc("2018-07-01T14:22:32.365935-07:00") == "2018-07-01T21:22:32Z");
  CHECK(utc("2028-02-29T00:00:00Z") == "2028-02-29T00:00:00Z");
}

TEST_CASE("an invalid time is rejected with an example", "[core][instant]") {
  const auto [text, what] = GENERATE(table<const char*, const char*>(
      {{"2026-11-20", "'2026-11-20' has no time of day and time zone"},
       {"2026-11-20T23:59:00", "'2026-11-20T23:59:00' has no time zone"},
       {"2026-11-20T23:59:00 CET", "'2026-11-20T23:59:00 CET' does not end in a time zone"},
       {"2026-11-20T23:59:00Z!", "'2026-11-20T23:59:00Z!' does not end in a time zone"},
       {"2027-02-29T00:00:00Z", "'2027-02-29T00:00:00Z' is not in the calendar"},
       {"2026-11-20T24:00:00Z", "'2026-11-20T24:00:00Z' is not in the calendar"},
       {"tomorrow", "'tomorrow' is not a date and time"},
       {"", "'' is not a date and time"}}));
  CHECK(utc(text) == std::string(what) + "; write it as 2026-11-20T23:59:00+01:00");
}

}  // namespace
}  // namespace warpgrade
