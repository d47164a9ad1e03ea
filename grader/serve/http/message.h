#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Requests and responses as plain data, so that routes know nothing of the HTTP library.

namespace warpgrade {

struct HttpRequest {
  std::string method;  // "GET"
  std::string target;  // "/labs/vecadd?x=1", as sent
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;

  /// The header's value; empty if there is none.
  [[nodiscard]] const std::string& header(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // further ones
};

/// One server-sent event.
struct ServerEvent {
  std::string id;
  std::string type;
  std::string data;  // one line

  /// As it is sent.
  [[nodiscard]] std::string text() const;
};

/// The events of one job, for any number of clients. Thread-safe. It keeps the latest events only,
/// and clients keep a position and no copies, so that a slow client costs no memory.
class EventLog {
 public:
  /// @param epoch  differs between runs of the server: the first part of each id
  explicit EventLog(std::string epoch);

  void add(const std::string& type, std::string data);
  /// Adds the last event; clients end after it.
  void close(const std::string& type, std::string data);

  struct Batch {
    std::vector<ServerEvent> events;
    bool closed = false;  // no event will follow
  };
  /// Everything after the event with this id; all that is kept if it is not an id of this log.
  [[nodiscard]] Batch after(const std::string& id) const;

  /// `wake` is called, from any thread, when there is more. It must not call back into this.
  /// @returns  a handle; when it goes, `wake` is not called any more
  [[nodiscard]] std::shared_ptr<void> subscribe(std::function<void()> wake);

 private:
  void append(const std::string& type, std::string data, bool last);

  mutable std::mutex mutex_;
  std::string epoch_;
  std::uint64_t next_ = 1;
  std::vector<ServerEvent> events_;
  bool closed_ = false;
  std::vector<std::weak_ptr<std::function<void()>>> subscribers_;
};

/// An answer that goes on until its log is closed.
struct EventStream {
  std::shared_ptr<EventLog> log;
  std::string after;  // the client's Last-Event-ID
};

using HttpReply = std::variant<HttpResponse, EventStream>;

}  // namespace warpgrade
