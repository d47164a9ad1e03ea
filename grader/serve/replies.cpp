#include "grader/serve/replies.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "grader/serve/pages/pages.h"

namespace warpgrade {
namespace {

constexpr const char* kHtml = "text/html; charset=utf-8";

}  // namespace

HttpResponse page(std::string html, const std::string& nonce) {
  const std::string styles = nonce.empty() ? "'self'" : fmt::format("'self' 'nonce-{}'", nonce);
  return {.type = kHtml,
          .body = std::move(html),
          .headers = {{"Content-Security-Policy",
                       fmt::format("default-src 'none'; script-src 'self'; style-src {}; img-src "
                                   "'self' data:; connect-src 'self'; frame-src 'self'; "
                                   "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
                                   styles)}}};
}

HttpResponse form_page(std::string html) {
  HttpResponse response = page(std::move(html));
  response.headers.emplace_back("Referrer-Policy", "same-origin");
  return response;
}

HttpResponse document(std::string html) {
  return {
      .type = kHtml,
      .body = std::move(html),
      .headers = {{"Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'self'"}}};
}

HttpResponse json_response(const nlohmann::ordered_json& value, int status) {
  return {.status = status,
          .type = "application/json",
          .body = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

HttpResponse refusal(int status, const std::string& sentence) {
  return json_response({{"error", sentence}}, status);
}

HttpResponse message(int status, const std::string& title, const std::string& text,
                     const std::string& next) {
  HttpResponse response = page(message_page(title, text, next));
  response.status = status;
  return response;
}

HttpResponse notice(int status, const std::string& title, const std::string& text,
                    const std::string& link, const std::string& link_text) {
  HttpResponse response = page(notice_page(title, text, link, link_text));
  response.status = status;
  return response;
}

HttpResponse not_found() {
  return message(404, "There is no such page", "The list of labs has a link to each lab.");
}

HttpResponse see_other(const std::string& path) {
  return {.status = 303, .headers = {{"Location", path}}};
}

HttpResponse download(std::string content, const std::string& type, const std::string& name) {
  return {.type = type,
          .body = std::move(content),
          .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}}};
}

void add_headers(HttpResponse& response) {
  const auto has = [&](std::string_view name) {
    return std::any_of(response.headers.begin(), response.headers.end(),
                       [&](const auto& header) { return header.first == name; });
  };
  for (const auto& [name, value] :
       {std::pair{"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"}}) {
    if (!has(name)) response.headers.emplace_back(name, value);
  }
}

std::optional<std::int64_t> positive_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

std::string value_of(const std::map<std::string, std::string>& fields, const std::string& name) {
  const auto it = fields.find(name);
  return it == fields.end() ? std::string() : it->second;
}

}  // namespace warpgrade
