#pragma once

#include <fmt/core.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/record/grade/grade.h"

// JSON of structures that list their fields (grader/core/fields.h). The library's macros support
// neither ordered documents nor optional values in Debian 12's version (3.11.2).

namespace warpgrade {

/// The key of a member in grade.json: the member's name, with the exceptions below; empty if it is
/// not in grade.json.
template <class Owner>
[[nodiscard]] constexpr std::string_view key_of(std::string_view member) {
  constexpr bool kOfCase = std::same_as<Owner, Timing> || std::same_as<Owner, ToolRun> ||
                           std::same_as<Owner, CardCounts>;
  if (kOfCase && member == "name") return "case";
  if (std::same_as<Owner, CaseReport> && member == "verdict") return "status";
  if (std::same_as<Owner, ToolRun> && member == "end") return "status";
  if (std::same_as<Owner, KernelLine> && member == "cost")
    return {};  // grade.json has the times instead
  if (std::same_as<Owner, KernelReport> &&
      (member == "file" || member == "occupancy_limiter" || member == "shapes")) {
    return {};
  }
  return member;
}

/// Writes values as they are in grade.json.
class JsonWriter {
 public:
  using Json = nlohmann::ordered_json;

  template <class Number>
  requires std::integral<Number>
  static Json json(Number value) { return value; }
  /// JSON has no numbers for infinities and NaN.
  static Json json(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
  }
  static Json json(const std::string& text) { return printable(text); }
  template <Named Enum>
  static Json json(Enum value) {
    return slug(value);
  }
  static Json json(const Expression& formula) { return formula.text(); }
  static Json json(const warpsim::CostInputs& /*not in grade.json*/) { return nullptr; }
  template <class T>
  static Json json(const std::optional<T>& value) {
    return value ? json(*value) : Json(nullptr);
  }
  template <class T>
  static Json json(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(json(value));
    return array;
  }
  template <class T>
  static Json json(const std::map<std::string, T>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) object[key] = json(value);
    return object;
  }
  template <Named Enum, class T>
  static Json json(const std::map<Enum, T>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) object[std::string(slug(key))] = json(value);
    return object;
  }
  template <HasFields T>
  static Json json(const T& value) {
    Json object = Json::object();
    const auto write = [&object](const char* member, const auto& field) {
      const std::string_view key = key_of<T>(member);
      if (!key.empty()) object[std::string(key)] = json(field);
    };
    visit_fields(write, value);
    leave_out(value, object);
    return object;
  }

 private:
  /// Values that are left out of the document.
  template <class T>
  static void leave_out(const T& /*value*/, Json& /*object*/) {}
  static void leave_out(const Timing& timing, Json& object) {
    if (timing.shape.empty()) {
      object.erase("shape");
      object.erase("card");
    }
  }
  static void leave_out(const CardCounts& /*counts*/, Json& object) {
    for (Json& kernel : object.at("kernels")) kernel.erase("lines");
  }
  static void leave_out(const BeforeRelease& said, Json& object) {
    if (said.hidden_cases == 0) object = {{"hidden_cases", 0}};
  }
};

/// What to do about a member that a document lacks: an earlier version did not write it, or the
/// document is damaged.
enum class Missing { keeps_default, throws };

/// Reads what JsonWriter wrote.
/// @throws nlohmann::json::exception, UsageError  for what it did not write
template <Missing kMissing>
class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  template <class Number>
  requires std::integral<Number>
  static void read(const Json& json, Number& value) { value = json.get<Number>(); }
  static void read(const Json& json, double& value) {
    if (json.is_number()) {
      value = json.get<double>();
      return;
    }
    const auto& text = json.get_ref<const std::string&>();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    value = text == "nan"   ? std::numeric_limits<double>::quiet_NaN()
            : text == "inf" ? kInfinity
                            : -kInfinity;
  }
  static void read(const Json& json, std::string& value) { value = json.get<std::string>(); }
  template <Named Enum>
  static void read(const Json& json, Enum& value) {
    value = enumerator<Enum>(json.get_ref<const std::string&>());
  }
  static void read(const Json& json, Expression& formula) {
    const auto& text = json.get_ref<const std::string&>();
    try {
      formula = Expression(text);
    } catch (const ExpressionError& error) {
      throw UsageError(fmt::format("'{}' is not a formula: {}", text, error.what()));
    }
  }
  static void read(const Json& /*json*/, warpsim::CostInputs& /*not in grade.json*/) {}
  template <class T>
  static void read(const Json& json, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) read(json, value.emplace());
  }
  template <class T>
  static void read(const Json& json, std::vector<T>& values) {
    values.clear();
    for (const Json& element : json) read(element, values.emplace_back());
  }
  template <class T>
  static void read(const Json& json, std::map<std::string, T>& values) {
    values.clear();
    for (const auto& [key, element] : json.items()) read(element, values[key]);
  }
  template <Named Enum, class T>
  static void read(const Json& json, std::map<Enum, T>& values) {
    values.clear();
    for (const auto& [key, element] : json.items()) read(element, values[enumerator<Enum>(key)]);
  }
  template <HasFields T>
  static void read(const Json& json, T& value) {
    const auto read_field = [&json](const char* member, auto& field) {
      const std::string key(key_of<T>(member));
      if (key.empty()) return;
      if (kMissing == Missing::throws || json.contains(key)) read(json.at(key), field);
    };
    visit_fields(read_field, value);
  }

 private:
  template <Named Enum>
  static Enum enumerator(const std::string& name) {
    const std::optional<Enum> found = from_slug<Enum>(name);
    if (!found) throw UsageError(fmt::format("'{}' is not a status", name));
    return *found;
  }
};

}  // namespace warpgrade
