#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "emulator/record/fields.h"
#include "emulator/record/names.h"

// JSON schemas of structures that list their fields.

namespace record {

using Schema = nlohmann::ordered_json;

inline Schema schema_of_type(std::string_view name) {
  Schema schema = Schema::object();
  schema["type"] = name;
  return schema;
}
inline Schema schema_of_names(std::span<const std::string_view> names) {
  Schema schema = Schema::object();
  schema["enum"] = std::vector<std::string>(names.begin(), names.end());
  return schema;
}
inline Schema schema_of_integer(bool is_unsigned, const Limits& limits) {
  Schema schema = schema_of_type("integer");
  if (is_unsigned || limits.from != 0) schema["minimum"] = limits.from;
  return schema;
}
inline Schema schema_of_float(const Limits& limits) {
  Schema schema = schema_of_type("number");
  if (limits.floats == Floats::any)
    return {{"anyOf", {schema, {{"enum", {"nan", "inf", "-inf"}}}}}};
  if (limits.floats == Floats::not_negative) schema["minimum"] = 0;
  if (limits.to != 0) schema["maximum"] = limits.to;
  return schema;
}
inline Schema schema_of_text(const Limits& limits) {
  if (!limits.one_of.empty()) return schema_of_names(limits.one_of);
  Schema schema = schema_of_type("string");
  if (limits.not_empty) schema["minLength"] = 1;
  if (!limits.pattern.empty()) schema["pattern"] = limits.pattern;
  return schema;
}
inline Schema schema_or_null(Schema schema) {
  return {{"anyOf", {schema_of_type("null"), std::move(schema)}}};
}
inline Schema schema_of_list(Schema items, bool not_empty, std::size_t at_most) {
  Schema schema = schema_of_type("array");
  if (not_empty) schema["minItems"] = 1;
  if (at_most != 0) schema["maxItems"] = at_most;
  schema["items"] = std::move(items);
  return schema;
}

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
    const auto each = [&]<class Member>(const Field& field, const Member& /*member*/) {
      add<Member>(properties, required, field);
    };
    visit_fields(each, value);
    return {{"type", "object"}, {"required", required}, {"properties", properties}};
  }
  /// By type.
  [[nodiscard]] const Schema& definitions() const { return definitions_; }

 private:
  template <class T>
  struct Tag {};

  // Compiled once for a type instead of once for each field of this type.
  template <class Member>
  [[gnu::noinline]] void add(Schema& properties, Schema& required, const Field& field) {
    const std::string key(field.key(kDocument));
    if (key.empty()) return;
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
  }

  template <class T>
  Schema of(const Limits& limits) {
    if constexpr (HasOwnSchema<T>) {
      return schema_of(static_cast<const T*>(nullptr), limits);
    } else if constexpr (std::is_same_v<T, bool>) {
      return schema_of_type("boolean");
    } else if constexpr (HasNames<T>) {
      return schema_of_names(names_of(T{}));
    } else if constexpr (std::is_integral_v<T>) {
      return schema_of_integer(std::is_unsigned_v<T>, limits);
    } else if constexpr (std::is_floating_point_v<T>) {
      return schema_of_float(limits);
    } else if constexpr (HasFields<T>) {
      return reference<T>();
    } else {
      return of(Tag<T>(), limits);
    }
  }
  static Schema of(Tag<std::string> /*type*/, const Limits& limits) {
    return schema_of_text(limits);
  }
  template <class T>
  Schema of(Tag<std::optional<T>> /*type*/, const Limits& limits) {
    return schema_or_null(of<T>(limits));
  }
  template <class T>
  Schema of(Tag<std::vector<T>> /*type*/, const Limits& limits) {
    Limits of_element = limits;
    // The limit of a list of texts is that of its texts.
    const bool not_empty = limits.not_empty && !std::is_same_v<T, std::string>;
    if (not_empty) of_element.not_empty = false;
    return schema_of_list(of<T>(of_element), not_empty, limits.at_most);
  }
  template <class Key, class T>
  Schema of(Tag<std::map<Key, T>> /*type*/, const Limits& limits) {
    Schema schema = schema_of_type("object");
    if constexpr (HasNames<Key>) schema["propertyNames"] = schema_of_names(names_of(Key{}));
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
