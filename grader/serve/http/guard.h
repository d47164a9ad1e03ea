#pragma once

#include <cstdint>
#include <string>

#include "grader/serve/http/message.h"
#include "grader/serve/http/site.h"

namespace warpgrade {

/// Who may ask what, for a server of one person on the loopback address. Any page that the person's
/// browser shows can send requests there, and so can other users of the machine.
class Guard {
 public:
  /// @param port   the server's
  /// @param token  random; knows it who read what the server printed
  Guard(std::uint16_t port, std::string token);

  enum class Verdict : std::uint8_t {
    allowed,
    sign_in,  // allowed, and gets the cookie: the URL that was printed
    wrong_host,  // another name for this address, as in DNS rebinding
    wrong_origin,  // sent by a page of another server
    no_token,
  };
  /// @param token  the query's `token`; empty if there is none
  [[nodiscard]] Verdict judge(const HttpRequest& request, const std::string& token) const;

  /// What is printed.
  [[nodiscard]] std::string url() const;
  /// For the header Set-Cookie.
  [[nodiscard]] std::string cookie() const;

 private:
  Site site_;
  std::string token_;
};

/// 256 random bits as hexadecimal digits, from the kernel.
/// @throws EnvironmentError  if it gives none
[[nodiscard]] std::string random_token();

/// Takes the same time wherever the texts differ.
[[nodiscard]] bool equal_in_constant_time(const std::string& a, const std::string& b);

}  // namespace warpgrade
