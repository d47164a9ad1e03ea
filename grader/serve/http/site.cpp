#include "grader/serve/http/site.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/serve/http/url.h"

namespace warpgrade {

Site Site::on_loopback(std::uint16_t port) {
  Site site;
  const std::string end = port == 80 ? std::string() : fmt::format(":{}", port);
  site.scheme_ = "http";
  site.host_ = "127.0.0.1" + end;
  site.other_host_ = "localhost" + end;
  site.cookie_ = fmt::format("warpgrade-{}", port);  // ports share cookies
  return site;
}

Site Site::behind_proxy(const std::string& url) {
  Site site;
  const std::size_t end = url.find("://");
  site.scheme_ = url.substr(0, end);
  if (end != std::string::npos) site.host_ = url.substr(end + 3);
  if (site.host_.ends_with('/')) site.host_.pop_back();
  const bool plain = std::all_of(site.host_.begin(), site.host_.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':';
  });
  if ((site.scheme_ != "https" && site.scheme_ != "http") || site.host_.empty() || !plain) {
    throw UsageError(fmt::format(
        "--url is '{}'; write the address that browsers open, in small letters and without a path: "
        "https://labs.example.org",
        printable(url)));
  }
  // With this prefix browsers take it from this host alone, over https.
  site.cookie_ = site.scheme_ == "https" ? "__Host-warpgrade" : "warpgrade";
  site.proxied_ = true;
  return site;
}

bool Site::is_own_host(const std::string& host) const {
  return !host.empty() && (host == host_ || host == other_host_);
}

Site::Verdict Site::judge(const HttpRequest& request, bool follows_link) const {
  const std::string& host = request.header("host");
  if (!is_own_host(host)) return Verdict::wrong_host;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const std::string& origin = request.header("origin");
  // Browsers send it with everything that is not a GET or HEAD.
  if (origin.empty() ? !reads : origin != fmt::format("{}://{}", scheme_, host)) {
    return Verdict::wrong_origin;
  }
  const std::string& from = request.header("sec-fetch-site");
  if ((from == "cross-site" || from == "same-site") && !(reads && follows_link)) {
    return Verdict::wrong_origin;
  }
  return Verdict::own;
}

std::string Site::url(const std::string& path) const {
  return fmt::format("{}://{}{}", scheme_, host_, path);
}

bool Site::is_main_host(const HttpRequest& request) const {
  return request.header("host") == host_;
}

std::string Site::cookie(const HttpRequest& request, const std::string& which) const {
  return cookie_value(request.header("cookie"), cookie_ + which);
}

std::string Site::set_cookie(const std::string& value, const std::string& same_site,
                             const std::string& which) const {
  return fmt::format("{}{}={}; Path=/; HttpOnly; SameSite={}{}", cookie_, which, value, same_site,
                     scheme_ == "https" || same_site == "None" ? "; Secure" : "");
}

std::string Site::remove_cookie(const std::string& which) const {
  return set_cookie("", "Lax", which) + "; Max-Age=0";
}

}  // namespace warpgrade
