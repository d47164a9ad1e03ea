#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "grader/serve/http/message.h"

namespace warpgrade {

/// What a client may take of the server.
struct HttpLimits {
  std::uint32_t header_bytes = 16 * 1024;
  std::uint64_t body_bytes = std::uint64_t{2} << 20;
  std::chrono::milliseconds request{20'000};  // from its first byte, or the connection, to its end
  std::chrono::milliseconds idle{60'000};  // between two requests of a connection
  std::chrono::milliseconds write{30'000};  // of a response, or an event
  std::chrono::milliseconds heartbeat{15'000};  // of an event stream without events
  std::size_t connections = 256;
};

/// Answers HTTP/1.1 on 127.0.0.1.
class HttpServer {
 public:
  /// Called by several threads. What it throws becomes a response 500 without details.
  using Handler = std::function<HttpReply(const HttpRequest&)>;

  /// Listens from now on.
  /// @param port     0: any free one
  /// @throws UsageError  if the port is taken
  HttpServer(std::uint16_t port, HttpLimits limits, Handler handler);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  [[nodiscard]] std::uint16_t port() const;

  /// Serves until `stop` returns true, which is asked ten times per second.
  void run(std::size_t threads, const std::function<bool()>& stop);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace warpgrade
