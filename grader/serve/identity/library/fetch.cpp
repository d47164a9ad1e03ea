#include "grader/serve/identity/library/fetch.h"

#include <curl/curl.h>

#include <array>
#include <cstddef>
#include <memory>

namespace warpgrade {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr long kConnectSeconds = 5;
constexpr long kSeconds = 10;

struct Body {
  std::string text;
  bool too_long = false;
};

/// What libcurl calls with each part of a body; another number than the part's ends the transfer.
std::size_t take(const char* part, std::size_t /*one*/, std::size_t bytes, void* into) {
  auto& body = *static_cast<Body*>(into);
  if (bytes > kMostBytes - body.text.size()) {
    body.too_long = true;
    return 0;
  }
  body.text.append(part, bytes);
  return bytes;
}

std::string header_in(CURL* curl, const char* name) {
  std::string value;
  curl_header* header = nullptr;
  for (std::size_t i = 0; curl_easy_header(curl, name, i, CURLH_HEADER, -1, &header) == CURLHE_OK;
       ++i) {
    value += (value.empty() ? "" : ", ") + std::string(header->value);
  }
  return value;
}

}  // namespace

FetchResult fetch_by_curl(const FetchRequest& request) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, void (*)(CURL*)> handle(curl_easy_init(), curl_easy_cleanup);
  if (ready != CURLE_OK || handle == nullptr) return {.problem = "libcurl does not start"};
  CURL* curl = handle.get();
  Body body;
  std::array<char, CURL_ERROR_SIZE> error{};
  const bool is_plain = request.url.starts_with("http://");  // the caller allows it for loopback
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, is_plain ? "http" : "https");
  if (is_plain) curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, kSeconds);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "warpgrade");
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error.data());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(
      curl_slist_append(nullptr, ("Accept: " + request.accept).c_str()), curl_slist_free_all);
  if (!request.content_type.empty()) {
    curl_slist_append(headers.get(), ("Content-Type: " + request.content_type).c_str());
  }
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  const std::string& sent = request.content.empty() ? request.form : request.content;
  if (!sent.empty()) {
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(sent.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, sent.c_str());
  }
  if (!request.user.empty()) {
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
    curl_easy_setopt(curl, CURLOPT_USERNAME, request.user.c_str());
    curl_easy_setopt(curl, CURLOPT_PASSWORD, request.password.c_str());
  }
  if (!request.bearer.empty()) {
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, request.bearer.c_str());
  }
  const CURLcode code = curl_easy_perform(curl);
  if (body.too_long) return {.problem = "the answer has more than 1 MiB"};
  if (code != CURLE_OK) {
    return {.problem = error[0] == '\0' ? curl_easy_strerror(code) : error.data()};
  }
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return {.status = static_cast<int>(status),
          .body = std::move(body.text),
          .link = header_in(curl, "Link")};
}

}  // namespace warpgrade
