#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string_view>

#include "grader/core/text.h"
#include "grader/core/version.h"
#include "grader/diagnostics/diagnostics.h"

namespace warpgrade {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are not UTF-8, which a program's own text may contain, are replaced.
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json position_json(const SourcePosition& at) {
  return {{"file", at.file}, {"line", at.line}, {"column", at.column}};
}

/// A file name as a URI reference (RFC 3986).
std::string uri_of(std::string_view file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json location_json(const SourcePosition& at, std::string_view message = {}) {
  Json region = {{"startLine", at.line}};
  if (at.column != 0) region["startColumn"] = at.column;
  Json location = {
      {"physicalLocation", {{"artifactLocation", {{"uri", uri_of(at.file)}}}, {"region", region}}}};
  if (!message.empty()) location["message"]["text"] = message;
  return location;
}

/// The index of the rule, which is added if it is new.
std::size_t rule_index(const Diagnostic& d, Json& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].at("id") == d.rule) return i;
  }
  rules.push_back({{"id", d.rule}, {"shortDescription", {{"text", d.title}}}});
  return rules.size() - 1;
}

std::string with_details(const Diagnostic& d) {
  std::string text = d.message;
  for (const auto& [name, value] : d.details) text += fmt::format("\n{}: {}", name, value);
  return text;
}

/// A value of a workflow command's property or message. @param property  escapes : and , as well
std::string workflow_text(std::string text, bool property) {
  using Pair = std::pair<std::string_view, std::string_view>;
  for (const auto& [from, to] : {Pair{"%", "%25"}, {"\r", "%0D"}, {"\n", "%0A"}}) {
    text = replace_all(text, from, to);
  }
  return property ? replace_all(replace_all(text, ":", "%3A"), ",", "%2C") : text;
}

}  // namespace

std::string as_json(const StudentView& shown) {
  const Grade& grade = shown.grade;
  Json result = {{"schema", 1},
                 {"lab", grade.lab},
                 {"score", grade.score()},
                 {"max_score", grade.max_score()},
                 {"passed", grade.passed()},
                 {"headline", grade.summary},
                 {"pitfall", grade.pitfall},
                 {"diagnostics", Json::array()}};
  for (const Diagnostic& d : diagnostics_of(shown)) {
    Json one = position_json(d.at);
    one["severity"] = d.severity;
    one["kind"] = d.rule;
    one["pitfall"] = d.pitfall;
    one["message"] = d.message;
    if (d.other) one["other"] = position_json(*d.other);
    for (const auto& [name, value] : d.details) one[name] = value;
    one["cases"] = d.cases;
    result["diagnostics"].push_back(std::move(one));
  }
  return dumped(result);
}

std::string as_sarif(const StudentView& shown) {
  Json rules = Json::array();
  Json results = Json::array();
  for (const Diagnostic& d : diagnostics_of(shown)) {
    Json one = {{"ruleId", d.rule},
                {"ruleIndex", rule_index(d, rules)},
                {"level", d.severity},
                {"message", {{"text", with_details(d)}}}};
    if (!d.at.file.empty() && d.at.line != 0) one["locations"] = {location_json(d.at)};
    if (d.other) one["relatedLocations"] = {location_json(*d.other, "the other access")};
    Json& properties = one["properties"];
    properties["pitfall"] = d.pitfall;
    properties["cases"] = d.cases;
    results.push_back(std::move(one));
  }
  const Json run = {
      {"tool",
       {{"driver", {{"name", "warpgrade"}, {"version", kVersion}, {"rules", std::move(rules)}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  return dumped({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", {run}}});
}

std::string as_github(const StudentView& shown) {
  std::string text;
  for (const Diagnostic& d : diagnostics_of(shown)) {
    const std::string command = d.severity == "note" ? "notice" : d.severity;
    std::string title = d.title;
    if (!d.pitfall.empty()) title += fmt::format(" ({})", d.pitfall);
    std::string place;
    if (!d.at.file.empty() && d.at.line != 0) {
      place = fmt::format("file={},line={},", workflow_text(d.at.file, true), d.at.line);
      if (d.at.column != 0) place += fmt::format("col={},", d.at.column);
    }
    text += fmt::format("::{} {}title={}::{}\n", command, place, workflow_text(title, true),
                        workflow_text(with_details(d), false));
  }
  return text;
}

}  // namespace warpgrade
