#include "grader/serve/http/url.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit(text[i + 1]);
    const int low = digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// "a=1&b=2"; the last of equal names counts.
template <class Decode>
std::optional<std::map<std::string, std::string>> pairs_of(std::string_view text,
                                                           const Decode& decoded) {
  std::map<std::string, std::string> pairs;
  for (const std::string_view pair : split(text, '&')) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::optional<std::string> name = decoded(pair.substr(0, equals));
    const std::optional<std::string> value =
        decoded(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value) return std::nullopt;
    pairs[*name] = *value;
  }
  return pairs;
}

bool is_plain(std::string_view part) {
  return part != "." && part != ".." && std::none_of(part.begin(), part.end(), [](char c) {
           return c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ' || c == '\x7f';
         });
}

}  // namespace

std::optional<Target> parse_target(std::string_view target) {
  if (!target.starts_with('/')) return std::nullopt;
  Target result;
  const std::size_t question = std::min(target.find('?'), target.size());
  for (const std::string_view part : split(target.substr(0, question), '/')) {
    if (part.empty()) continue;
    std::optional<std::string> decoded = decode(part);
    if (!decoded || !is_plain(*decoded)) return std::nullopt;
    result.path.push_back(std::move(*decoded));
  }
  if (question == target.size()) return result;
  std::optional<std::map<std::string, std::string>> query =
      pairs_of(target.substr(question + 1), decode);
  if (!query) return std::nullopt;
  result.query = std::move(*query);
  return result;
}

std::optional<std::map<std::string, std::string>> parse_form(std::string_view body) {
  return pairs_of(body, [](std::string_view text) { return decode(replace_all(text, "+", " ")); });
}

std::string url_part(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string cookie_value(std::string_view header, std::string_view name) {
  std::string found;
  for (const std::string_view part : split(header, ';')) {
    const std::string_view pair = trimmed(part);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || pair.substr(0, equals) != name) continue;
    if (!found.empty()) return {};
    found = pair.substr(equals + 1);
  }
  return found;
}

}  // namespace warpgrade
