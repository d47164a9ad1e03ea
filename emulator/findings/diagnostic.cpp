#include "emulator/findings/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpsim {
namespace {

using Json = nlohmann::ordered_json;

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
std::string workflow_text(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','))) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string Diagnostic::line() const {
  std::string text;
  if (!at.file.empty() && at.line != 0) {
    text = fmt::format("{}:{}:{}: ", at.file, at.line, std::max(at.column, 1U));
  }
  text += fmt::format("{}: {}", severity, message);
  if (rule != "compiler") {
    text += fmt::format(" [{}{}{}]", rule, pitfall.empty() ? "" : ", ", pitfall);
  }
  return text;
}

std::string to_sarif(std::span<const Diagnostic> diagnostics, std::string_view tool,
                     std::string_view version) {
  Json rules = Json::array();
  Json results = Json::array();
  for (const Diagnostic& d : diagnostics) {
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
      {"tool", {{"driver", {{"name", tool}, {"version", version}, {"rules", std::move(rules)}}}}},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", {run}}};
  // Bytes that are not UTF-8, which a program's own text may contain, are replaced.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_github(std::span<const Diagnostic> diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
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

}  // namespace warpsim
