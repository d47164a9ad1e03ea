#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "grader/core/embedded.h"
#include "grader/record/grade/grade_json.h"
#include "grader/record/grade/json_fields.h"

// docs/grade.schema.json matches what is written: the fields of the structures (WARPGRADE_FIELDS),
// their types, and the names of enumerations.

namespace warpgrade {
namespace {

using Json = nlohmann::json;

/// Compares structures with the schema, both ways; adds differences to `problems`.
class Comparison {
 public:
  explicit Comparison(Json schema) : schema_(std::move(schema)) {}

  template <HasFields T>
  void compare(const Json& node, const std::string& place, const std::set<std::string>& also = {}) {
    const Json& object = resolve(node, "object");
    std::set<std::string> written = also;
    const auto each = [&](const char* member, const auto& field) {
      const std::string key(key_of<T>(member));
      if (key.empty()) return;
      written.insert(key);
      const bool named = object.at("properties").contains(key);
      if (!named && !lets_keys_be_added(object)) {
        problems.push_back(place + "." + key + " is not in the schema");
        return;
      }
      compare_field<std::remove_cvref_t<decltype(field)>>(
          named ? object.at("properties").at(key) : object.at("additionalProperties"),
          place + "." + key);
    };
    const T value{};
    visit_fields(each, value);
    for (const auto& [key, property] : object.at("properties").items()) {
      if (!written.contains(key)) problems.push_back(place + "." + key + " is never written");
    }
    if (!lets_keys_be_added(object) && object.value("additionalProperties", true)) {
      problems.push_back(place + " lets other keys be there");
    }
  }

  std::vector<std::string> problems;

 private:
  /// Whether keys that the schema does not name are allowed, with a type.
  static bool lets_keys_be_added(const Json& object) {
    return object.contains("additionalProperties") && object.at("additionalProperties").is_object();
  }
  /// Resolves a reference, and of alternatives selects the one of this type.
  const Json& resolve(const Json& node, const std::string& type) {
    if (const auto it = node.find("$ref"); it != node.end()) {
      const std::string target = it->get<std::string>().substr(1);  // without #
      return resolve(schema_.at(Json::json_pointer(target)), type);
    }
    if (const auto it = node.find("oneOf"); it != node.end()) {
      for (const Json& each : *it) {
        const Json& found = resolve(each, type);
        if (allows(found, type)) return found;
      }
    }
    return node;
  }
  static bool allows(const Json& node, const std::string& type) {
    const auto it = node.find("type");
    if (it == node.end()) return false;
    return it->is_array() ? std::find(it->begin(), it->end(), type) != it->end() : *it == type;
  }
  void expect(const Json& node, const std::string& place, const std::string& type) {
    const Json& found = resolve(node, type);
    const bool is_one_of_words = type == "string" && found.contains("enum");
    if (!is_one_of_words && !allows(found, type))
      problems.push_back(place + " is not of type " + type);
  }

  template <class T>
  void compare_field(const Json& node, const std::string& place) {
    if constexpr (std::is_same_v<T, bool>) {
      expect(node, place, "boolean");
    } else if constexpr (std::is_integral_v<T>) {
      expect(node, place, "integer");
    } else if constexpr (std::is_floating_point_v<T>) {
      expect(node, place, "number");
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Expression>) {
      expect(node, place, "string");
    } else if constexpr (Named<T>) {
      const std::vector<std::string> names(kNamesOf<T>.begin(), kNamesOf<T>.end());
      if (resolve(node, "string").value("enum", Json()) != Json(names)) {
        problems.push_back(place + " has other names than the enumeration");
      }
    } else if constexpr (HasFields<T>) {
      compare<T>(node, place);
    } else {
      compare_of(node, place, T());
    }
  }
  void compare_of(const Json& /*node*/, const std::string& /*place*/,
                  const warpsim::CostInputs& /*not in grade.json*/) {}
  template <class T>
  void compare_of(const Json& node, const std::string& place, const std::optional<T>& /*type*/) {
    compare_field<T>(node, place);
  }
  template <class T>
  void compare_of(const Json& node, const std::string& place, const std::vector<T>& /*type*/) {
    expect(node, place, "array");
    compare_field<T>(resolve(node, "array").at("items"), place + "[]");
  }
  template <class T>
  void compare_of(const Json& node, const std::string& place,
                  const std::map<std::string, T>& /*type*/) {
    expect(node, place, "object");
    compare_field<T>(resolve(node, "object").at("additionalProperties"), place + "{}");
  }

  Json schema_;
};

std::vector<std::string> problems_of(const Json& schema) {
  Comparison comparison(schema);
  comparison.compare<Grade>(schema, "grade",
                            {"schema", "score", "max_score", "assessed", "passed"});
  return comparison.problems;
}

Json grade_schema() {
  return Json::parse(embedded_file("grade.schema.json"));
}

TEST_CASE("the schema has the fields that a grade has, with their types and names",
          "[grade_record][schema]") {
  CHECK(problems_of(grade_schema()) ==
        // ncu's kernels have no lines; see CardCounts.
        std::vector<std::string>{"grade.profile.counts[].kernels[].lines is not in the schema"});
}

TEST_CASE("a field missing from the schema, or only in the schema, is found",
          "[grade_record][schema]") {
  const std::size_t known = problems_of(grade_schema()).size();
  Json schema = grade_schema();
  Json& item = schema["properties"]["items"]["items"]["properties"];
  SECTION("a field that is written") {
    item.erase("hint");
    CHECK(problems_of(schema).at(0) == "grade.items[].hint is not in the schema");
  }
  SECTION("a field that is not") {
    item["numbers"]["properties"]["weight"] = {{"type", "number"}};
    CHECK(problems_of(schema).at(0) == "grade.items[].numbers.weight is never written");
  }
  SECTION("another type") {
    item["points"] = {{"type", "string"}};
    CHECK(problems_of(schema).at(0) == "grade.items[].points is not of type number");
  }
  SECTION("another name") {
    item["status"]["enum"][0] = "done";
    CHECK(problems_of(schema).at(0) == "grade.items[].status has other names than the enumeration");
  }
  CHECK(problems_of(schema).size() > known);
}

}  // namespace
}  // namespace warpgrade
