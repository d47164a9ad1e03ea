#pragma once

#include <cstdint>
#include <string>

#include "grader/serve/http/message.h"

namespace warpgrade {

/// The address under which browsers reach this server, and which requests can come from its own
/// pages.
class Site {
 public:
  /// http://127.0.0.1:<port>, also as http://localhost:<port>.
  static Site on_loopback(std::uint16_t port);
  /// The URL of a proxy on this machine, "https://labs.example.org".
  /// @throws UsageError  if it has a path, or another scheme than http and https
  static Site behind_proxy(const std::string& url);

  enum class Verdict : std::uint8_t {
    own,
    wrong_host,  // another name for this address, as in DNS rebinding
    wrong_origin,  // a page of another server sends it, or may have
  };
  /// @param follows_link  whether a link in another page may lead here: only if it changes nothing
  [[nodiscard]] Verdict judge(const HttpRequest& request, bool follows_link) const;

  /// Whether a request is for url(), or for the other name of the loopback address.
  [[nodiscard]] bool is_own_host(const HttpRequest& request) const {
    return is_own_host(request.header("host"));
  }

  /// @param path  "/labs/vecadd"
  [[nodiscard]] std::string url(const std::string& path) const;
  /// Whether a request is for the host of url(), not for the other name of the loopback address.
  [[nodiscard]] bool is_main_host(const HttpRequest& request) const;
  [[nodiscard]] bool is_proxied() const { return proxied_; }

  /// The value of this server's cookie in a request; empty if there is none, or more than one.
  /// @param which  the end of its name: empty for the session's
  [[nodiscard]] std::string cookie(const HttpRequest& request, const std::string& which = {}) const;
  /// For the header Set-Cookie. Scripts cannot read it, and it is sent with requests of this site's
  /// own pages only; over https, if the site has it.
  /// @param same_site  "Strict"; "Lax": also where a link in another page leads here; "None": also
  /// with forms of other sites' pages, which browsers allow with encryption and on this machine
  /// only
  [[nodiscard]] std::string set_cookie(const std::string& value, const std::string& same_site,
                                       const std::string& which = {}) const;
  /// The same, which removes it.
  [[nodiscard]] std::string remove_cookie(const std::string& which = {}) const;

 private:
  [[nodiscard]] bool is_own_host(const std::string& host) const;

  std::string scheme_;  // "https"
  std::string host_;  // "labs.example.org", with a port if it is not the scheme's
  std::string other_host_;  // "localhost:8475"; empty: none
  std::string cookie_;  // its name
  bool proxied_ = false;
};

}  // namespace warpgrade
