#include "grader/core/line_diff.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

TEST_CASE("a diff has the changed line between three equal ones", "[core][line_diff]") {
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "a", "b") ==
        "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("changes that share lines around them are in one part of a diff, others are not",
          "[core][line_diff]") {
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\n", "a", "b") ==
        "--- a\n+++ b\n@@ -1,8 +1,7 @@\n-1\n+x\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n");
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "2\n3\n4\n5\n6\n7\n8\n9\n10\n", "a", "b") ==
        "--- a\n+++ b\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -7,3 +6,4 @@\n 7\n 8\n 9\n+10\n");
}

TEST_CASE("a diff counts lines from 1, and none as the line before them", "[core][line_diff]") {
  CHECK(unified_diff("", "1\n", "a", "b") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+1\n");
  CHECK(unified_diff("1\n", "", "a", "b") == "--- a\n+++ b\n@@ -1 +0,0 @@\n-1\n");
}

TEST_CASE("equal texts have no diff", "[core][line_diff]") {
  CHECK(unified_diff("1\n2\n", "1\n2\n", "a", "b").empty());
}

}  // namespace
}  // namespace warpgrade
