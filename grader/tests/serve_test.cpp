#include <fmt/core.h>
#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "grader/core/files.h"
#include "grader/tests/program.h"
#include "grader/tests/served.h"

// `warpgrade serve` for one person, over HTTP.

namespace warpgrade {
using testing::contains;
using testing::HttpAnswer;
using testing::right_source;
using testing::Served;
using Json = nlohmann::json;
namespace {

const std::vector<std::string> kPages = {"/",
                                         "/labs/vecadd",
                                         "/labs/vecadd/handout",
                                         "/labs/vecadd/files",
                                         "/labs/vecadd/attempts",
                                         "/attempts/1",
                                         "/attempts/1/files",
                                         "/attempts/1/report",
                                         "/attempts/1/events",
                                         "/compare?from=1&to=1",
                                         "/assets/lab.js",
                                         "/assets/editor.js",
                                         "/assets/style.css",
                                         "/assets/serve.css",
                                         "/no-such-page"};
const std::vector<std::pair<std::string, std::string>> kChanges = {
    {"PUT", "/labs/vecadd/draft"},
    {"POST", "/labs/vecadd/checks"},
    {"POST", "/labs/vecadd/submissions"},
    {"POST", "/attempts/1/cancel"}};
const Json kStub = {{"files", {{"vecadd.cu", "// nothing yet\n"}}}};

std::string request(const std::string& method, const std::string& target,
                    const std::string& headers, const std::string& body = "") {
  return fmt::format("{} {} HTTP/1.1\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n{}",
                     method, target, headers, body.size(), body);
}

/// Compiles, and counts until it is stopped by the emulator's limit: long enough to be canceled.
constexpr const char* kEndless =
    "#include \"vecadd.h\"\n#include <cuda_runtime.h>\n"
    "__global__ void spin(volatile float* c) { for (;;) c[0] = c[0] + 1; }\n"
    "void vecadd(const float*, const float*, float* c, int n) {\n"
    "  float* d; cudaMalloc(&d, 4); spin<<<1, 32>>>(d); cudaDeviceSynchronize(); cudaFree(d);\n"
    "  for (int i = 0; i < n; ++i) c[i] = 0;\n}\n";

}  // namespace

TEST_CASE("without the token every page and every change is refused", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const std::string host = fmt::format("Host: 127.0.0.1:{}\r\n", served.port());
  const std::string origin = fmt::format("Origin: http://127.0.0.1:{}\r\n", served.port());
  for (const std::string& page : kPages) {
    CAPTURE(page);
    CHECK(served.raw(request("GET", page, host)).status == 403);
  }
  for (const auto& [method, target] : kChanges) {
    CAPTURE(target);
    CHECK(served.raw(request(method, target, host + origin, kStub.dump())).status == 403);
  }
  CHECK(served.raw(request("GET", "/?token=" + std::string(64, '0'), host)).status == 403);
  CHECK(served.get("/labs/vecadd/attempts").json()["attempts"].empty());
}

TEST_CASE("the printed URL signs the browser in with a cookie that scripts cannot read",
          "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const HttpAnswer answer = served.raw(request(
      "GET", "/?token=" + served.token(), fmt::format("Host: 127.0.0.1:{}\r\n", served.port())));
  CHECK(answer.status == 200);
  CHECK(answer.headers.at("set-cookie") ==
        fmt::format("warpgrade-{}={}; Path=/; HttpOnly; SameSite=Strict", served.port(),
                    served.token()));
  CHECK_FALSE(contains(answer.body, served.token()));
  const HttpAnswer labs = served.get("/");
  CHECK(labs.status == 200);
  CHECK(contains(labs.body, "/labs/vecadd"));
  CHECK(contains(labs.body, "Week 1"));
}

TEST_CASE("another name for the address and other servers' pages are refused", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const std::string cookie =
      fmt::format("Cookie: warpgrade-{}={}\r\n", served.port(), served.token());
  for (const std::string& page : kPages) {
    CAPTURE(page);
    CHECK(served.raw(request("GET", page, "Host: evil.example\r\n" + cookie)).status == 421);
    CHECK(served.raw(request("GET", page, served.signed_in() + "Origin: http://evil.example\r\n"))
              .status == 403);
  }
  const std::string json = "Content-Type: application/json\r\n";
  for (const auto& [method, target] : kChanges) {
    CAPTURE(target);
    for (const char* origin : {"", "Origin: http://evil.example\r\n", "Origin: null\r\n"}) {
      CAPTURE(origin);
      CHECK(served.raw(request(method, target, served.signed_in() + origin + json, kStub.dump()))
                .status == 403);
    }
  }
  CHECK(served.get("/labs/vecadd/attempts").json()["attempts"].empty());
}

