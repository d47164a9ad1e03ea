#include "grader/serve/http/guard.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using Verdict = Guard::Verdict;
const Guard guard(8475, "5ec4e7");

HttpRequest get(std::map<std::string, std::string> headers) {
  headers.emplace("host", "127.0.0.1:8475");
  headers.emplace("cookie", "warpgrade-8475=5ec4e7");
  return {.method = "GET", .target = "/", .headers = std::move(headers), .body = {}};
}

HttpRequest post(std::map<std::string, std::string> headers) {
  HttpRequest request = get(std::move(headers));
  request.method = "POST";
  return request;
}

}  // namespace

TEST_CASE("a request with the cookie and this server's name is allowed", "[serve][unit]") {
  CHECK(guard.judge(get({}), "") == Verdict::allowed);
  CHECK(guard.judge(get({{"host", "localhost:8475"}}), "") == Verdict::allowed);
  CHECK(guard.judge(post({{"origin", "http://127.0.0.1:8475"}}), "") == Verdict::allowed);
}

TEST_CASE("a request without the token, or with another, is refused", "[serve][unit]") {
  CHECK(guard.judge(get({{"cookie", ""}}), "") == Verdict::no_token);
  CHECK(guard.judge(get({{"cookie", "warpgrade-8475=5ec4e8"}}), "") == Verdict::no_token);
  CHECK(guard.judge(get({{"cookie", "warpgrade-8475=5ec4e"}}), "") == Verdict::no_token);
  CHECK(guard.judge(get({{"cookie", "warpgrade-8476=5ec4e7"}}), "") == Verdict::no_token);
  CHECK(guard.judge(get({{"cookie", ""}}), "5ec4e8") == Verdict::no_token);
  CHECK(guard.judge(get({{"cookie", ""}}), "5ec4e7") == Verdict::sign_in);
}

TEST_CASE("another name for this address is refused, also with the token", "[serve][unit]") {
  for (const char* host :
       {"evil.example:8475", "127.0.0.1", "127.0.0.1:8476", "127.0.0.1.evil:8475", "[::1]:8475", "",
        "127.0.0.1:8475, evil.example"}) {
    CAPTURE(host);
    CHECK(guard.judge(get({{"host", host}}), "") == Verdict::wrong_host);
    CHECK(guard.judge(get({{"host", host}}), "5ec4e7") == Verdict::wrong_host);
  }
}

TEST_CASE("requests of other servers' pages are refused", "[serve][unit]") {
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1:8475",
                             "http://127.0.0.1:8476", "http://localhost:8475"}) {
    CAPTURE(origin);
    CHECK(guard.judge(get({{"origin", origin}}), "") == Verdict::wrong_origin);
    CHECK(guard.judge(post({{"origin", origin}}), "") == Verdict::wrong_origin);
  }
  CHECK(guard.judge(post({}), "") == Verdict::wrong_origin);
  CHECK(guard.judge(get({{"sec-fetch-site", "cross-site"}}), "") == Verdict::wrong_origin);
  CHECK(guard.judge(get({{"sec-fetch-site", "same-site"}}), "") == Verdict::wrong_origin);
  CHECK(guard.judge(get({{"sec-fetch-site", "same-origin"}}), "") == Verdict::allowed);
  CHECK(guard.judge(get({{"sec-fetch-site", "none"}}), "") == Verdict::allowed);
}

TEST_CASE("tokens are random and long", "[serve][unit]") {
  CHECK(random_token().size() == 64);
  CHECK(random_token() != random_token());
}

}  // namespace warpgrade
