#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpgrade::testing {

struct HttpAnswer {
  int status = 0;  // 0: the connection was closed without an answer
  std::map<std::string, std::string> headers;  // names in small letters
  std::string body;

  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body); }
};

/// `warpgrade serve` on a port of its own, and a client that sends exactly what it is given.
class Served {
 public:
  /// @param before  words before the program: {"bwrap", ...}
  explicit Served(const std::filesystem::path& data, const std::vector<std::string>& options = {},
                  std::vector<std::string> before = {});
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;
  ~Served();

  /// Ends it, by default without warning, and waits for its end. @returns its wait status
  int end(int signal = 9);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Empty for a class, until somebody has signed in.
  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// The headers that a browser sends with the token's cookie.
  [[nodiscard]] std::string signed_in() const;

  /// Signs in to the server of a class; requests have the session from now on.
  void sign_in(const std::string& invitation);

  /// Sends bytes and reads until the server closes the connection.
  [[nodiscard]] HttpAnswer raw(const std::string& bytes) const;
  [[nodiscard]] HttpAnswer get(const std::string& target) const;
  [[nodiscard]] HttpAnswer send(const std::string& method, const std::string& target,
                                const nlohmann::json& body) const;
  /// The events of an attempt until its stream ends, or `enough` says so, each as {id, event,
  /// data}.
  std::vector<std::map<std::string, std::string>> events(
      std::int64_t attempt, const std::string& last_id = "",
      const std::function<bool(const std::map<std::string, std::string>&)>& enough = {}) const;

  /// Checks or submits a source for vecadd. @returns the attempt's id
  [[nodiscard]] std::int64_t begin(const std::string& what, const std::string& source) const;
  /// The attempt, once it has ended.
  [[nodiscard]] nlohmann::json wait_for(std::int64_t attempt) const;

 private:
  [[nodiscard]] int connect() const;

  pid_t pid_ = -1;
  int output_ = -1;
  std::uint16_t port_ = 0;
  std::string token_;
};

}  // namespace warpgrade::testing
