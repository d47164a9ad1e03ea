#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// The target of a request.
struct Target {
  std::vector<std::string>
      path;  // decoded, without empty ones: "/labs/vecadd" is {"labs", "vecadd"}
  std::map<std::string, std::string> query;  // decoded
};

/// Nothing for one that is not absolute, has an invalid escape, or a part that is ".", "..", or has
/// "/", "\" or a control character in it: no route has such a part.
[[nodiscard]] std::optional<Target> parse_target(std::string_view target);

/// A part of a path in which every character but letters, digits, '-', '.', '_' and '~' is escaped.
[[nodiscard]] std::string url_part(std::string_view text);

/// The fields of a form, as browsers send them (application/x-www-form-urlencoded). Nothing for an
/// invalid escape.
[[nodiscard]] std::optional<std::map<std::string, std::string>> parse_form(std::string_view body);

/// The value of a cookie in a Cookie header; empty if there is none, or more than one.
[[nodiscard]] std::string cookie_value(std::string_view header, std::string_view name);

}  // namespace warpgrade
