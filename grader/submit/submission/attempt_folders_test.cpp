#include "grader/submit/submission/attempt_folders.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
namespace {

Instant at(std::string_view text) {
  std::string problem;
  return parse_instant(text, problem).value();
}

}  // namespace

TEST_CASE("attempts that were written are read with numbers, times and files",
          "[submission][layout]") {
  const ScratchFolder scratch;
  const Instant first = at("2026-11-20T22:00:00Z");
  const Instant second = at("2026-11-20T23:00:00Z");
  write_attempts(scratch.path(),
                 {{.student = "s01", .attempt = 1, .submitted = first, .files = {{"a.cu", "1"}}},
                  {.student = "s01", .attempt = 2, .submitted = second, .files = {{"a.cu", "2"}}},
                  {.student = "=O'Neil, Jane", .submitted = first, .files = {{"a.cu", "3"}}}});
  ListRequest request;
  request.folder = scratch.path();
  const Listing listing = list_submissions(request);
  CHECK(listing.layout == Layout::attempts);
  CHECK(listing.content.unclear.empty());
  REQUIRE(listing.content.students.size() == 2);
  CHECK(listing.content.students[0].student == "=O'Neil, Jane");
  const StudentEntry& last = listing.content.students[1];
  CHECK(last.attempt == 2);
  CHECK(last.platform_time == second);
  CHECK(last.came_as == "s01/2");
  CHECK(SourceTree::read(*last.tree.find("a.cu")) == "2");
  REQUIRE(last.earlier.size() == 1);
  CHECK(last.earlier[0].attempt == 1);
  CHECK(last.earlier[0].platform_time == first);
}

TEST_CASE("an invalid table of attempts is one line with its place", "[submission][layout]") {
  const ScratchFolder scratch;
  ListRequest request;
  request.folder = scratch.path();
  write_file_atomically(scratch.path() / "s01" / "1" / "a.cu", "1");
  const auto problem_is = [&](const std::string& lines, const std::string& part) {
    write_file_atomically(scratch.path() / kAttemptsTable, "student,attempt,submitted\n" + lines);
    CHECK_THROWS_MATCHES(
        list_attempts(request), UsageError,
        MessageMatches(ContainsSubstring("attempts.csv:2: ") && ContainsSubstring(part)));
  };
  problem_is("s01,0,2026-11-20T22:00:00Z\n", "it must be 1 or more");
  problem_is("s01,1,2026-11-20T22:00:00\n", "no time zone");
  problem_is("s01,2,2026-11-20T22:00:00Z\n", "there is no folder s01/2");
  problem_is("../s01,1,2026-11-20T22:00:00Z\n", "../s01");
}

}  // namespace warpgrade
