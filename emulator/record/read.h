#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/names.h"

// Structures that list their fields, from what record/write.h wrote.

namespace record {

/// How far a document is trusted.
enum class Trust : std::uint8_t {
  old,  // of an earlier version: a member that it lacks keeps its default
  whole,  // a member that it lacks is an error
  hostile,  // likewise, unless the field is optional; values are cut to their limits
};

/// A name that no enumerator has.
struct BadName : std::runtime_error {
  explicit BadName(const std::string& name) : runtime_error("'" + name + "' is not a status") {}
};

/// A type with a form of its own in documents: `void from_document(const Json&, T&)` beside it.
template <class T, class Json>
concept IsReadByItself = requires(const Json& json, T& value) {
  from_document(json, value);
};

// Far above any real run: sums stay finite and grades valid, whatever a hostile document has.
inline constexpr std::uint64_t kMostLine = 1 << 30;  // of integers of 32 bits
inline constexpr std::uint64_t kMostCount = std::uint64_t{1} << 40;
inline constexpr double kLargestNumber = 1e18;
inline constexpr std::size_t kLongestKey = 100;

/// @throws nlohmann::json::exception  for a value of another type, or one that is missing
/// @throws BadName  unless the document is hostile: then the member keeps its default
template <Document kDocument, Trust kTrust>
class Reader {
 public:
  /// What becomes of a hostile text, given its greatest length in bytes.
  using Text = std::function<std::string(std::string, std::size_t)>;
  explicit Reader(Text text = nullptr) : text_(std::move(text)) {}

  template <class Json, class T>
  void read(const Json& json, T& value, const Limits& limits = {}) const {
    if constexpr (IsReadByItself<T, Json>) {
      from_document(json, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = json.template get<bool>();
    } else if constexpr (std::integral<T>) {
      value = kHostile ? whole<T>(json, limits) : json.template get<T>();
    } else if constexpr (std::is_floating_point_v<T>) {
      value = number(json, limits);
    } else if constexpr (HasNames<T>) {
      read_name(json, value);
    } else if constexpr (HasFields<T>) {
      read_fields(json, value);
    } else {
      read_other(json, value, limits);
    }
  }

 private:
  static constexpr bool kHostile = kTrust == Trust::hostile;

  template <std::integral T, class Json>
  static T whole(const Json& json, const Limits& limits) {
    constexpr std::uint64_t kMost = sizeof(T) < sizeof kMostCount ? kMostLine : kMostCount;
    if (json.is_number_unsigned()) {
      return static_cast<T>(
          std::clamp(json.template get<std::uint64_t>(), std::uint64_t{limits.from}, kMost));
    }
    constexpr auto kLimit = static_cast<double>(kMost);
    return static_cast<T>(
        std::clamp(json.template get<double>(),
                   std::is_signed_v<T> ? -kLimit : static_cast<double>(limits.from), kLimit));
  }
  template <class Json>
  static double number(const Json& json, const Limits& limits) {
    if (kHostile) {
      const double least = limits.floats == Floats::not_negative ? 0 : -kLargestNumber;
      return std::clamp(json.template get<double>(), least, kLargestNumber);
    }
    if (json.is_number()) return json.template get<double>();
    const auto& text = json.template get_ref<const std::string&>();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return text == "nan"   ? std::numeric_limits<double>::quiet_NaN()
           : text == "inf" ? kInfinity
                           : -kInfinity;
  }
  template <class Json, HasNames T>
  static void read_name(const Json& json, T& value) {
    const auto name = json.template get<std::string>();
    const std::optional<T> found = value_named<T>(name);
    if (!found && !kHostile) throw BadName(name);
    if (found) value = *found;
  }
  template <class Json, HasFields T>
  void read_fields(const Json& json, T& value) const {
    const auto each = [&](const Field& field, auto& member) { read_field(json, field, member); };
    visit_fields(each, value);
  }
  // Compiled once for a type instead of once for each field of this type.
  template <class Json, class T>
  [[gnu::noinline]] void read_field(const Json& json, const Field& field, T& member) const {
    const std::string key(field.key(kDocument));
    if (key.empty()) return;
    if (field.limits.flat) return read(json, member, field.limits);
    const bool may_lack = field.limits.optional || field.limits.omit;
    if (kTrust == Trust::old || (kHostile && may_lack)) {
      if (const auto it = json.find(key); it != json.end()) read(*it, member, field.limits);
    } else {
      read(json.at(key), member, field.limits);
    }
  }
  template <class Json>
  void read_other(const Json& json, std::string& value, const Limits& limits) const {
    auto text = json.template get<std::string>();
    if (kHostile) {
      if (text_) text = text_(std::move(text), limits.longest);
      if (!is_allowed(text, limits)) return;
    }
    value = std::move(text);
  }
  static bool is_allowed(const std::string& text, const Limits& limits) {
    if (!limits.one_of.empty())
      return std::ranges::find(limits.one_of, text) != limits.one_of.end();
    return limits.pattern.empty() ||
           std::regex_search(text, std::regex(limits.pattern.begin(), limits.pattern.end()));
  }
  template <class Json, class T>
  void read_other(const Json& json, std::optional<T>& value, const Limits& limits) const {
    value.reset();
    if (!json.is_null()) read(json, value.emplace(), limits);
  }
  template <class Json, class T>
  void read_other(const Json& json, std::vector<T>& values, const Limits& limits) const {
    values.clear();
    for (const Json& element : json) {
      if (kHostile && limits.at_most != 0 && values.size() == limits.at_most) break;
      read(element, values.emplace_back(), limits);
    }
  }
  template <class Json, class Key, class T>
  void read_other(const Json& json, std::map<Key, T>& values, const Limits& limits) const {
    values.clear();
    for (const auto& [key, element] : json.items()) {
      if constexpr (HasNames<Key>) {
        const std::optional<Key> found = value_named<Key>(key);
        if (!found) throw BadName(key);
        read(element, values[*found], limits);
      } else {
        if (kHostile && !is_key(key)) continue;
        if (kHostile && limits.at_most != 0 && values.size() == limits.at_most) break;
        read(element, values[key], limits);
      }
    }
  }
  static bool is_key(const std::string& text) {
    return text.size() <= kLongestKey &&
           std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
  }

  Text text_;
};

}  // namespace record
