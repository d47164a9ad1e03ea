#pragma once

#include <cmath>
#include <concepts>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/names.h"

// JSON of structures that list their fields.

namespace record {

using Json = nlohmann::ordered_json;

/// A type with a form of its own in documents: `Json to_document(const T&)` beside it.
template <class T>
concept HasOwnForm = requires(const T& value) {
  { to_document(value) } -> std::same_as<Json>;
};

/// A structure that changes its object after it is written: `void finish_document(const T&, Json&)`
/// beside it.
template <class T>
concept IsFinished = requires(const T& value, Json& object) {
  finish_document(value, object);
};

inline std::string as_it_is(const std::string& text) {
  return text;
}

/// Writes values as they are in a kind of document.
/// @tparam kText  what becomes of texts
template <Document kDocument, std::string (*kText)(const std::string&) = as_it_is>
class Writer {
 public:
  template <class T>
  static Json json(const T& value) {
    if constexpr (HasOwnForm<T>) {
      return to_document(value);
    } else if constexpr (std::is_same_v<T, bool> || std::integral<T>) {
      return value;
    } else if constexpr (std::is_floating_point_v<T>) {
      return number(value);
    } else if constexpr (HasNames<T>) {
      return name_of_value(value);
    } else if constexpr (HasFields<T>) {
      return object(value);
    } else {
      return of(value);
    }
  }

 private:
  /// JSON has no numbers for infinities and NaN.
  static Json number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    // Counters are doubles here, and most are whole.
    constexpr double kExact = 9007199254740992;  // 2^53
    if (kDocument == Document::run && value >= 0 && value < kExact && value == std::floor(value)) {
      return static_cast<std::uint64_t>(value);
    }
    return value;
  }
  static Json of(const std::string& text) { return kText(text); }
  template <class T>
  static Json of(const std::optional<T>& value) {
    return value ? json(*value) : Json(nullptr);
  }
  template <class T>
  static Json of(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(json(value));
    return array;
  }
  template <class Key, class T>
  static Json of(const std::map<Key, T>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) {
      if constexpr (HasNames<Key>) {
        object[std::string(name_of_value(key))] = json(value);
      } else {
        object[key] = json(value);
      }
    }
    return object;
  }
  template <class T>
  static bool is_nothing(const T& /*value*/, const Json& written) {
    return written.empty() || written == false || written == 0 || written == "";
  }
  template <class T>
  static bool is_nothing(const std::optional<T>& value, const Json& /*written*/) {
    return !value;
  }
  template <HasFields T>
  static Json object(const T& value) {
    Json object = Json::object();
    const auto each = [&object](const Field& field, const auto& member) {
      add(object, field, member);
    };
    visit_fields(each, value);
    if constexpr (IsFinished<T>) finish_document(value, object);
    return object;
  }
  // Compiled once for a type instead of once for each field of this type.
  template <class T>
  [[gnu::noinline]] static void add(Json& object, const Field& field, const T& member) {
    const std::string_view key = field.key(kDocument);
    if (key.empty()) return;
    Json written = json(member);
    if (field.limits.flat) {
      object.update(written);
    } else if (!field.limits.omit || !is_nothing(member, written)) {
      object[std::string(key)] = std::move(written);
    }
  }
};

}  // namespace record
