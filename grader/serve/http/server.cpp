#include "grader/serve/http/server.h"

#include <fmt/core.h>

#include <atomic>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <optional>
#include <thread>

#include "grader/core/error.h"
#include "grader/core/text.h"

// The only file that includes Beast and Asio, which are slow to compile.

namespace warpgrade {
namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using net::ip::tcp;
using Clock = std::chrono::steady_clock;
namespace {

/// Of all connections.
struct Shared {
  HttpLimits limits;
  HttpServer::Handler handler;
  std::atomic<std::size_t> connections = 0;
};

/// Counts a connection while it is open.
class Counted {
 public:
  explicit Counted(Shared& shared) : shared_(shared) { ++shared_.connections; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --shared_.connections; }

 private:
  Shared& shared_;
};

constexpr std::string_view kEventHeader =
    "HTTP/1.1 200 OK\r\n"
    "Content-Type: text/event-stream\r\n"
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Connection: close\r\n\r\n"
    "retry: 1000\n\n";

/// One client of an event stream. It has at most one write under way, of what is new since the
/// last one.
class EventSession : public std::enable_shared_from_this<EventSession> {
 public:
  EventSession(tcp::socket socket, std::shared_ptr<Counted> counted, const HttpLimits& limits,
               EventStream stream)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        counted_(std::move(counted)),
        limits_(limits),
        log_(std::move(stream.log)),
        last_(std::move(stream.after)) {}

  void start() {
    subscription_ = log_->subscribe([weak = weak_from_this()] {
      if (const auto self = weak.lock()) {
        net::post(self->socket_.get_executor(), [self] { self->pump(); });
      }
    });
    out_ = kEventHeader;
    write();
    read();
    tick();
  }

 private:
  void pump() {
    if (writing_ || !socket_.is_open()) return;
    const EventLog::Batch batch = log_->after(last_);
    for (const ServerEvent& event : batch.events) {
      out_ += event.text();
      last_ = event.id;
    }
    if (!out_.empty()) {
      write();
    } else if (batch.closed) {
      close();
    }
  }

  void write() {
    writing_ = true;
    wrote_at_ = Clock::now();
    net::async_write(socket_, net::buffer(out_),
                     [self = shared_from_this()](error_code error, std::size_t) {
                       self->writing_ = false;
                       self->wrote_at_ = Clock::now();
                       self->out_.clear();
                       if (error) {
                         self->close();
                       } else {
                         self->pump();
                       }
                     });
  }

  /// Clients send nothing more; an error says that this one is gone.
  void read() {
    socket_.async_read_some(net::buffer(in_),
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (error) {
                                self->close();
                              } else {
                                self->read();
                              }
                            });
  }

  void tick() {
    timer_.expires_after(std::min(limits_.heartbeat, limits_.write));
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (error || !self->socket_.is_open()) return;
      const auto since = Clock::now() - self->wrote_at_;
      if (self->writing_ && since >= self->limits_.write) {
        self->close();
        return;
      }
      if (!self->writing_ && since >= self->limits_.heartbeat) {
        self->out_ = ":\n\n";
        self->write();
      }
      self->tick();
    });
  }

  void close() {
    subscription_.reset();
    timer_.cancel();
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    socket_.close(ignored);
  }

  tcp::socket socket_;
  net::steady_timer timer_;
  std::shared_ptr<Counted> counted_;
  const HttpLimits& limits_;
  std::shared_ptr<EventLog> log_;
  std::string last_;
  std::string out_;
  std::array<char, 256> in_{};
  bool writing_ = false;
  Clock::time_point wrote_at_;
  std::shared_ptr<void> subscription_;
};

HttpRequest plain(const http::request<http::string_body>& message) {
  HttpRequest request;
  request.method = std::string(message.method_string());
  request.target = std::string(message.target());
  for (const auto& field : message) {
    std::string& value = request.headers[lower(std::string(field.name_string()))];
    // Two of a header that must be one, as Host, match nothing that is expected.
    if (!value.empty()) value += ", ";
    value += std::string(field.value());
  }
  request.body = message.body();
  return request;
}

