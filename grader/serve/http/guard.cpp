#include "grader/serve/http/guard.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <array>

#include "grader/core/error.h"

namespace warpgrade {

Guard::Guard(std::uint16_t port, std::string token)
    : site_(Site::on_loopback(port)), token_(std::move(token)) {}

Guard::Verdict Guard::judge(const HttpRequest& request, const std::string& token) const {
  const bool opens_url = request.method == "GET" && !token.empty();
  switch (site_.judge(request, opens_url)) {
    case Site::Verdict::wrong_host:
      return Verdict::wrong_host;
    case Site::Verdict::wrong_origin:
      return Verdict::wrong_origin;
    case Site::Verdict::own:
      break;
  }
  if (opens_url) {
    return equal_in_constant_time(token, token_) ? Verdict::sign_in : Verdict::no_token;
  }
  return equal_in_constant_time(site_.cookie(request), token_) ? Verdict::allowed
                                                               : Verdict::no_token;
}

std::string Guard::url() const {
  return site_.url("/?token=" + token_);
}

std::string Guard::cookie() const {
  return site_.set_cookie(token_, "Strict");
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