TEST_CASE("pages forbid inline scripts and foreign frames, and reports have no origin", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  for (const char* target : {"/", "/labs/vecadd", "/no-such-page"}) {
    CAPTURE(target);
    const HttpAnswer page = served.get(target);
    const std::string& policy = page.headers.at("content-security-policy");
    CHECK(policy.starts_with("default-src 'none'; script-src 'self';"));
    CHECK_FALSE(contains(policy, "unsafe"));
    CHECK(contains(policy, "frame-ancestors 'none'"));
    CHECK_FALSE(contains(page.body, "<script>"));
    CHECK_FALSE(contains(page.body, " style="));
    CHECK(page.headers.at("x-content-type-options") == "nosniff");
    CHECK(page.headers.at("referrer-policy") == "no-referrer");
    CHECK(page.headers.at("cache-control") == "no-store");
  }
  const HttpAnswer handout = served.get("/labs/vecadd/handout");
  CHECK(handout.headers.at("content-security-policy") ==
        "sandbox allow-scripts; frame-ancestors 'self'");
  CHECK(contains(handout.body, "Vector addition"));
}

TEST_CASE("the scripts of the pages have less than 500 kB together", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  std::size_t bytes = 0;
  for (const char* script : {"/assets/lab.js", "/assets/live.js", "/assets/editor.js"}) {
    const HttpAnswer answer = served.get(script);
    CHECK(answer.status == 200);
    CHECK(answer.headers.at("content-type") == "text/javascript; charset=utf-8");
    bytes += answer.body.size();
  }
  CHECK(bytes > 10'000);
  CHECK(bytes < 500'000);
}

TEST_CASE("no address leads to a file of the machine", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  for (const char* target :
       {"/assets/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2fserve.db", "/labs/..", "/labs/%2e%2e/handout",
        "/labs/vecadd/../../../etc/passwd", "/labs/vecadd%00/handout", "//etc/passwd",
        "/assets/lab.html", "/labs/vecadd/handout/x", "/attempts/-1", "/attempts/1e3",
        "/attempts/99999999999999999999", "/assets/\\etc\\passwd"}) {
    CAPTURE(target);
    const HttpAnswer answer = served.get(target);
    CHECK((answer.status == 400 || answer.status == 404));
    CHECK_FALSE(contains(answer.body, "root:"));
  }
  for (const char* name :
       {"../evil.cu", "/etc/passwd", "vecadd.h", "lab.toml", "", "vecadd.cu/x"}) {
    CAPTURE(name);
    const HttpAnswer answer =
        served.send("POST", "/labs/vecadd/checks", {{"files", {{name, "x"}}}});
    CHECK(answer.status == 400);
    CHECK(contains(answer.json()["error"].get<std::string>(), "has no file"));
  }
}

TEST_CASE("requests that are too large or are none get one sentence", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const std::string header = served.signed_in();
  CHECK(served.raw(request("GET", "/", header + "X-Long: " + std::string(20000, 'x') + "\r\n"))
            .status == 431);
  const HttpAnswer large = served.raw("POST /labs/vecadd/checks HTTP/1.1\r\n" + header +
                                      "Content-Length: 9000000\r\n\r\n");
  CHECK(large.status == 413);
  CHECK(large.body == "The request has more than 2048 KiB.\n");
  CHECK(served.raw("what is this\r\n\r\n").status == 400);
  CHECK(served
            .raw("POST / HTTP/1.1\r\n" + header +
                 "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            .status == 400);
  CHECK(served
            .raw(request("DELETE", "/",
                         header + fmt::format("Origin: http://127.0.0.1:{}\r\n", served.port())))
            .status == 405);
  for (const Json& body : {Json("x"), Json::object(), Json{{"files", 3}},
                           Json{{"files", {{"vecadd.cu", 7}}}}, Json{{"files", Json::object()}},
                           Json{{"files", {{"vecadd.cu", std::string(600'000, 'x')}}}}}) {
    const HttpAnswer answer = served.send("POST", "/labs/vecadd/checks", body);
    CHECK(answer.status == 400);
    CHECK_FALSE(answer.json()["error"].get<std::string>().empty());
  }
  const std::string own = fmt::format("Origin: http://127.0.0.1:{}\r\n", served.port());
  CHECK(served
            .raw(request("POST", "/labs/vecadd/checks",
                         header + own + "Content-Type: text/plain\r\n", kStub.dump()))
            .status == 415);
  CHECK(served.get("/labs/vecadd/attempts").json()["attempts"].empty());
}

TEST_CASE("a lab is solved from its stub to full marks, and attempts are kept and compared",
          "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const Json files = served.get("/labs/vecadd/files").json()["files"];
  REQUIRE(files.size() == 2);
  CHECK(files[0]["name"] == "vecadd.cu");
  CHECK(files[1]["read_only"] == true);
  const auto stub = files[0]["text"].get<std::string>();

  const std::int64_t first = served.begin("checks", stub);
  std::set<std::string> steps;
  for (const auto& event : served.events(first)) {
    if (event.at("event") == "step") {
      steps.insert(Json::parse(event.at("data"))["text"].get<std::string>());
    }
  }
  CHECK(steps.contains("compiling"));
  CHECK(steps.contains("case 1 of 16"));
  const Json before = served.wait_for(first);
  CHECK(before["state"] == "done");
  CHECK(before["passed"] == false);

  const std::int64_t wrong =
      served.begin("checks", "#include \"vecadd.h\"\nvoid vecadd(int) { nonsense; }\n");
  const Json broken = served.wait_for(wrong);
  REQUIRE_FALSE(broken["problems"].empty());
  CHECK(broken["problems"][0]["file"] == "vecadd.cu");
  CHECK(broken["problems"][0]["line"] == 2);

  const std::int64_t second = served.begin("submissions", right_source());
  const Json after = served.wait_for(second);
  CHECK(after["state"] == "done");
  CHECK(after["passed"] == true);
  CHECK(after["kind"] == "submission");
  const HttpAnswer report = served.get(fmt::format("/attempts/{}/report", second));
  CHECK(report.status == 200);
  CHECK(contains(report.body, "Vector addition"));

  CHECK(served.get(fmt::format("/attempts/{}/files", first)).json()["files"]["vecadd.cu"] == stub);
  const HttpAnswer compared = served.get(fmt::format("/compare?from={}&to={}", first, second));
  CHECK(compared.status == 200);
  CHECK(contains(compared.body, "<ins>"));
  CHECK(contains(served.get("/").body, "submitted: 100"));
  CHECK(served.get("/labs/vecadd/files").json()["files"][0]["text"] == right_source());
}

TEST_CASE("a running check can be canceled, and a waiting one is replaced by a newer one",
          "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const std::int64_t running = served.begin("checks", kEndless);
  served.events(running, "", [](const auto& event) { return event.at("event") == "step"; });
  const std::int64_t waiting = served.begin("checks", "// one\n");
  const std::int64_t submission = served.begin("submissions", "// two\n");
  const std::int64_t newer = served.begin("checks", "// three\n");
  CHECK(served.get(fmt::format("/attempts/{}", waiting)).json()["state"] == "replaced");
  CHECK(served.get(fmt::format("/attempts/{}", submission)).json()["state"] == "waiting");
  CHECK(
      served.send("POST", fmt::format("/attempts/{}/cancel", submission), Json::object()).status ==
      409);
  CHECK(served.send("POST", fmt::format("/attempts/{}/cancel", running), Json::object()).status ==
        200);
  CHECK(served.wait_for(running)["state"] == "canceled");
  const Json checked = served.wait_for(newer);
  const Json submitted = served.wait_for(submission);
  CHECK(checked["state"] == "done");
  CHECK(submitted["state"] == "done");
  CHECK(checked["finished_ms"] <= submitted["finished_ms"]);
  CHECK(served.send("POST", fmt::format("/attempts/{}/cancel", newer), Json::object()).status ==
        409);
}

TEST_CASE("events that were missed are sent again after the last one that arrived", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const std::int64_t id = served.begin("checks", "// nothing\n");
  const auto first = served.events(id, "", [](const auto&) { return true; });
  REQUIRE_FALSE(first.empty());
  const auto rest = served.events(id, first.front().at("id"));
  REQUIRE_FALSE(rest.empty());
  CHECK(rest.front().at("id") != first.front().at("id"));
  CHECK(rest.back().at("event") == "end");
  CHECK(Json::parse(rest.back().at("data"))["state"] == "done");
  const auto later = served.events(id, "of-another-server-7");
  REQUIRE(later.size() == 1);
  CHECK(later[0].at("event") == "end");
}

TEST_CASE("nothing in a source or an output becomes part of a page", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const std::string evil = "</script><img src=x onerror=alert(1)><script>alert(2)</script>";
  const std::int64_t a = served.begin("checks", "// " + evil + "\n#error " + evil + "\n");
  const std::int64_t b = served.begin("submissions", "// other " + evil + "\n");
  const Json checked = served.wait_for(a);
  (void)served.wait_for(b);
  CHECK(contains(checked["problems"].dump(), "onerror"));
  for (const std::string& target :
       {fmt::format("/compare?from={}&to={}", a, b), fmt::format("/attempts/{}/report", a),
        std::string("/labs/vecadd"), std::string("/")}) {
    CAPTURE(target);
    const HttpAnswer page = served.get(target);
    CHECK(page.status == 200);
    CHECK_FALSE(contains(page.body, "<img src=x"));
    CHECK_FALSE(contains(page.body, "alert(2)</script>"));
  }
  const HttpAnswer data_of = served.get(fmt::format("/attempts/{}", a));
  CHECK(data_of.headers.at("content-type") == "application/json");
  const HttpAnswer named = served.send("POST", "/labs/vecadd/checks", {{"files", {{evil, ""}}}});
  CHECK(named.status == 400);
  CHECK(named.headers.at("content-type") == "application/json");
}

TEST_CASE("killed at any moment, the server loses no submission and grades none twice", "[serve]") {
  const ScratchFolder data;
  const unsigned seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  constexpr std::size_t kKills = 20;
  std::map<std::int64_t, std::string> receipts;  // by attempt
  for (std::size_t i = 0; i < kKills; ++i) {
    Served served(data.path());
    HttpAnswer answer;
    std::thread client([&] {
      const Json files = {{"files", {{"answers.toml", fmt::format("# {}\n", i)}}}};
      try {
        answer = served.send("POST", "/labs/predict/submissions", files);
      } catch (const std::exception&) {
        answer.status = 0;  // no connection any more
      }
    });
    // Around the receipt, or while something is graded.
    const unsigned most_us = i % 2 == 0 ? 20'000 : 400'000;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % most_us));
    served.end(SIGKILL);
    client.join();
    if (answer.status == 201) {
      receipts[answer.json()["id"].get<std::int64_t>()] = answer.json()["receipt"];
    }
  }
  const Served served(data.path());
  std::map<std::int64_t, Json> graded;
  const Json kept = served.get("/labs/predict/attempts").json();
  for (const Json& attempt : kept.at("attempts")) {
    const auto id = attempt["id"].get<std::int64_t>();
    graded[id] = served.wait_for(id);
    CAPTURE(id);
    CHECK(graded[id]["state"] == "done");
    CHECK(graded[id].contains("score"));
  }
  CHECK_FALSE(receipts.empty());
  CHECK(graded.size() <= kKills);  // each was sent once
  for (const auto& [id, receipt] : receipts) {
    CAPTURE(id, receipt);
    REQUIRE(graded.contains(id));
    const auto hash = graded[id]["files_hash"].get<std::string>();
    CHECK(receipt.starts_with(fmt::format("{}-{}", id, hash.substr(0, 12))));
  }
}

TEST_CASE("a second server does not use the same folder, and the first one goes on", "[serve]") {
  const ScratchFolder data;
  const Served served(data.path());
  const ProcessResult second =
      testing::warpgrade({"serve", "--port", "0", "--data", data.path().string()});
  CHECK(second.code == 2);
  CHECK(contains(second.err, "another `warpgrade serve` uses"));
  CHECK(served.get("/").status == 200);
}

TEST_CASE("a port in use is an error that says so", "[serve]") {
  const ScratchFolder data, other;
  const Served served(data.path());
  const ProcessResult second = testing::warpgrade(
      {"serve", "--port", std::to_string(served.port()), "--data", other.path().string()});
  CHECK(second.code == 2);
  CHECK(contains(second.err, fmt::format("cannot listen on 127.0.0.1:{}", served.port())));
}

TEST_CASE("SIGTERM ends the server and the check that it runs", "[serve]") {
  const ScratchFolder data;
  Served served(data.path());
  const std::int64_t id = served.begin("submissions", kEndless);
  served.events(id, "", [](const auto& event) { return event.at("event") == "step"; });
  const int status = served.end(SIGTERM);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  const Served again(data.path());
  const std::string state = again.get(fmt::format("/attempts/{}", id)).json()["state"];
  CHECK((state == "waiting" || state == "running"));
}

TEST_CASE("a full disk refuses new work with one message and keeps the old", "[serve]") {
  testing::need_sandbox();
  const ScratchFolder data;
  // 1 MiB for everything that the server keeps.
  const Served served(data.path(), {},
                      {"bwrap", "--dev-bind", "/", "/", "--size", "1048576", "--tmpfs",
                       data.path().string(), "--die-with-parent"});
  std::size_t accepted = 0;
  HttpAnswer answer;
  for (int i = 0; i < 12; ++i) {
    answer =
        served.send("PUT", "/labs/vecadd/draft",
                    {{"files", {{"vecadd.cu", std::string(300'000, static_cast<char>('a' + i))}}}});
    if (answer.status != 200) break;
    ++accepted;
  }
  CHECK(accepted > 0);
  CHECK(answer.status == 507);
  CHECK(contains(answer.json()["error"].get<std::string>(), "no space left"));
  const Json files = served.get("/labs/vecadd/files").json()["files"];
  CHECK(files[0]["text"] ==
        std::string(300'000, static_cast<char>('a' + static_cast<int>(accepted) - 1)));
}

}  // namespace warpgrade
