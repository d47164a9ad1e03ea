#include "grader/serve/identity/requests.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"
#include "grader/serve/http/url.h"
#include "grader/serve/identity/id_token.h"
#include "grader/serve/identity/problem.h"

namespace warpgrade {
namespace {

constexpr std::size_t kLongestError = 300;  // of what a provider says, in the log

}  // namespace

std::string_view authority_of(std::string_view url) {
  const std::size_t begin = url.find("://") + 3;
  return url.substr(begin, url.find_first_of("/?#", begin) - begin);
}

bool is_safe_url(const std::string& url) {
  const bool plain = std::all_of(url.begin(), url.end(), [](char c) {
    return c > ' ' && c < 0x7f && std::string_view("@\\\"<>").find(c) == std::string_view::npos;
  });
  if (!plain) return false;
  const bool encrypted = url.starts_with("https://");
  if (!encrypted && !url.starts_with("http://")) return false;
  std::string_view host = authority_of(url);
  const bool is_host = std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(".-_:[]").find(c) != std::string_view::npos;
  });
  if (host.empty() || !is_host) return false;
  if (encrypted) return true;
  const std::size_t port = host.rfind(':');
  if (port != host.npos && !host.ends_with(']')) host = host.substr(0, port);
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

std::string form_of(const FormFields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "&", name, url_part(value));
  }
  return text;
}

std::string with_query(const std::string& url, const FormFields& fields) {
  return url + (url.find('?') == url.npos ? "?" : "&") + form_of(fields);
}

std::string error_in(const FetchResult& result) {
  const nlohmann::json object = nlohmann::json::parse(result.body, nullptr, false);
  const std::string text = fmt::format("{}: {} ({})", result.status, text_at(object, "error"),
                                       text_at(object, "error_description"));
  return one_line(text.substr(0, kLongestError));
}

bool is_unreachable(const FetchResult& result) {
  return result.status == 0 || result.status >= 500 || result.status == 429;
}

nlohmann::json fetch_object(const SignInLibrary& library, const FetchRequest& request,
                            const char* what) {
  const FetchResult result = library.fetch(request);
  if (is_unreachable(result)) {
    throw SignInProblem(
        SignInFault::unreachable,
        fmt::format("{}: {}", what,
                    result.status == 0 ? one_line(result.problem) : error_in(result)));
  }
  nlohmann::json object = nlohmann::json::parse(result.body, nullptr, /*allow_exceptions=*/false);
  if (result.status != 200 || !object.is_object()) {
    throw SignInProblem(SignInFault::configuration,
                        fmt::format("{} is no JSON object: HTTP status {}", what, result.status));
  }
  return object;
}

Turn::Turn(Turns& turns) : turns_(turns) {
  if (!turns.try_acquire()) {
    throw SignInProblem(SignInFault::busy, "as many requests as may be wait for the provider");
  }
}

}  // namespace warpgrade