/// One connection, with one request after the other.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Shared& shared)
      : stream_(std::move(socket)), counted_(std::make_shared<Counted>(shared)), shared_(shared) {}

  void start() {
    net::post(stream_.get_executor(),
              [self = shared_from_this()] { self->read_header(self->shared_.limits.request); });
  }

 private:
  void read_header(std::chrono::milliseconds limit) {
    parser_.emplace();
    parser_->header_limit(shared_.limits.header_bytes);
    parser_->body_limit(shared_.limits.body_bytes);
    stream_.expires_after(limit);
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (error) {
                                self->refuse(error);
                              } else {
                                self->read_body();
                              }
                            });
  }

  void read_body() {
    stream_.expires_after(shared_.limits.request);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) {
                       if (error) {
                         self->refuse(error);
                       } else {
                         self->answer();
                       }
                     });
  }

  /// What cannot be read gets one sentence, and the connection ends.
  void refuse(error_code error) {
    HttpResponse response;
    if (error == http::error::header_limit) {
      response = {.status = 431, .body = "The header of the request is too large.\n"};
    } else if (error == http::error::body_limit) {
      response = {.status = 413,
                  .body = fmt::format("The request has more than {} KiB.\n",
                                      shared_.limits.body_bytes / 1024)};
    } else if (error == beast::error::timeout || error == http::error::end_of_stream ||
               error == net::error::operation_aborted || error == net::error::connection_reset ||
               error == http::error::partial_message) {
      close();
      return;
    } else {
      response = {.status = 400, .body = "This is not a request that HTTP/1.1 allows.\n"};
    }
    send(std::move(response), false, 11);
  }

  void answer() {
    const auto& message = parser_->get();
    const bool keep = message.keep_alive();
    HttpReply reply;
    try {
      reply = shared_.handler(plain(message));
    } catch (const std::exception& e) {
      fmt::print(stderr, "warpgrade serve: a request failed: {}\n", e.what());
      reply = HttpResponse{.status = 500,
                           .body = "This is a bug in warpgrade; the terminal says more.\n"};
    }
    if (auto* events = std::get_if<EventStream>(&reply)) {
      std::make_shared<EventSession>(stream_.release_socket(), counted_, shared_.limits,
                                     std::move(*events))
          ->start();
      return;
    }
    if (message.method() == http::verb::head) std::get<HttpResponse>(reply).body.clear();
    send(std::move(std::get<HttpResponse>(reply)), keep, message.version());
  }

  void send(HttpResponse response, bool keep, unsigned version) {
    response_.emplace(static_cast<http::status>(response.status), version);
    response_->set(http::field::content_type, response.type);
    for (const auto& [name, value] : response.headers) response_->insert(name, value);
    response_->body() = std::move(response.body);
    response_->keep_alive(keep);
    response_->prepare_payload();
    stream_.expires_after(shared_.limits.write);
    http::async_write(stream_, *response_,
                      [self = shared_from_this(), keep](error_code error, std::size_t) {
                        if (error || !keep) {
                          self->close();
                        } else {
                          self->read_header(self->shared_.limits.idle);
                        }
                      });
  }

  void close() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.close();
  }

  beast::tcp_stream stream_;
  std::shared_ptr<Counted> counted_;
  Shared& shared_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
};

}  // namespace

struct HttpServer::Parts {
  Shared shared;
  net::io_context context;
  tcp::acceptor acceptor{context};
  net::steady_timer pause{context};

  void accept() {
    acceptor.async_accept(net::make_strand(context), [this](error_code error, tcp::socket socket) {
      if (error) {
        // No descriptors are left: those of closed connections will be.
        pause.expires_after(std::chrono::milliseconds(100));
        pause.async_wait([this](error_code stopped) {
          if (!stopped) accept();
        });
        return;
      }
      // Beyond the limit the connection is closed at once.
      if (shared.connections < shared.limits.connections) {
        std::make_shared<Session>(std::move(socket), shared)->start();
      }
      accept();
    });
  }
};

HttpServer::HttpServer(std::uint16_t port, HttpLimits limits, Handler handler)
    : parts_(std::make_unique<Parts>()) {
  parts_->shared.limits = limits;
  parts_->shared.handler = std::move(handler);
  const tcp::endpoint here(net::ip::address_v4::loopback(), port);
  error_code error;
  parts_->acceptor.open(here.protocol(), error);
  if (!error) parts_->acceptor.set_option(net::socket_base::reuse_address(true), error);
  if (!error) parts_->acceptor.bind(here, error);
  if (!error) parts_->acceptor.listen(net::socket_base::max_listen_connections, error);
  if (error) {
    throw UsageError(fmt::format(
        "cannot listen on 127.0.0.1:{}: {}. Choose another port with --port, or 0 for any free one",
        port, error.message()));
  }
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const {
  return parts_->acceptor.local_endpoint().port();
}

void HttpServer::run(std::size_t threads, const std::function<bool()>& stop) {
  parts_->accept();
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < threads; ++i) {
    workers.emplace_back([this] { parts_->context.run(); });
  }
  while (!stop()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  parts_->context.stop();
}

}  // namespace warpgrade
