#include "grader/serve/http/url.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {

TEST_CASE("a target is its decoded parts and its query", "[serve][unit]") {
  const auto target = parse_target("/labs//vec%61dd/?a=1&b=%26%3d&c");
  REQUIRE(target);
  CHECK(target->path == std::vector<std::string>{"labs", "vecadd"});
  CHECK(target->query == std::map<std::string, std::string>{{"a", "1"}, {"b", "&="}, {"c", ""}});
  CHECK(parse_target("/")->path.empty());
  CHECK(parse_target("/%41")->path == std::vector<std::string>{"A"});
}

TEST_CASE("a target with a part that could leave a folder is none", "[serve][unit]") {
  for (const char* target :
       {"/..", "/labs/../x", "/labs/%2e%2e/x", "/labs/%2E%2e", "/./x", "/a%2fb", "/a%5Cb", "/a\\b",
        "/a%00b", "/a%0ab", "/%", "/%4", "/%zz", "labs", "http://127.0.0.1/", "*", ""}) {
    CAPTURE(target);
    CHECK_FALSE(parse_target(target));
  }
  CHECK(parse_target("/..."));  // a name like any other
}

TEST_CASE("a cookie is found by its whole name, and two of it are none", "[serve][unit]") {
  CHECK(cookie_value("a=1; token=x; b=2", "token") == "x");
  CHECK(cookie_value("mytoken=y", "token").empty());
  CHECK(cookie_value("token=x; token=y", "token").empty());
  CHECK(cookie_value("", "token").empty());
}

}  // namespace warpgrade
