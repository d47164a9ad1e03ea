#include "grader/serve/http/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <thread>

#include "grader/core/error.h"
#include "grader/process/pipe.h"

namespace warpgrade {
namespace {

using std::chrono::milliseconds;

/// A server on a thread of its own.
class Running {
 public:
  Running(HttpLimits limits, HttpServer::Handler handler)
      : server_(0, limits, std::move(handler)),
        thread_([this] { server_.run(2, [this] { return stop_.load(); }); }) {}
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() {
    stop_ = true;
    thread_.join();
  }

  [[nodiscard]] Descriptor connect() const {
    Descriptor fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_.port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return fd;
  }

 private:
  HttpServer server_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

void send_text(const Descriptor& fd, std::string_view text) {
  (void)!::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

/// Everything until the server closes the connection, or `until` is in it.
std::string read_until(const Descriptor& fd, std::string_view until = "\x01") {
  std::string all;
  std::array<char, 65536> buffer;
  for (ssize_t n = 0; (n = ::read(fd.get(), buffer.data(), buffer.size())) > 0;) {
    all.append(buffer.data(), static_cast<std::size_t>(n));
    if (all.find(until) != std::string::npos) break;
  }
  return all;
}

HttpReply hello(const HttpRequest& request) {
  return HttpResponse{.body = request.method + " " + request.target};
}

constexpr std::string_view kGet = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

TEST_CASE("a connection answers one request after the other", "[serve][unit]") {
  const Running server({}, hello);
  const Descriptor fd = server.connect();
  send_text(fd, kGet);
  CHECK(read_until(fd, "GET /x").find("HTTP/1.1 200 OK") == 0);
  send_text(fd, "GET /y HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  CHECK(read_until(fd).find("GET /y") != std::string::npos);
}

TEST_CASE("a client that sends or reads nothing is dropped", "[serve][unit]") {
  const std::string large(64 << 20, 'x');
  const Running server(
      {.request = milliseconds(200), .idle = milliseconds(200), .write = milliseconds(300)},
      [&](const HttpRequest& request) -> HttpReply {
        if (request.target == "/large") return HttpResponse{.body = large};
        return hello(request);
      });
  SECTION("nothing at all") {
    const Descriptor fd = server.connect();
    CHECK(read_until(fd).empty());
  }
  SECTION("a header that does not end") {
    const Descriptor fd = server.connect();
    send_text(fd, "GET / HTTP/1.1\r\nHost:");
    CHECK(read_until(fd).empty());
  }
  SECTION("a body that does not end") {
    const Descriptor fd = server.connect();
    send_text(fd, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
    CHECK(read_until(fd).empty());
  }
  SECTION("no second request") {
    const Descriptor fd = server.connect();
    send_text(fd, kGet);
    CHECK(read_until(fd).find("200 OK") != std::string::npos);
  }
  SECTION("a response that is not read") {
    const Descriptor fd = server.connect();
    send_text(fd, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    std::this_thread::sleep_for(milliseconds(1500));
    CHECK(read_until(fd).size() < large.size());
  }
}

TEST_CASE("more connections than allowed are closed at once, and the others go on",
          "[serve][unit]") {
  const Running server({.connections = 2}, hello);
  const Descriptor one = server.connect();
  const Descriptor two = server.connect();
  send_text(one, kGet);
  send_text(two, kGet);
  CHECK_FALSE(read_until(one, "GET /x").empty());
  CHECK_FALSE(read_until(two, "GET /x").empty());
  const Descriptor three = server.connect();
  CHECK(read_until(three).empty());
  send_text(one, kGet);
  CHECK_FALSE(read_until(one, "GET /x").empty());
}

TEST_CASE("an event stream sends events as they happen, signs of life, and ends", "[serve][unit]") {
  const auto log = std::make_shared<EventLog>("e");
  const Running server({.heartbeat = milliseconds(50)},
                       [&](const HttpRequest& request) -> HttpReply {
                         return EventStream{log, request.header("last-event-id")};
                       });
  log->add("step", "old");
  const Descriptor fd = server.connect();
  send_text(fd, kGet);
  CHECK(read_until(fd, "data: old\n\n").find("text/event-stream") != std::string::npos);
  CHECK_FALSE(read_until(fd, ":\n\n").empty());
  log->add("step", "new");
  CHECK(read_until(fd, "data: new\n\n").find("data: old") == std::string::npos);
  log->close("end", "last");
  CHECK(read_until(fd).find("data: last\n\n") != std::string::npos);
  const Descriptor again = server.connect();
  send_text(again, "GET /x HTTP/1.1\r\nHost: a\r\nLast-Event-ID: e-2\r\n\r\n");
  const std::string rest = read_until(again);
  CHECK(rest.find("data: new") == std::string::npos);
  CHECK(rest.find("data: last") != std::string::npos);
}

TEST_CASE("an exception in a route is a response without details", "[serve][unit]") {
  const Running server({},
                       [](const HttpRequest&) -> HttpReply { throw std::runtime_error("secret"); });
  const Descriptor fd = server.connect();
  send_text(fd, "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string answer = read_until(fd);
  CHECK(answer.find("HTTP/1.1 500") == 0);
  CHECK(answer.find("secret") == std::string::npos);
}

}  // namespace warpgrade
