#include "grader/serve/http/guard.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <array>

#include "grader/core/error.h"
#include "grader/serve/http/url.h"

namespace warpgrade {

Guard::Guard(std::uint16_t port, std::string token)
    : port_(std::to_string(port)), token_(std::move(token)) {}

bool Guard::is_own_host(const std::string& host) const {
  return host == "127.0.0.1:" + port_ || host == "localhost:" + port_ ||
         (port_ == "80" && (host == "127.0.0.1" || host == "localhost"));
}

Guard::Verdict Guard::judge(const HttpRequest& request, const std::string& token) const {
  const std::string& host = request.header("host");
  if (!is_own_host(host)) return Verdict::wrong_host;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const std::string& origin = request.header("origin");
  // Browsers send it with everything that is not a GET or HEAD.
  if (origin.empty() ? !reads : origin != "http://" + host) return Verdict::wrong_origin;
  if (reads && !token.empty()) {
    return equal_in_constant_time(token, token_) ? Verdict::sign_in : Verdict::no_token;
  }
  const std::string& site = request.header("sec-fetch-site");
  if (site == "cross-site" || site == "same-site") return Verdict::wrong_origin;
  const std::string cookie = cookie_value(request.header("cookie"), "warpgrade-" + port_);
  return equal_in_constant_time(cookie, token_) ? Verdict::allowed : Verdict::no_token;
}

std::string Guard::url() const {
  return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_);
}

std::string Guard::cookie() const {
  // Ports share cookies, so its name has the port.
  return fmt::format("warpgrade-{}={}; Path=/; HttpOnly; SameSite=Strict", port_, token_);
}

std::string random_token() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw EnvironmentError("the kernel gives no random bytes (getrandom)");
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

bool equal_in_constant_time(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;  // the length is public
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace warpgrade
