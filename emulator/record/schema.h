#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/names.h"

// JSON schemas of structures that list their fields.

namespace record {

using Schema = nlohmann::ordered_json;

/// A type with a form of its own in documents: `Schema schema_of(const T*, Limits)` beside it.
template <class T>
concept HasOwnSchema = requires(const T* type, const Limits& limits) {
  { schema_of(type, limits) } -> std::same_as<Schema>;
};

/// Makes the schema of a structure in a kind of document; structures in it become definitions.
template <Document kDocument>
class SchemaWriter {
 public:
  /// {"type": "object", "required": [...], "properties": {...}}. Keys that are not listed are
  /// allowed: a reader ignores what it does not know.
  template <HasFields T>
  Schema object() {
    Schema properties = Schema::object();
    Schema required = Schema::array();
    const T value{};
    const auto each = [&](const Field& field, const auto& member) {
      const std::string key(field.key(kDocument));
      if (key.empty()) return;
      using Member = std::remove_cvref_t<decltype(member)>;
      if constexpr (HasFields<Member>) {
        if (field.limits.flat) {
          const Schema inner = object<Member>();
          properties.update(inner.at("properties"));
          if (field.limits.optional) return;
          for (const auto& name : inner.at("required")) required.push_back(name);
          return;
        }
      }
      Schema& property = properties[key] = Schema::object();
      if (!field.meaning.empty()) property["description"] = field.meaning;
      property.update(of<Member>(field.limits));
      if (!field.limits.optional && !field.limits.omit) required.push_back(key);
    };
    visit_fields(each, value);
    return {{"type", "object"}, {"required", required}, {"properties", properties}};
  }
  /// By type.
  [[nodiscard]] const Schema& definitions() const { return definitions_; }

 private:
  template <class T>
  struct Tag {};

  template <class T>
  Schema of(const Limits& limits) {
    if constexpr (HasOwnSchema<T>) {
      return schema_of(static_cast<const T*>(nullptr), limits);
    } else if constexpr (std::is_same_v<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (HasNames<T>) {
      const auto names = names_of(T{});
      return {{"enum", std::vector<std::string>(names.begin(), names.end())}};
    } else if constexpr (std::is_integral_v<T>) {
      Schema schema = {{"type", "integer"}};
      if (std::is_unsigned_v<T> || limits.from != 0) schema["minimum"] = limits.from;
      return schema;
    } else if constexpr (std::is_floating_point_v<T>) {
      return floats(limits);
    } else if constexpr (HasFields<T>) {
      return reference<T>();
    } else {
      return of(Tag<T>(), limits);
    }
  }
  static Schema floats(const Limits& limits) {
    Schema schema = {{"type", "number"}};
    if (limits.floats == Floats::any)
      return {{"anyOf", {schema, {{"enum", {"nan", "inf", "-inf"}}}}}};
    if (limits.floats == Floats::not_negative) schema["minimum"] = 0;
    if (limits.to != 0) schema["maximum"] = limits.to;
    return schema;
  }
  static Schema of(Tag<std::string> /*type*/, const Limits& limits) {
    if (!limits.one_of.empty()) {
      return {{"enum", std::vector<std::string>(limits.one_of.begin(), limits.one_of.end())}};
    }
    Schema schema = {{"type", "string"}};
    if (limits.not_empty) schema["minLength"] = 1;
    if (!limits.pattern.empty()) schema["pattern"] = limits.pattern;
    return schema;
  }
  template <class T>
  Schema of(Tag<std::optional<T>> /*type*/, const Limits& limits) {
    return {{"anyOf", {{{"type", "null"}}, of<T>(limits)}}};
  }
  template <class T>
  Schema of(Tag<std::vector<T>> /*type*/, const Limits& limits) {
    Schema schema = {{"type", "array"}};
    Limits of_element = limits;
    if (limits.not_empty && !std::is_same_v<T, std::string>) {
      schema["minItems"] = 1;
      of_element.not_empty = false;
    }
    if (limits.at_most != 0) schema["maxItems"] = limits.at_most;
    schema["items"] = of<T>(of_element);
    return schema;
  }
  template <class Key, class T>
  Schema of(Tag<std::map<Key, T>> /*type*/, const Limits& limits) {
    Schema schema = {{"type", "object"}};
    if constexpr (HasNames<Key>) {
      const auto names = names_of(Key{});
      schema["propertyNames"] = {{"enum", std::vector<std::string>(names.begin(), names.end())}};
    }
    schema["additionalProperties"] = of<T>(limits);
    return schema;
  }
  template <class T>
  Schema reference() {
    const std::string name(name_of_record(static_cast<const T*>(nullptr)));
    if (!definitions_.contains(name)) {
      definitions_[name] = nullptr;  // of a structure that has itself in it
      definitions_[name] = object<T>();
    }
    return {{"$ref", "#/definitions/" + name}};
  }

  Schema definitions_ = Schema::object();
};

}  // namespace record
