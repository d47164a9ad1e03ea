#include <fmt/core.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "grader/serve/http/server.h"
#include "grader/serve/identity/library/fetch.h"

namespace warpgrade {

TEST_CASE("answers of a provider have limits, and redirections are not followed", "[serve][unit]") {
  std::atomic<bool> stop = false;
  HttpRequest last;
  HttpServer server(0, {}, [&](const HttpRequest& request) -> HttpReply {
    last = request;
    if (request.target == "/away")
      return HttpResponse{.status = 302, .headers = {{"Location", "/"}}};
    if (request.target == "/long") return HttpResponse{.body = std::string(1'100'000, 'x')};
    if (request.target == "/list") {
      return HttpResponse{
          .headers = {{"Link", "<a>; rel=\"first\""}, {"Link", "<b>; rel=\"next\""}}};
    }
    return HttpResponse{.body = "here"};
  });
  std::thread running([&] { server.run(1, [&] { return stop.load(); }); });
  const std::string url = fmt::format("http://127.0.0.1:{}", server.port());

  FetchResult result = fetch_by_curl({.url = url + "/"});
  CHECK(result.status == 200);
  CHECK(result.body == "here");
  CHECK(last.method == "GET");
  result = fetch_by_curl({.url = url + "/", .form = "a=1", .user = "labs", .password = "secret"});
  CHECK(last.method == "POST");
  CHECK(last.body == "a=1");
  CHECK(last.header("content-type") == "application/x-www-form-urlencoded");
  CHECK(last.header("authorization") == "Basic bGFiczpzZWNyZXQ=");
  result = fetch_by_curl({.url = url + "/", .bearer = "token"});
  CHECK(last.header("authorization") == "Bearer token");
  CHECK(last.header("accept") == "application/json");
  CHECK(result.link.empty());
  result =
      fetch_by_curl({.url = url + "/", .content = "{}", .content_type = "text/x", .accept = "b/c"});
  CHECK(last.method == "POST");
  CHECK(last.body == "{}");
  CHECK(last.header("content-type") == "text/x");
  CHECK(last.header("accept") == "b/c");
  CHECK(fetch_by_curl({.url = url + "/list"}).link == "<a>; rel=\"first\", <b>; rel=\"next\"");

  result = fetch_by_curl({.url = url + "/away"});
  CHECK(result.status == 302);
  CHECK(last.target == "/away");
  result = fetch_by_curl({.url = url + "/long"});
  CHECK(result.status == 0);
  CHECK(result.problem == "the answer has more than 1 MiB");
  stop = true;
  running.join();

  for (const char* other : {"file:///etc/hostname", "ftp://127.0.0.1/", "http://127.0.0.1:1/",
                            "https://127.0.0.1:1/"}) {
    CAPTURE(other);
    result = fetch_by_curl({.url = other});
    CHECK(result.status == 0);
    CHECK_FALSE(result.problem.empty());
  }
}

}  // namespace warpgrade
